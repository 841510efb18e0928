//! The time of a search by the clock.

use std::time::Duration;

use super::clock::Allowance;
use super::findings::RootMove;
use super::tree_search::Search;

/// The share of the visits of the move to be played that another move needs to compete with it.
const RIVAL_SHARE: f32 = 0.25;

/// The time of a search by the clock: as planned, or longer while it hesitates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockPlan {
    /// The time of one extension.
    soft: Duration,
    longest: Duration,
    allowed: Duration,
}

impl ClockPlan {
    /// Creates the plan of an allowance, within a limit if there is one.
    pub fn new(allowance: Allowance, limit: Option<Duration>) -> Self {
        let longest = allowance.hard.min(limit.unwrap_or(Duration::MAX));
        Self { soft: allowance.soft, longest, allowed: allowance.soft.min(longest) }
    }

    /// Returns the time allowed so far.
    pub fn allowed(&self) -> Duration {
        self.allowed
    }

    /// Allows more time if the search hesitates and the allowance has some left. Returns whether it did.
    pub fn extend(&mut self, search: &Search) -> bool {
        let extends = self.allowed < self.longest && search.hesitates();
        if extends {
            self.allowed = (self.allowed + self.soft).min(self.longest);
        }
        extends
    }
}

impl Search {
    /// Returns whether another move has more visits than the one to be played, or enough visits and a better value.
    pub fn hesitates(&self) -> bool {
        let moves = self.root_moves();
        let Some((best, rivals)) = moves.split_first() else { return false };
        let is_open = |found: &RootMove| found.proven_in.is_none() || self.lost.is_some();
        is_open(best)
            && rivals.iter().filter(|rival| is_open(rival)).any(|rival| {
                let competes = rival.visits as f32 >= RIVAL_SHARE * best.visits.max(1) as f32;
                rival.visits > best.visits || competes && rival.lower_bound > best.lower_bound
            })
    }
}
