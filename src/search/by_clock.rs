//! Searching by the clock.

use std::time::{Duration, Instant};

use crate::games::Evaluator;

use super::clock::Allowance;
use super::limits::Limits;
use super::tree_search::Search;

/// A move with this share of the visits of the one to be played has been looked at closely enough to compete.
const RIVAL_SHARE: f32 = 0.25;

/// How long a search by the clock is to take: as planned, or longer while it hesitates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockPlan {
    /// By so much it grows.
    soft: Duration,
    longest: Duration,
    allowed: Duration,
}

impl ClockPlan {
    /// The plan that an allowance makes, within a limit if there is one.
    pub fn new(allowance: Allowance, limit: Option<Duration>) -> Self {
        let longest = allowance.hard.min(limit.unwrap_or(Duration::MAX));
        Self { soft: allowance.soft, longest, allowed: allowance.soft.min(longest) }
    }

    /// The time that is allowed so far.
    pub fn allowed(&self) -> Duration {
        self.allowed
    }

    /// Allows more time if the search hesitates and there is more to be had. False if there is not.
    pub fn extend(&mut self, search: &Search) -> bool {
        let extends = self.allowed < self.longest && search.hesitates();
        if extends {
            self.allowed = (self.allowed + self.soft).min(self.longest);
        }
        extends
    }
}

impl Search {
    /// Searches as long as an allowance says, on as many threads as there are evaluators: as planned, or longer
    /// while it hesitates. Stops when the result can be foreseen, and within all other limits. The clock runs
    /// from `since`. Gives the time that was allowed in the end.
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

    /// Whether another move has more visits than the one to be played, or enough of them and a better value.
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
