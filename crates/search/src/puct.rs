//! PUCT, the formula that selects the next move to search, and the fast powers that it takes of priors.

use std::f32::consts::{LN_2, LOG2_E};

use serde::{Deserialize, Serialize};

use hexzero_games::Seat;

use super::settings::SettingsError;
use super::tree::{Edge, Node, Statistics};

/// A leaf being evaluated counts as a loss for the side to move at each node on its path, so that
/// other threads search elsewhere meanwhile (virtual loss, Chaslot, Winands and van den Herik
/// 2008).
const VIRTUAL_VALUE: f32 = -1.0;

/// The constants of PUCT:
///
/// `score(a) = Q(a) + c(N) · P(a) · √N / (1 + N(a))`, with `c(N) = init + ln((N + base + 1) / base)`
/// (Silver et al., *A general reinforcement learning algorithm*, 2018). A move that has no visits
/// takes as `Q` the parent's value less `fpu_reduction · √(Σ P of the visited moves)` (first-play
/// urgency as in KataGo and Leela).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Puct {
    /// The exploration constant at few visits.
    pub init: f32,
    /// How slowly exploration grows with the visits.
    pub base: f32,
    /// How far an unvisited move's value lies below its parent's (first-play urgency).
    pub fpu_reduction: f32,
    /// The cost of a draw to either player compared with half a point, from 0 to 1 on the scale
    /// where a loss is -1. Cachex has endless recaptures; without a penalty a player settles for
    /// them even if it could win.
    pub draw_penalty: f32,
    /// Prior temperature: each prior is raised to the power of its inverse. Above 1, unlikely moves
    /// are searched earlier.
    pub prior_temperature: f32,
}

impl Default for Puct {
    fn default() -> Self {
        Self { init: 1.25, base: 19652.0, fpu_reduction: 0.2, draw_penalty: 0.4, prior_temperature: 1.0 }
    }
}

/// Upper bound accepted for constants.
pub(super) const MAX_CONSTANT: f32 = 1e9;

/// Accepted prior temperatures: lower ones leave a single move, higher ones make all moves alike.
const TEMPERATURES: std::ops::RangeInclusive<f32> = 0.1..=100.0;

impl Puct {
    /// Only `c(N) = 1`, so that tests can be computed by hand.
    #[cfg(test)]
    pub(super) const PLAIN: Self =
        Self { init: 1.0, base: 1e9, fpu_reduction: 0.0, draw_penalty: 0.0, prior_temperature: 1.0 };

    /// Checks the constants.
    ///
    /// # Errors
    /// If one is invalid; the error says what is accepted.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let are_positive = [self.init, self.base].into_iter().all(|value| value > 0.0 && value <= MAX_CONSTANT);
        SettingsError::unless(are_positive, || format!("accepted: init and base above 0 and up to {MAX_CONSTANT}"))?;
        SettingsError::unless(TEMPERATURES.contains(&self.prior_temperature), || {
            let (low, high) = (TEMPERATURES.start(), TEMPERATURES.end());
            format!("prior_temperature = {}; accepted: {low} to {high}", self.prior_temperature)
        })?;
        let shares = [self.fpu_reduction, self.draw_penalty];
        SettingsError::unless(
            shares.iter().all(|share| (0.0..=1.0).contains(share)),
            || "accepted: fpu_reduction and draw_penalty from 0 to 1",
        )
    }

    /// Returns the mean value of visits from a player's point of view, with the draw penalty.
    #[inline]
    pub(super) fn mean(&self, statistics: &Statistics, player: Seat) -> f32 {
        let sum = player.sign() * statistics.value_sum - self.draw_penalty * statistics.draw_sum;
        sum / statistics.visits.max(1) as f32
    }

    /// Applies the prior temperature to the priors of a position's moves.
    pub(super) fn apply_prior_temperature(&self, priors: &mut [f32]) {
        apply_temperature(self.prior_temperature, priors);
    }

    /// Returns the exploration factor of a node: `c(N) · √N`.
    pub(super) fn exploration(&self, node: &Node) -> f32 {
        let visits = (node.statistics.visits + u32::from(node.in_flight)) as f32;
        (self.init + ((visits + self.base + 1.0) / self.base).ln()) * visits.max(1.0).sqrt()
    }

    /// Returns the index of the edge with the greatest score, ignoring proven losses.
    pub(super) fn choose(&self, node: &Node, edges: &[Edge]) -> usize {
        let player = node.to_move;
        let explore = self.exploration(node);
        let tried: f32 = edges.iter().filter(|edge| edge.statistics.visits > 0).map(|edge| edge.prior).sum();
        let untried = self.mean(&node.statistics, player) - self.fpu_reduction * tried.sqrt();
        let (mut best, mut best_score) = (0, f32::NEG_INFINITY);
        for (index, edge) in edges.iter().enumerate() {
            let begun = edge.begun();
            let score = if begun == 0 {
                untried + explore * edge.prior
            } else {
                let Statistics { value_sum, draw_sum, .. } = edge.statistics;
                let sum = player.sign() * value_sum - self.draw_penalty * draw_sum;
                let virtual_sum = VIRTUAL_VALUE * f32::from(edge.in_flight);
                (sum + virtual_sum) / begun as f32 + explore * edge.prior / (1.0 + begun as f32)
            };
            if score > best_score && edge.proof.rank(player) > 0 {
                (best, best_score) = (index, score);
            }
        }
        best
    }
}

/// Raises priors to the power of the inverse of a temperature, and normalises them.
pub(super) fn apply_temperature(temperature: f32, priors: &mut [f32]) {
    if temperature == 1.0 {
        return;
    }
    // Divide by the greatest prior, or at a low temperature all priors might underflow to zero.
    let greatest = priors.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    priors.iter_mut().for_each(|prior| *prior /= greatest);
    raise(priors, 1.0 / temperature);
    let sum: f32 = priors.iter().sum();
    priors.iter_mut().for_each(|prior| *prior /= sum);
}

/// Adding and subtracting this rounds a small number to an integer.
const ROUND: f32 = 12_582_912.0;

/// Raises values in [0, 1] to a power: a fast `powf` with a relative error below 1e-5. The standard
/// library's `powf` takes as long for the priors of one position as the rest of a visit does; this
/// is arithmetic that the compiler vectorises.
pub(super) fn raise(numbers: &mut [f32], exponent: f32) {
    for number in numbers {
        *number = exp2(exponent * log2(number.max(f32::MIN_POSITIVE)));
    }
}

/// Returns the base-2 logarithm: the binary exponent, plus for the mantissa `m` the series of
/// `ln m = 2 artanh((m - 1) / (m + 1))`.
#[inline]
fn log2(number: f32) -> f32 {
    let bits = number.to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let square = t * t;
    let series = 1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square / 9.0)));
    exponent as f32 + 2.0 * LOG2_E * t * series
}

/// Returns the power of two: the nearest integer power, times the series of the exponential for the
/// rest.
#[inline]
fn exp2(number: f32) -> f32 {
    let number = number.max(-126.0);
    let rounded = number + ROUND;
    let x = (number - (rounded - ROUND)) * LN_2;
    let series = 1.0 + x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0 * (1.0 + x / 5.0))));
    // The integer is in the last bits of the mantissa.
    let whole = rounded.to_bits().wrapping_sub(ROUND.to_bits());
    f32::from_bits(whole.wrapping_add(127) << 23) * series
}

#[cfg(test)]
mod tests {
    use crate::tree::{Proof, Tree};
    use hexzero_games::Action;

    use super::*;

    fn edge(prior: f32, visits: u32, value_sum: f32) -> Edge {
        let statistics = Statistics { visits, value_sum, square_sum: visits as f32, draw_sum: 0.0 };
        Edge { statistics, ..Edge::new(Action(0), prior) }
    }

    fn node(to_move: Seat, visits: u32, mean: f32) -> Node {
        let mut tree = Tree::default();
        tree.add(to_move, std::iter::empty());
        let value_sum = visits as f32 * mean;
        tree.nodes[0].statistics = Statistics { visits, value_sum, square_sum: visits as f32, draw_sum: 0.0 };
        tree.nodes.remove(0)
    }

    #[test]
    fn proven_loss_is_not_chosen() {
        let lost = Edge { proof: Proof::Win(Seat::Second), ..edge(0.9, 0, 0.0) };
        let choose = |player| Puct::PLAIN.choose(&node(player, 1, 0.0), &[lost, edge(0.1, 0, 0.0)]);
        assert_eq!((choose(Seat::First), choose(Seat::Second)), (1, 0));
    }

    #[test]
    fn scores_by_hand() {
        // N = 9, c = 1 + ln((9 + 1e9 + 1) / 1e9) = 1, so exploration is 3 · P / (1 + n).
        let [first, second] = [node(Seat::First, 9, 0.3), node(Seat::Second, 9, 0.3)];
        // 0.5 + 3 · 0.5 / 7 = 0.714; 0.0 + 3 · 0.3 / 4 = 0.225; 0.3 + 3 · 0.2 = 0.9 (untried).
        let edges = [edge(0.5, 6, 3.0), edge(0.3, 3, 0.0), edge(0.2, 0, 0.0)];
        assert_eq!(Puct::PLAIN.choose(&first, &edges), 2);
        // With a reduction of 0.5 · √0.8 = 0.447 the untried one falls to 0.453.
        let reduced = Puct { fpu_reduction: 0.5, ..Puct::PLAIN };
        assert_eq!(reduced.choose(&first, &edges), 0);
        // For the other player: -0.286, 0.225, -0.3 - 0.447 + 0.6.
        assert_eq!(reduced.choose(&second, &edges), 1);
        // Six draws in six visits cost half a point each: 0.5 - 0.5 + 0.214 against 0.225.
        let averse = Puct { draw_penalty: 0.5, ..reduced };
        let mut drawn = [edges[0], edges[1]];
        drawn[0].statistics.draw_sum = 6.0;
        assert_eq!((reduced.choose(&first, &drawn), averse.choose(&first, &drawn)), (0, 1));
    }

    #[test]
    fn visit_in_flight_counts_as_a_loss() {
        // 0.5 + 3 · 0.5 / 7 = 0.714 against 0.4 + 3 · 0.2 / 3 = 0.6; with one in flight N is 10 and the first
        // has (3 - 1) / 7 + 3.162 · 0.5 / 8 = 0.483.
        let mut edges = [edge(0.5, 6, 3.0), edge(0.2, 2, 0.8)];
        let mut node = node(Seat::First, 9, 0.3);
        assert_eq!(Puct::PLAIN.choose(&node, &edges), 0);
        (node.in_flight, edges[0].in_flight) = (1, 1);
        assert_eq!(Puct::PLAIN.choose(&node, &edges), 1);
    }

    #[test]
    fn temperatures_of_priors() {
        let flattened = |temperature: f32, mut priors: [f32; 3]| {
            Puct { prior_temperature: temperature, ..Puct::PLAIN }.apply_prior_temperature(&mut priors);
            priors
        };
        assert_eq!(flattened(1.0, [0.7, 0.2, 0.1]), [0.7, 0.2, 0.1]);
        // Square roots: 0.8, 0.4, 0.2 of 1.4.
        let [a, b, c] = flattened(2.0, [0.64, 0.16, 0.04]);
        assert!((a - 4.0 / 7.0).abs() < 1e-5 && (b - 2.0 / 7.0).abs() < 1e-5 && (c - 1.0 / 7.0).abs() < 1e-5);
        let [first, .., last] = flattened(0.1, [0.05, 0.03, 0.01]);
        assert!(first > 0.9 && last < 1e-5, "the likeliest remains, however small");
        assert!(Puct { prior_temperature: 1e-40, ..Puct::PLAIN }.validate().is_err());
    }

    #[test]
    fn powers_are_those_of_the_standard_library() {
        for exponent in [0.1f32, 0.5, 0.714, 1.0, 2.0] {
            for step in 0..=1000 {
                let number = (step as f32 / 1000.0).powi(4).max(1e-12);
                let mut raised = [number];
                raise(&mut raised, exponent);
                let expected = number.powf(exponent);
                assert!((raised[0] / expected - 1.0).abs() < 1e-5, "{number}^{exponent}: {} {expected}", raised[0]);
            }
        }
        let mut nothing = [0.0];
        raise(&mut nothing, 0.7);
        assert!(nothing[0] < 1e-20);
    }
}
