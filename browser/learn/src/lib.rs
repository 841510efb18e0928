//! Training in a browser's tab: the functions that the learning module exports. `page/engine/learner.js` calls them.
//!
//! A run is the program's own ([`hexzero_train::Run`]), in the folder `/run` of a file system that the caller keeps. So it plays the
//! same games and learns the same weights, and `hexzero train --resume` goes on with its files.
#![warn(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod exam;
mod tab_run;

use std::cell::RefCell;
use std::error::Error;

use hexzero_browser::bridge::{say, slice, tell_faults, text};

use tab_run::TabRun;

thread_local! {
    static RUN: RefCell<Option<TabRun>> = const { RefCell::new(None) };
}

/// Says a text or an error. Returns 1, or 0 for an error.
fn say_result(result: Result<String, Box<dyn Error>>) -> u32 {
    let is_ok = result.is_ok();
    say(result.unwrap_or_else(|error| error.to_string()));
    u32::from(is_ok)
}

/// Runs `work` on the run and says what it returns. Returns 1, or 0 after an answer with the error.
fn on_run(work: impl FnOnce(&mut TabRun) -> Result<String, Box<dyn Error>>) -> u32 {
    say_result(RUN.with_borrow_mut(|run| run.as_mut().map_or_else(|| Err("no run is open".into()), work)))
}

/// Resumes the run in the folder, or begins one by the recipe at `recipe`, a text in TOML, on `workers` threads. Returns 1 after
/// an empty answer, or 0 after one with the error.
///
/// # Safety
/// The recipe must be bytes that were allocated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open_run(workers: usize, recipe: *const u8, bytes: usize) -> u32 {
    tell_faults();
    // SAFETY: the caller's promise.
    let recipe = unsafe { text(recipe, bytes) };
    let opened = TabRun::open(&recipe, workers).map(|run| RUN.set(Some(run)));
    // Warnings may have been said before: the caller takes the last text for the answer.
    say_result(opened.map(|()| String::new()))
}

/// Plays the games of an iteration and learns from them. Reports its progress meanwhile, and at the end the figures of the iteration.
#[unsafe(no_mangle)]
pub extern "C" fn iterate() -> u32 {
    on_run(TabRun::iterate)
}

/// Says what the network knows, as JSON: its opinion of the empty board, the openings that it judges correctly, and its results in
/// `games` games against each of the other players, all with `visits` visits a move.
#[unsafe(no_mangle)]
pub extern "C" fn examine(games: usize, visits: u32) -> u32 {
    on_run(|run| run.examine(games, visits))
}

/// Says what a network thinks of a position on a board of `size`, as JSON; needs no run. `asked` is the name of the game and the moves,
/// separated by spaces, `network` the checkpoint.
///
/// # Safety
/// Both must be bytes that were allocated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn opinion(
    size: usize,
    asked: *const u8,
    length: usize,
    network: *const u8,
    bytes: usize,
) -> u32 {
    tell_faults();
    // SAFETY: the caller's promise.
    let (asked, network) = unsafe { (text(asked, length), slice(network, bytes)) };
    say_result(exam::opinion(size, &asked, network))
}
