//! Runs and matches that workers play, with a real NATS broker.

mod access;
mod asynchronous;
#[cfg(target_os = "linux")]
mod disk_full;
mod experiments;
mod faults;
mod forgery;
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

/// Longest wait of a test.
const PATIENCE: Duration = Duration::from_secs(180);

/// Process that is killed when it is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    /// Starts `hexzero` in a folder, with its output in the file `output` and its errors in `output.err`.
    fn start(folder: &Path, output: &str, arguments: &str) -> Self {
        let file = |name: String| File::create(folder.join(name)).unwrap();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("hexzero"));
        command.args(arguments.split_whitespace()).current_dir(folder).stdin(Stdio::null());
        command.stdout(file(output.to_owned())).stderr(file(format!("{output}.err")));
        Self(command.spawn().unwrap())
    }

    /// Starts a worker that plays one game at a time.
    fn worker(folder: &Path, name: &str, address: &str) -> Self {
        Self::start(folder, name, &format!("worker --cluster {address} --threads 1 --name {name}"))
    }

    /// Kills it, as if its machine failed.
    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Sends the signal of Ctrl-C.
    fn interrupt(&self) {
        self.signal("-INT");
    }

    /// Suspends it, as if its machine had no time for it.
    fn halt(&self) {
        self.signal("-STOP");
    }

    /// Lets it go on.
    fn go_on(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, which: &str) {
        assert!(Command::new("kill").args([which, &self.0.id().to_string()]).status().unwrap().success());
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Waits for its exit status. Returns `None` if it does not end.
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

/// Waits until a file contains a text.
fn wait_for(file: &Path, text: &str) {
    let began = Instant::now();
    let read = || String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned();
    while !read().contains(text) {
        let found = read();
        assert!(began.elapsed() < PATIENCE, "{} does not contain '{text}', but: {found}", file.display());
        sleep(Duration::from_millis(10));
    }
}

/// Plays the run `local` in one process.
fn play_locally(folder: &Path, games: u64) {
    train(folder, &format!("--recipe tiny.toml --run local --rate 0 --games {games}")).success();
}

/// Coordinates the run `run` in lock step until it has `games` games.
fn coordinate(folder: &Path, run: &str, address: &str, games: u64, more: &str) -> Assert {
    train(folder, &format!("--run {run} --rate 0 --games {games} --lock-step --cluster {address} {more}"))
}

/// Returns the counts that a coordinator prints at its end, by name.
fn figures(said: &str) -> impl Fn(&str) -> u64 {
    let line = said.lines().find_map(|line| line.strip_prefix("cluster: ")).unwrap_or_else(|| panic!("{said}"));
    let words: Vec<String> = line.split([' ', ',', ';']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    move |name: &str| {
        let at = words.iter().position(|word| word == name).unwrap_or_else(|| panic!("{name}: {words:?}"));
        let before = words[..at].iter().rev().find_map(|word| word.parse().ok());
        before.unwrap_or_else(|| panic!("{name}: {words:?}"))
    }
}
