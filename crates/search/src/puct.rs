//! PUCT, the formula that selects the next move to search, and the fast powers that it takes of priors.

use std::f32::consts::{LN_2, LOG2_E};

use serde::{Deserialize, Serialize};

use hexzero_games::Seat;

use super::moves::Move;
use super::settings::SettingsError;
use super::statistics::Statistics;
use super::transpositions::Transpositions;
use super::tree::Node;

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
        let (temperature, low, high) = (self.prior_temperature, TEMPERATURES.start(), TEMPERATURES.end());
        let is_accepted = TEMPERATURES.contains(&temperature);
        SettingsError::check("prior_temperature", temperature, is_accepted, format_args!("{low} to {high}"))?;
        let shares = [self.fpu_reduction, self.draw_penalty];
        SettingsError::unless(
            shares.iter().all(|share| (0.0..=1.0).contains(share)),
            || "accepted: fpu_reduction and draw_penalty from 0 to 1",
        )
    }

    /// Returns the mean value of visits from a player's point of view, with the draw penalty.
    pub(super) fn mean(&self, statistics: &Statistics, player: Seat) -> f32 {
        let sum = f64::from(player.sign()) * statistics.value_sum - f64::from(self.draw_penalty) * statistics.draw_sum;
        (sum / f64::from(statistics.visits.max(1))) as f32
    }

    /// Applies the prior temperature to the priors of a position's moves.
    pub(super) fn apply_prior_temperature(&self, priors: &mut [f32]) {
        if self.prior_temperature == 1.0 {
            return;
        }
        // Divide by the greatest prior, or at a low temperature all priors might underflow to zero.
        let greatest = priors.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        priors.iter_mut().for_each(|prior| *prior /= greatest);
        raise(priors, 1.0 / self.prior_temperature);
        let sum: f32 = priors.iter().sum();
        priors.iter_mut().for_each(|prior| *prior /= sum);
    }

    /// Returns the exploration factor of a node with this many visits: `c(N) · √N`.
    pub(super) fn exploration(&self, visits: u32) -> f32 {
        let visits = visits as f32;
        (self.init + ((visits + self.base + 1.0) / self.base).ln()) * visits.max(1.0).sqrt()
    }

    /// Returns the place of the child with the greatest score, ignoring proven losses; the place
    /// after the last child stands for the likeliest move without a node. Of equal scores the
    /// lowest action's counts.
    pub(super) fn choose(&self, node: &Node, children: &[Node], transpositions: &Transpositions) -> usize {
        let player = node.to_move;
        // The node's own evaluation is a visit, too. After pruning its statistics have more visits than this.
        let (mut begun, mut tried) = (1, 0.0);
        for child in children {
            begun += child.begun();
            tried += if child.statistics.visits > 0 { child.led_by.prior() } else { 0.0 };
        }
        let explore = self.exploration(begun);
        let untried = self.mean(&node.statistics, player) - self.fpu_reduction * tried.sqrt();
        let (mut best, mut best_score, mut best_move) = (0, f32::NEG_INFINITY, None);
        let mut consider = |place, score, led_by: Move| {
            if score > best_score || score == best_score && best_move.is_none_or(|best| led_by.action() < best) {
                (best, best_score, best_move) = (place, score, Some(led_by.action()));
            }
        };
        for (place, child) in children.iter().enumerate() {
            if child.proof.rank(player) == 0 {
                continue;
            }
            let (begun, prior) = (child.begun() as f32, child.led_by.prior());
            let score = if begun == 0.0 {
                untried + explore * prior
            } else {
                let all = transpositions.of(child).unwrap_or(&child.statistics);
                let sum = self.mean(all, player) * child.statistics.visits as f32;
                (sum + VIRTUAL_VALUE * f32::from(child.in_flight)) / begun + explore * prior / (1.0 + begun)
            };
            consider(place, score, child.led_by);
        }
        if let Some(next) = node.next {
            consider(children.len(), untried + explore * next.prior(), next);
        }
        best
    }
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
    use crate::statistics::Proof;
    use hexzero_games::Action;

    use super::*;

    /// Returns a node after a move with this prior, after visits with these values.
    fn node(prior: f32, values: &[f32]) -> Node {
        let mut node = Node::new(Move::new(Action(0), prior));
        node.statistics = Statistics::of(values.iter().copied());
        node
    }

    fn chosen(puct: Puct, player: Seat, parent: &Node, children: &[Node]) -> usize {
        let mut parent = parent.clone();
        parent.to_move = player;
        puct.choose(&parent, children, &Transpositions::default())
    }

    #[test]
    fn proven_loss_is_not_chosen() {
        let mut lost = node(0.875, &[]);
        lost.proof = Proof::Win(Seat::Second);
        let children = [lost, node(0.125, &[])];
        let choose = |player| chosen(Puct::PLAIN, player, &node(1.0, &[0.0]), &children);
        assert_eq!((choose(Seat::First), choose(Seat::Second)), (1, 0));
    }

    #[test]
    fn scores_by_hand() {
        // N = 9, c = 1 + ln((9 + 1e9 + 1) / 1e9) = 1, so exploration is 3 · P / (1 + n).
        let mut parent = node(1.0, &[0.3; 9]);
        parent.next = Some(Move::new(Action(2), 0.2));
        // 0.5 + 3 · 0.5 / 6 = 0.75; 0.0 + 3 · 0.3 / 4 = 0.225; 0.3 + 3 · 0.2 = 0.9 (untried).
        let children = [node(0.5, &[0.5; 5]), node(0.3, &[0.0; 3])];
        assert_eq!(chosen(Puct::PLAIN, Seat::First, &parent, &children), 2);
        // With a reduction of 0.5 · √0.8 = 0.447 the untried one falls to 0.453.
        let reduced = Puct { fpu_reduction: 0.5, ..Puct::PLAIN };
        assert_eq!(chosen(reduced, Seat::First, &parent, &children), 0);
        // For the other player: -0.25, 0.225, -0.3 - 0.447 + 0.6.
        assert_eq!(chosen(reduced, Seat::Second, &parent, &children), 1);
        // Five draws in five visits cost half a point each: 0.5 - 0.5 + 0.214 against 0.225.
        let averse = Puct { draw_penalty: 0.55, ..reduced };
        let mut drawn = children;
        drawn[0].statistics.draw_sum = 5.0;
        parent.next = None;
        let choose = |puct| chosen(puct, Seat::First, &parent, &drawn);
        assert_eq!((choose(reduced), choose(averse)), (0, 1));
    }

    #[test]
    fn visit_in_flight_counts_as_a_loss() {
        // 0.5 + 3 · 0.5 / 7 = 0.714 against 0.4 + 3 · 0.2 / 3 = 0.6; with one in flight N is 10 and the first
        // has (3 - 1) / 7 + 3.162 · 0.5 / 8 = 0.483.
        let mut children = [node(0.5, &[0.5; 6]), node(0.2, &[0.4; 2])];
        let parent = node(1.0, &[0.3; 9]);
        assert_eq!(chosen(Puct::PLAIN, Seat::First, &parent, &children), 0);
        children[0].in_flight = 1;
        assert_eq!(chosen(Puct::PLAIN, Seat::First, &parent, &children), 1);
    }

    #[test]
    fn lowest_action_wins_a_tie() {
        let mut parent = node(1.0, &[0.0; 3]);
        let mut children = [node(0.25, &[0.0]), node(0.25, &[0.0])];
        children[0].led_by = Move::new(Action(7), 0.25);
        children[1].led_by = Move::new(Action(4), 0.25);
        assert_eq!(chosen(Puct::PLAIN, Seat::First, &parent, &children), 1);
        // Untried moves have twice the exploration at half the prior.
        parent.next = Some(Move::new(Action(5), 0.125));
        assert_eq!(chosen(Puct::PLAIN, Seat::First, &parent, &children), 1);
        parent.next = Some(Move::new(Action(3), 0.125));
        assert_eq!(chosen(Puct::PLAIN, Seat::First, &parent, &children), 2);
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
