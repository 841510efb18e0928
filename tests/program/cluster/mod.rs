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

use std::fs;
use std::path::Path;

use assert_cmd::assert::Assert;
use hexzero::cluster::{Access, Broker};

use crate::process::{Process, wait_until};
use crate::tiny::train;

impl Process {
    /// Starts a worker that plays one game at a time. Options may follow the address.
    fn worker(folder: &Path, name: &str, address: &str) -> Self {
        Self::start(folder, name, &format!("cluster worker --cluster {address} --threads 1 --name {name}"))
    }

    /// Suspends it, as if its machine had no time for it.
    fn halt(&self) {
        self.signal("-STOP");
    }

    /// Lets it go on.
    fn go_on(&self) {
        self.signal("-CONT");
    }
}

/// Connects to a broker as a participant of this name.
fn connect(address: &str, name: &str) -> Broker {
    Broker::connect(&Access { address: address.to_owned(), ..Access::default() }, name).unwrap()
}

/// Waits until a file contains a text.
fn wait_for(file: &Path, text: &str) {
    let read = || String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned();
    wait_until(&format!("'{text}' in {}", file.display()), || read().contains(text));
}

/// Plays the run `local` in one process.
fn play_locally(folder: &Path, games: u64) {
    train(folder, &format!("--recipe tiny.toml --run local --rate 0 --games {games}")).success();
}

/// Coordinates the run `run` in lock step until it has `games` games.
fn coordinate(folder: &Path, run: &str, address: &str, games: u64, more: &str) -> Assert {
    train(folder, &format!("--run {run} --rate 0 --games {games} --lock-step --cluster {address} {more}"))
}

/// Starts the process `coordinator` of the run `a`, which learns while games arrive unless it is told otherwise.
fn start_coordinator(folder: &Path, address: &str, more: &str) -> Process {
    let order = format!("train --no-matches --run a --rate 0 --cluster {address} {more}");
    Process::start(folder, "coordinator", &order)
}

/// Waits for the end of the process `coordinator`. Returns the counts that it prints, which must add up, by name.
fn counts_at_end(folder: &Path, coordinator: &mut Process) -> impl Fn(&str) -> u64 + use<> {
    assert!(coordinator.wait().success());
    let said = fs::read_to_string(folder.join("coordinator")).unwrap();
    println!("{said}");
    let figure = figures(&said);
    assert_eq!(figure("acknowledged"), figure("used") + figure("doubled") + figure("stale"));
    figure
}

/// Returns the counts that a coordinator prints at its end, by name.
fn figures(said: &str) -> impl Fn(&str) -> u64 + use<> {
    let line = said.lines().find_map(|line| line.strip_prefix("cluster: ")).unwrap_or_else(|| panic!("{said}"));
    let words: Vec<String> = line.split([' ', ',', ';']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    move |name: &str| {
        let at = words.iter().position(|word| word == name).unwrap_or_else(|| panic!("{name}: {words:?}"));
        let before = words[..at].iter().rev().find_map(|word| word.parse().ok());
        before.unwrap_or_else(|| panic!("{name}: {words:?}"))
    }
}
