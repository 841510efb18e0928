//! Statistics of visits, and proven results.

use hexzero_games::{Seat, WinDrawLoss};

/// Sums over visits, all from the *first* player's point of view: values belong to players, not to
/// plies.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Statistics {
    pub visits: u32,
    /// Sum of the squared deviations of the values from their mean (Welford 1962), which single
    /// precision can hold: unlike a sum of squares it has no large part that cancels.
    pub deviations: f32,
    /// Sum of the values. Sums in single precision would drift beyond a million visits.
    pub value_sum: f64,
    /// Sum of the probabilities of a draw.
    pub draw_sum: f64,
}

impl Statistics {
    /// Adds a visit that ended in a position where the first player has these chances.
    pub fn add(&mut self, outcome: WinDrawLoss) {
        let value = f64::from(outcome.value());
        let before = self.mean(self.value_sum);
        self.visits += 1;
        self.value_sum += value;
        self.draw_sum += f64::from(outcome.draw);
        self.deviations += ((value - before) * (value - self.mean(self.value_sum))) as f32;
    }

    fn mean(&self, sum: f64) -> f64 {
        sum / f64::from(self.visits.max(1))
    }

    /// Returns the mean of the visits from the first player's point of view.
    pub fn outcome(&self) -> WinDrawLoss {
        if self.visits == 0 {
            return WinDrawLoss::EVEN;
        }
        let (value, draw) = (self.mean(self.value_sum) as f32, self.mean(self.draw_sum) as f32);
        WinDrawLoss { win: (1.0 - draw + value) / 2.0, draw, loss: (1.0 - draw - value) / 2.0 }
    }

    /// Returns the variance of the visits' values around their mean, with a prior of `weight`
    /// visits of variance `prior`.
    pub fn variance(&self, prior: f32, weight: f32) -> f32 {
        (self.deviations + prior * weight) / (self.visits as f32 + weight)
    }

    /// Returns the statistics of fewer visits with the same mean and variance.
    pub fn of_fewer(self, visits: u32) -> Self {
        let share = f64::from(visits) / f64::from(self.visits.max(1));
        let (value_sum, draw_sum) = (self.value_sum * share, self.draw_sum * share);
        Self { visits, deviations: self.deviations * share as f32, value_sum, draw_sum }
    }

    /// Returns the statistics of visits with these values.
    #[cfg(test)]
    pub fn of(values: impl IntoIterator<Item = f32>) -> Self {
        let mut statistics = Self::default();
        for value in values {
            statistics.add(WinDrawLoss { win: (1.0 + value) / 2.0, draw: 0.0, loss: (1.0 - value) / 2.0 });
        }
        statistics
    }
}

/// The proven result of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    Unknown,
    Win(Seat),
    Draw,
}

impl Proof {
    /// Converts a winner, or `None` for a draw, to a proof.
    pub fn of(winner: Option<Seat>) -> Self {
        winner.map_or(Self::Draw, Self::Win)
    }

    /// Ranks the proof for a player: 2 for a win, 0 for a loss, 1 otherwise.
    #[inline]
    pub fn rank(self, player: Seat) -> u8 {
        match self {
            Self::Win(winner) if winner == player => 2,
            Self::Win(_) => 0,
            Self::Draw | Self::Unknown => 1,
        }
    }

    /// Returns the first player's chances, which are certain, or `None` if nothing is proven.
    pub fn outcome(self) -> Option<WinDrawLoss> {
        match self {
            Self::Unknown => None,
            Self::Draw => Some(WinDrawLoss::DRAW),
            Self::Win(winner) => Some(WinDrawLoss::certain(winner.sign())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variance_by_hand() {
        // Values 1, 1, -1: the mean is 1/3, and the squared deviations sum to 4/9 + 4/9 + 16/9 =
        // 8/3.
        let statistics = Statistics::of([1.0, 1.0, -1.0]);
        assert!((statistics.variance(0.0, 0.0) - 8.0 / 9.0).abs() < 1e-6);
        // With a prior of two visits of variance 0.5: (8/3 + 1) / 5.
        assert!((statistics.variance(0.5, 2.0) - 11.0 / 15.0).abs() < 1e-6);
    }

    #[test]
    fn sums_of_many_visits_do_not_drift() {
        // Half the values are 0.98, half 0.96: in single precision the mean of 3,000,000 would be
        // 0.99.
        let statistics = Statistics::of((0..3_000_000).map(|visit| if visit % 2 == 0 { 0.98 } else { 0.96 }));
        let deviation = statistics.variance(0.0, 0.0).sqrt();
        assert!((statistics.outcome().value() - 0.97).abs() < 1e-6, "{:?}", statistics.outcome());
        assert!((deviation - 0.01).abs() < 2e-4, "{deviation}");
        let fewer = statistics.of_fewer(1000);
        assert_eq!((fewer.visits, fewer.outcome()), (1000, statistics.outcome()));
    }
}
