//! The engine's work while the screen is shown.

use std::sync::mpsc::Sender;
use std::time::Duration;

use hexzero_games::Action;
use hexzero_system::stop::StopSignal;

use super::super::table::Table;
use super::view::Thoughts;

/// The interval between reports of the engine's findings.
const SLICE: Duration = Duration::from_millis(150);

/// A piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// Choosing its own move.
    Move,
    /// Searching a move for the person.
    Hint,
    /// Pondering, with reports of its findings.
    Ponder,
    /// No work.
    Rest,
}

impl Work {
    /// Returns the work due in the present state of the game.
    pub fn due(table: &Table, hint: bool, analysis: bool) -> Self {
        match () {
            () if table.is_engines_turn() => Self::Move,
            () if table.is_over() => Self::Rest,
            () if hint => Self::Hint,
            () if analysis || table.ponders() => Self::Ponder,
            () => Self::Rest,
        }
    }

    /// Works until done or `stop` is requested; returns the move found, if one was searched.
    pub fn run(self, table: &mut Table, stop: &StopSignal, tell: &Sender<Thoughts>) -> Option<Action> {
        match self {
            Self::Move => table.think(),
            Self::Hint => {
                let limits = table.move_limits();
                table.engine.think(&limits)
            }
            Self::Ponder => {
                let limits = table.free_limits();
                let mut more = true;
                while more && !stop.is_requested() {
                    more = table.engine.think_for(&limits, SLICE);
                    more &= tell.send(Thoughts::of(&table.engine)).is_ok();
                }
                None
            }
            Self::Rest => None,
        }
    }
}
