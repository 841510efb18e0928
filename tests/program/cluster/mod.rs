//! Runs that are played by workers at a real NATS broker.

mod access;
mod asynchronous;
#[cfg(target_os = "linux")]
mod disk_full;
mod faults;
mod frauds;
mod lock_step;
mod matches;
mod tls;

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assert_cmd::assert::Assert;

use crate::tiny::train;

/// Only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(180);

/// A process that is killed when the test ends.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    /// Starts `hexzero` in a folder; what it says goes to the file `said`, and what it complains of to `said.err`.
    fn start(folder: &Path, said: &str, arguments: &str) -> Self {
        let file = |name: String| File::create(folder.join(name)).unwrap();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("hexzero"));
        command.args(arguments.split_whitespace()).current_dir(folder).stdin(Stdio::null());
        command.stdout(file(said.to_owned())).stderr(file(format!("{said}.err")));
        Self(command.spawn().unwrap())
    }

    /// A worker that plays one game at a time.
    fn worker(folder: &Path, name: &str, address: &str) -> Self {
        Self::start(folder, name, &format!("worker --cluster {address} --threads 1 --name {name}"))
    }

    /// Kills it as a failure of its machine would.
    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Asks it to stop, as Ctrl-C does.
    fn interrupt(&self) {
        self.signal("-INT");
    }

    /// Stops it in its tracks, as a machine does that has no time for it.
    fn halt(&self) {
        self.signal("-STOP");
    }

    fn signal(&self, which: &str) {
        assert!(Command::new("kill").args([which, &self.0.id().to_string()]).status().unwrap().success());
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// How it ended; none if it does not.
    fn ended(&mut self) -> Option<ExitStatus> {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if let Some(status) = self.0.try_wait().unwrap() {
                return Some(status);
            }
            sleep(Duration::from_millis(10));
        }
        None
    }

    fn wait(&mut self) -> ExitStatus {
        self.ended().expect("a process does not end")
    }
}

/// Waits until a file holds a text.
fn wait_for(file: &Path, text: &str) {
    let began = Instant::now();
    let read = || String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned();
    while !read().contains(text) {
        let found = read();
        assert!(began.elapsed() < PATIENCE, "{} does not say '{text}', but: {found}", file.display());
        sleep(Duration::from_millis(10));
    }
}

/// The run `local`, which is played by one process.
fn play_locally(folder: &Path, games: u64) {
    train(folder, &format!("--recipe tiny.toml --run local --rate 0 --games {games}")).success();
}

/// Coordinates the run `run` in lock step until it has so many games.
fn coordinate(folder: &Path, run: &str, address: &str, games: u64, more: &str) -> Assert {
    train(folder, &format!("--run {run} --rate 0 --games {games} --lock-step --cluster {address} {more}"))
}

/// The figures that a coordinator prints when it ends, by their names.
fn figures(said: &str) -> impl Fn(&str) -> u64 {
    let line = said.lines().find_map(|line| line.strip_prefix("cluster: ")).unwrap_or_else(|| panic!("{said}"));
    let words: Vec<String> = line.split([' ', ',', ';']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    move |name: &str| {
        let at = words.iter().position(|word| word == name).unwrap_or_else(|| panic!("{name}: {words:?}"));
        let before = words[..at].iter().rev().find_map(|word| word.parse().ok());
        before.unwrap_or_else(|| panic!("{name}: {words:?}"))
    }
}
