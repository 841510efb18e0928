//! Choice of the move after the search.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use hexzero_games::Seat;

use super::puct::Puct;
use super::settings::SettingsError;
use super::tree::{Edge, Node, Proof, Statistics, Tree};

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

    /// Returns the index in the tree of the edge to play at a node, or `None` without edges. Proofs
    /// come first: the shortest win, or, if all moves lose, the longest loss.
    pub(super) fn best(&self, puct: &Puct, tree: &Tree, node: &Node) -> Option<usize> {
        let player = node.to_move;
        let first = node.edges().max_by(|&a, &b| order(tree, a, b, player))?;
        let likeliest = &tree.edges[first];
        if self.deviations == 0.0 || likeliest.proof.rank(player) != 1 || likeliest.statistics.visits == 0 {
            return Some(first);
        }
        let most = node.edges().map(|edge| tree.edges[edge].statistics.visits).max().unwrap_or(0);
        node.edges()
            .filter(|&edge| {
                let Edge { proof, statistics, .. } = &tree.edges[edge];
                proof.rank(player) == 1
                    && statistics.visits > 0
                    && statistics.visits as f32 >= self.least_share * most as f32
            })
            .map(|edge| (edge, self.lower_bound(puct, &tree.edges[edge].statistics, player)))
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .map_or(Some(first), |(edge, _)| Some(edge))
    }
}

/// Compares two edges for a player: by proof, then visits, then prior, then index.
pub(super) fn order(tree: &Tree, first: usize, second: usize, player: Seat) -> Ordering {
    let (a, b) = (&tree.edges[first], &tree.edges[second]);
    let plies = |edge: &Edge| tree.nodes.get(edge.child as usize).map_or(0, |node| node.plies);
    let by_length = match (a.proof, b.proof) {
        (Proof::Win(winner), Proof::Win(other)) if winner == other && winner == player => plies(b).cmp(&plies(a)),
        (Proof::Win(winner), Proof::Win(other)) if winner == other => plies(a).cmp(&plies(b)),
        _ => Ordering::Equal,
    };
    let ranks = a.proof.rank(player).cmp(&b.proof.rank(player));
    let visits = a.statistics.visits.cmp(&b.statistics.visits);
    ranks.then(by_length).then(visits).then(a.prior.total_cmp(&b.prior)).then(second.cmp(&first))
}
