//! What the engine does while the screen is shown.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use crate::games::Action;

use super::super::table::Table;
use super::view::Thoughts;

/// How long the engine thinks before it tells what it has found.
const SLICE: Duration = Duration::from_millis(150);

/// A piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// Its own move.
    Move,
    /// A move for the person.
    Hint,
    /// Thinking while the person does; what it finds is told if that is wished.
    Ponder,
    /// None.
    Rest,
}

impl Work {
    /// What is to be done as the game stands.
    pub fn due(table: &Table, hint: bool, analysis: bool) -> Self {
        match () {
            () if table.is_engines_turn() => Self::Move,
            () if table.is_over() => Self::Rest,
            () if hint => Self::Hint,
            () if analysis || table.ponders() => Self::Ponder,
            () => Self::Rest,
        }
    }

    /// Does it until it is done or `halt` is raised. Gives the move that was looked for.
    pub fn run(self, table: &mut Table, halt: &AtomicBool, tell: &Sender<Thoughts>) -> Option<Action> {
        match self {
            Self::Move => table.think(),
            Self::Hint => {
                let limits = table.move_limits();
                table.engine.think(&limits)
            }
            Self::Ponder => {
                ponder(table, halt, tell);
                None
            }
            Self::Rest => None,
        }
    }
}

fn ponder(table: &mut Table, halt: &AtomicBool, tell: &Sender<Thoughts>) {
    let slice = crate::search::Limits { time: Some(SLICE), ..table.free_limits() };
    while !halt.load(Ordering::Relaxed) {
        let start = Instant::now();
        table.engine.think(&slice);
        // A search that ends before its time is up has met another limit.
        if tell.send(Thoughts::of(&table.engine)).is_err() || start.elapsed() < SLICE {
            return;
        }
    }
}
