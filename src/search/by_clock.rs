//! Search by the clock.

use std::time::{Duration, Instant};

use crate::games::Evaluator;

use super::clock::Allowance;
use super::limits::Limits;
use super::tree_search::Search;

/// A move with this share of the visits of the one to be played has enough of them to compete.
const RIVAL_SHARE: f32 = 0.25;

/// The time of a search by the clock: as planned, or longer while it hesitates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockPlan {
    /// The amount by which it grows.
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

    /// Allows more time if the search hesitates and more is left; otherwise returns false.
    pub fn extend(&mut self, search: &Search) -> bool {
        let extends = self.allowed < self.longest && search.hesitates();
        if extends {
            self.allowed = (self.allowed + self.soft).min(self.longest);
        }
        extends
    }
}

impl Search {
    /// Searches for the time of an allowance, on as many threads as there are evaluators: as planned, or longer
    /// while it hesitates. Stops when the result can be foreseen, and within all other limits. The clock runs
    /// from `since`. Returns the time allowed in the end.
    pub fn run_by_clock<E: Evaluator + Send>(
        &mut self,
        evaluators: &mut [E],
        allowance: Allowance,
        limits: &Limits,
        since: Instant,
    ) -> Duration {
        let mut plan = ClockPlan::new(allowance, limits.time);
        loop {
            let time = plan.allowed.saturating_sub(since.elapsed());
            self.run_on(evaluators, &Limits { time: Some(time), ..*limits }.stopping_early());
            if since.elapsed() < plan.allowed || !plan.extend(self) {
                return plan.allowed;
            }
        }
    }

    /// Whether another move has more visits than the one to be played, or enough visits and a better value.
    pub fn hesitates(&self) -> bool {
        let moves = self.root_moves();
        let Some((best, rivals)) = moves.split_first() else { return false };
        best.proven_in.is_none()
            && rivals.iter().filter(|rival| rival.proven_in.is_none()).any(|rival| {
                let competes = rival.visits as f32 >= RIVAL_SHARE * best.visits.max(1) as f32;
                rival.visits > best.visits || competes && rival.lower_bound > best.lower_bound
            })
    }
}
