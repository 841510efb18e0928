//! Settings of a search, except its limits, and the choice of the move after it.

use std::cmp::Ordering;
use std::fmt::Display;

use rand::Rng;
use rand_distr::{Distribution, Gamma};
use serde::{Deserialize, Serialize};

use crate::puct::{MAX_CONSTANT, Puct};
use crate::statistics::{Proof, Statistics};
use crate::tree::Node;
use hexzero_games::{Action, EndgameSolver, Position, Seat, SolvedBoard};

/// Settings of a search, except its limits ([`super::Limits`]). The defaults are the strongest
/// known; docs/results/matches.md lists the matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchSettings {
    /// Selection at every node.
    pub puct: Puct,
    /// The rule for the final move.
    pub choice: FinalChoice,
    /// Which positions are proven without search.
    pub exact: Exact,
    /// Whether a position that occurs again within the tree counts as a draw at once, long before the
    /// rules end the game (two-fold draws in Leela Chess Zero).
    pub repetitions_draw: bool,
    /// Whether transpositions share their statistics, in games where the order of moves does not matter
    /// ([`GameInfo::order_is_free`](hexzero_games::GameInfo::order_is_free)).
    pub transpositions: bool,
}

/// The positions whose results a search takes from the game's solvers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Exact {
    /// No positions.
    Off,
    /// Endgame positions, in games that can solve them
    /// ([`Rules::endgame_solver`](hexzero_games::Rules::endgame_solver)).
    #[default]
    Ends,
    /// All positions of a board that the game's solver accepts
    /// ([`SolvedBoard`](hexzero_games::SolvedBoard)), otherwise endgame positions. The first
    /// [`Search::new`](super::Search::new) on a board takes the seconds that solving it needs.
    Board,
}

impl Exact {
    /// Returns a solver for the positions that follow from this one, if there is one.
    pub(super) fn solver(self, position: &Position) -> Option<Box<dyn EndgameSolver>> {
        match self {
            Self::Off => None,
            Self::Ends => position.endgame_solver(),
            Self::Board => SolvedBoard::of(position)
                .map(|board| -> Box<dyn EndgameSolver> { Box::new(board) })
                .or_else(|| position.endgame_solver()),
        }
    }
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            puct: Puct { prior_temperature: 1.4, ..Puct::default() },
            choice: FinalChoice::default(),
            exact: Exact::default(),
            repetitions_draw: true,
            transpositions: true,
        }
    }
}

impl From<Puct> for SearchSettings {
    /// Returns a plain search with these constants, without endgame solver, which plays the most
    /// visited move.
    fn from(puct: Puct) -> Self {
        Self {
            puct,
            choice: FinalChoice::MOST_VISITED,
            exact: Exact::Off,
            repetitions_draw: false,
            transpositions: false,
        }
    }
}

impl SearchSettings {
    /// Checks the constants.
    ///
    /// # Errors
    /// If one is invalid; the error says what is accepted.
    pub fn validate(&self) -> Result<(), SettingsError> {
        self.puct.validate()?;
        self.choice.validate()
    }
}

/// An invalid setting: its key and value, and what is accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SettingsError(String);

impl SettingsError {
    /// Returns the error with this message unless a setting is valid.
    ///
    /// # Errors
    /// If `is_valid` is false.
    pub fn unless<M: Into<String>>(is_valid: bool, message: impl FnOnce() -> M) -> Result<(), Self> {
        if is_valid { Ok(()) } else { Err(Self(message().into())) }
    }

    /// Checks the value of a setting. The message names both and says what is `accepted`.
    ///
    /// # Errors
    /// If `is_valid` is false.
    pub fn check(name: &str, value: impl Display, is_valid: bool, accepted: impl Display) -> Result<(), Self> {
        Self::unless(is_valid, || format!("{name} = {value}; accepted: {accepted}"))
    }

    /// Puts the name of the table that holds the setting before the message.
    pub fn within(self, table: &str) -> Self {
        Self(format!("{table}: {self}"))
    }
}

/// Exploration at the root of a training search: Dirichlet noise mixed into the priors (Silver et al. 2017), and forced
/// playouts (Wu 2019).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RootNoise {
    /// Total concentration, divided among the legal moves: each has `concentration / moves`.
    /// AlphaZero's 0.03 for Go is about 10.8 in this form, which KataGo uses.
    pub concentration: f32,
    /// The weight of the noise in the mixture, from 0 to 1.
    pub fraction: f32,
    /// Each visited move of the root gets at least `√(forced_playouts · prior · visits)` visits; those it would not
    /// have received otherwise are left out of the policy target (Wu 2019). 0 turns this off.
    pub forced_playouts: f32,
}

impl Default for RootNoise {
    fn default() -> Self {
        Self { concentration: 8.0, fraction: 0.25, forced_playouts: 2.0 }
    }
}

impl RootNoise {
    /// Checks the constants.
    ///
    /// # Errors
    /// If one is invalid; the error says what is accepted.
    pub fn validate(&self) -> Result<(), SettingsError> {
        SettingsError::unless(
            (0.0..=1.0).contains(&self.fraction) && self.concentration > 0.0 && self.concentration <= MAX_CONSTANT,
            || "accepted: concentration above 0, fraction 0 to 1",
        )?;
        let forced = self.forced_playouts;
        SettingsError::check("forced_playouts", forced, (0.0..=100.0).contains(&forced), "0 to 100")
    }

    /// Draws from the symmetric Dirichlet distribution over `moves` moves.
    pub(super) fn draw(&self, moves: usize, rng: &mut impl Rng) -> Vec<f32> {
        let alpha = (self.concentration / moves as f32).max(1e-3);
        let Ok(gamma) = Gamma::new(alpha, 1.0) else {
            return vec![1.0 / moves as f32; moves];
        };
        let mut noise: Vec<f32> = (0..moves).map(|_| gamma.sample(rng)).collect();
        let sum: f32 = noise.iter().sum();
        if sum > 0.0 {
            noise.iter_mut().for_each(|share| *share /= sum);
        } else {
            noise.fill(1.0 / moves as f32);
        }
        noise
    }
}

/// Variance of the prior on a move's value, and the weight of that prior in visits.
const PRIOR_VARIANCE: f32 = 0.16;
const PRIOR_VISITS: f32 = 2.0;

/// The rule for the final move: among the moves with enough of the most visited move's visits, play
/// the one with the greatest lower confidence bound of its value (as in KataGo and Leela Zero).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FinalChoice {
    /// Standard errors between the mean and the bound. 0 chooses the most visited move.
    pub deviations: f32,
    /// The share of the most visited move's visits that a move needs.
    pub least_share: f32,
}

impl Default for FinalChoice {
    fn default() -> Self {
        Self { deviations: 2.5, least_share: 0.15 }
    }
}

impl FinalChoice {
    /// Chooses the most visited move.
    pub const MOST_VISITED: Self = Self { deviations: 0.0, least_share: 1.0 };

    /// Checks the constants.
    ///
    /// # Errors
    /// If one is invalid; the error says what is accepted.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let are_valid = (0.0..=100.0).contains(&self.deviations) && (0.0..=1.0).contains(&self.least_share);
        SettingsError::unless(are_valid, || "accepted: deviations from 0 to 100 and least_share from 0 to 1")
    }

    /// Returns the lower confidence bound of a value, from a player's point of view.
    pub(super) fn lower_bound(&self, puct: &Puct, statistics: &Statistics, player: Seat) -> f32 {
        let error = (statistics.variance(PRIOR_VARIANCE, PRIOR_VISITS) / statistics.visits.max(1) as f32).sqrt();
        puct.mean(statistics, player) - self.deviations * error
    }

    /// Returns the move to play at a node with these children, or `None` without moves. Proofs come
    /// first: the shortest win, or, if all moves lose, the longest loss.
    pub(super) fn best(&self, puct: &Puct, node: &Node, children: &[Node]) -> Option<Action> {
        let player = node.to_move;
        // Of the moves without a node, only the likeliest can be the best.
        let next = node.next.map(Node::new);
        let first = children.iter().chain(&next).max_by(|a, b| order(a, b, player))?;
        if self.deviations == 0.0 || first.proof.rank(player) != 1 || first.statistics.visits == 0 {
            return Some(first.led_by.action());
        }
        let most = children.iter().map(|child| child.statistics.visits).max().unwrap_or(0);
        let is_candidate = |child: &&Node| {
            let visits = child.statistics.visits;
            child.proof.rank(player) == 1 && visits > 0 && visits as f32 >= self.least_share * most as f32
        };
        let candidates = children.iter().filter(is_candidate);
        let bounds = candidates.map(|child| (self.lower_bound(puct, &child.statistics, player), child.led_by.action()));
        let best = bounds.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        best.map(|(_, action)| action).or(Some(first.led_by.action()))
    }
}

/// Compares two children of a node for a player: by proof, then visits, then prior, then action.
pub(super) fn order(a: &Node, b: &Node, player: Seat) -> Ordering {
    let by_length = match (a.proof, b.proof) {
        (Proof::Win(winner), Proof::Win(other)) if winner == other && winner == player => b.plies.cmp(&a.plies),
        (Proof::Win(winner), Proof::Win(other)) if winner == other => a.plies.cmp(&b.plies),
        _ => Ordering::Equal,
    };
    let ranks = a.proof.rank(player).cmp(&b.proof.rank(player));
    let visits = a.statistics.visits.cmp(&b.statistics.visits);
    ranks.then(by_length).then(visits).then(a.led_by.cmp(&b.led_by))
}
