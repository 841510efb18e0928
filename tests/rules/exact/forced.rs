//! What can be forced within some plies, by trying every move: shares nothing with solvers and searches.

use std::collections::HashMap;

use hexzero::games::{Position, Seat};

/// The result of a position within some plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// This seat can force a win.
    Won(Seat),
    /// Every line ends, and neither can force a win.
    Drawn,
    /// Some lines go on.
    Open,
}

/// Tries all moves. Remembers positions by their network inputs, which tell everything but the history.
#[derive(Default)]
pub struct Forced {
    known: HashMap<(usize, Seat, Vec<u32>), Within>,
    visits: usize,
}

impl Forced {
    /// Returns the result of an unfinished position and the fewest plies that decide it, or `None` if that takes more
    /// than `plies` plies or `visits` positions.
    pub fn of(position: &Position, plies: usize, visits: usize) -> Option<(Within, usize)> {
        let mut forced = Self { visits, ..Self::default() };
        (1..=plies).find_map(|plies| match forced.within(position, plies)? {
            Within::Open => None,
            decided => Some((decided, plies)),
        })
    }

    /// Returns `None` if there are no visits left.
    fn within(&mut self, position: &Position, plies: usize) -> Option<Within> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome.winner.map_or(Within::Drawn, Within::Won));
        }
        if plies == 0 {
            return Some(Within::Open);
        }
        let mover = position.to_move();
        let key = (plies, mover, seen(position));
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        self.visits = self.visits.checked_sub(1)?;
        let mut best = Within::Won(mover.opponent());
        for action in position.legal() {
            match self.within(&position.after(action), plies - 1)? {
                Within::Won(winner) if winner == mover => {
                    best = Within::Won(mover);
                    break;
                }
                Within::Won(_) => {}
                Within::Drawn if best == Within::Open => {}
                other => best = other,
            }
        }
        self.known.insert(key, best);
        Some(best)
    }
}

fn seen(position: &Position) -> Vec<u32> {
    let (cells, globals) = crate::hex_rules::seen(position);
    cells.iter().chain(&globals).map(|input| input.to_bits()).collect()
}
