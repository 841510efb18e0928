//! The formula that chooses which move to look at next.

use serde::{Deserialize, Serialize};

use crate::games::Player;

use super::tree::Edge;

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
    /// How much worse than its parent an untried move is taken to be.
    pub fpu_reduction: f32,
    /// How much worse than half a point a draw is to either player, from 0 to 1 on the scale where a
    /// loss is -1. Cachex has endless recaptures; a player to whom they cost nothing is content with
    /// them even where it could win.
    pub draw_penalty: f32,
}

impl Default for Puct {
    fn default() -> Self {
        Self { init: 1.25, base: 19652.0, fpu_reduction: 0.2, draw_penalty: 0.4 }
    }
}

impl Puct {
    /// The mean value to a player, with `sign` 1 for the first and -1 for the second, of visits whose
    /// values to the first player and chances of a draw have these sums.
    #[inline]
    pub(super) fn mean(&self, value_sum: f32, draw_sum: f32, visits: u32, sign: f32) -> f32 {
        (sign * value_sum - self.draw_penalty * draw_sum) / visits.max(1) as f32
    }

    /// The index of the edge with the greatest score, those that are proven to lose left out. `value` is
    /// the node's mean value to `player`, who is to move there.
    pub(super) fn choose(&self, edges: &[Edge], visits: u32, value: f32, player: Player) -> usize {
        let sign = player.sign();
        let parent = visits as f32;
        let explore = (self.init + ((parent + self.base + 1.0) / self.base).ln()) * parent.max(1.0).sqrt();
        let tried: f32 = edges.iter().filter(|edge| edge.visits > 0).map(|edge| edge.prior).sum();
        let untried = value - self.fpu_reduction * tried.sqrt();
        let (mut best, mut best_score) = (0, f32::NEG_INFINITY);
        for (index, edge) in edges.iter().enumerate() {
            let score = if edge.visits == 0 {
                untried + explore * edge.prior
            } else {
                let q = self.mean(edge.value_sum, edge.draw_sum, edge.visits, sign);
                q + explore * edge.prior / (1.0 + edge.visits as f32)
            };
            if score > best_score && edge.proof.rank(player) > 0 {
                (best, best_score) = (index, score);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::Proof;
    use super::*;
    use crate::games::Action;

    fn edge(prior: f32, visits: u32, value_sum: f32) -> Edge {
        Edge { prior, visits, value_sum, ..Edge::new(Action(0), prior) }
    }

    #[test]
    fn a_move_that_is_proven_to_lose_is_left_out() {
        let lost = Edge { proof: Proof::Win(Player::Second), ..edge(0.9, 0, 0.0) };
        assert_eq!(Puct::default().choose(&[lost, edge(0.1, 0, 0.0)], 1, 0.0, Player::First), 1);
        assert_eq!(Puct::default().choose(&[lost, edge(0.1, 0, 0.0)], 1, 0.0, Player::Second), 0);
    }

    #[test]
    fn scores_by_hand() {
        // N = 9, c = 1 + ln((9 + 1e9 + 1) / 1e9) = 1, so exploration is 3 · P / (1 + n).
        let puct = Puct { init: 1.0, base: 1e9, fpu_reduction: 0.0, draw_penalty: 0.0 };
        // 0.5 + 3 · 0.5 / 7 = 0.714; 0.0 + 3 · 0.3 / 4 = 0.225; 0.3 + 3 · 0.2 = 0.9 (untried).
        let edges = [edge(0.5, 6, 3.0), edge(0.3, 3, 0.0), edge(0.2, 0, 0.0)];
        assert_eq!(puct.choose(&edges, 9, 0.3, Player::First), 2);
        // With a reduction of 0.5 · √0.8 = 0.447 the untried one falls to 0.453.
        let reduced = Puct { fpu_reduction: 0.5, ..puct };
        assert_eq!(reduced.choose(&edges, 9, 0.3, Player::First), 0);
        // For the other player: -0.286, 0.225, 0.9 - 0.447.
        assert_eq!(reduced.choose(&edges, 9, 0.3, Player::Second), 2);
        assert_eq!(reduced.choose(&edges[..2], 9, 0.3, Player::Second), 1);
        // Six draws of six cost half a point each: 0.5 - 0.5 + 0.214 against 0.225.
        let averse = Puct { draw_penalty: 0.5, ..reduced };
        let drawn = [Edge { draw_sum: 6.0, ..edges[0] }, edges[1]];
        assert_eq!(
            (reduced.choose(&drawn, 9, 0.3, Player::First), averse.choose(&drawn, 9, 0.3, Player::First)),
            (0, 1)
        );
    }
}
