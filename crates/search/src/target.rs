//! Policy targets: the policy to learn at the root, and the visits forced for it.

use hexzero_games::Action;

use super::findings::RootMove;
use super::gumbel::improved_policy;
use super::settings::RootMethod;
use super::tree::{Edge, Proof};
use super::tree_search::Search;

/// The scale of the probabilities of an improved policy, because targets are integers, as visits
/// are.
const UNITS: f32 = 10_000.0;

/// Returns `√(k · P · N)`, below which a visited edge gets the next visit (Wu 2019).
fn forced_visits(k: f32, edge: &Edge, visits: u32) -> f32 {
    (k * edge.prior * visits as f32).sqrt()
}

impl Search {
    /// Returns a visited move at the root that has fewer visits than its forced minimum.
    pub(super) fn forced_playout(&self) -> Option<usize> {
        let k = self.settings.root.forced_playouts;
        if k <= 0.0 {
            return None;
        }
        let root = &self.tree.nodes[0];
        self.tree.edges_of(0).iter().position(|edge| {
            edge.begun() > 0
                && edge.proof.rank(root.to_move) > 0
                && (edge.begun() as f32) < forced_visits(k, edge, root.statistics.visits)
        })
    }

    /// Returns the policy target of a search of the root: moves with weights. A proven win is the
    /// whole target; proven losses are left out unless all moves lose. Otherwise the target of a
    /// Gumbel root is its improved policy, and that of PUCT its visits, less those due only to the
    /// forced playouts of a noisy root.
    pub fn policy_target(&self) -> Vec<(Action, u32)> {
        let mut moves = self.root_moves();
        match moves.first() {
            None => return Vec::new(),
            Some(best) if best.is_proven_win() => return vec![(best.action, 1)],
            Some(best) if best.is_proven_loss() => {}
            Some(_) => moves.retain(|candidate| !candidate.is_proven_loss()),
        }
        let mut weights: Vec<u32> = match self.settings.root.method {
            RootMethod::Gumbel => self.improved_weights(&moves),
            RootMethod::Puct => moves.iter().map(|candidate| self.unforced_visits(candidate, &moves)).collect(),
        };
        if moves[0].proven_in.is_some() && weights.iter().all(|&weight| weight == 0) {
            // All were proven without a visit, so they are equally good.
            weights.fill(1);
        }
        moves.iter().zip(weights).filter(|&(_, weight)| weight > 0).map(|(m, weight)| (m.action, weight)).collect()
    }

    fn improved_weights(&self, moves: &[RootMove]) -> Vec<u32> {
        let edges = self.tree.edges_of(0);
        let policy = improved_policy(&self.settings.root, &self.settings.puct, &self.tree.nodes[0], edges);
        let share = |action| edges.iter().position(|edge| edge.action == action).map_or(0.0, |index| policy[index]);
        let shares: Vec<f32> = moves.iter().map(|candidate| share(candidate.action)).collect();
        // The share of the moves left out is redistributed to the others.
        let sum: f32 = shares.iter().sum();
        shares.iter().map(|share| (UNITS * share / sum.max(f32::MIN_POSITIVE)).round() as u32).collect()
    }

    /// Returns the visits of a move less the forced ones: as few as would have kept its score below
    /// that of the most visited move, and none if only one would remain (policy target pruning, Wu
    /// 2019).
    fn unforced_visits(&self, candidate: &RootMove, moves: &[RootMove]) -> u32 {
        let k = self.settings.root.forced_playouts;
        let most = moves.iter().max_by_key(|candidate| candidate.visits);
        let (Some(most), true) = (most, self.noisy && k > 0.0) else { return candidate.visits };
        if most.action == candidate.action || candidate.visits == 0 {
            return candidate.visits;
        }
        let (root, edges) = (&self.tree.nodes[0], self.tree.edges_of(0));
        let edge = |action| edges.iter().find(|edge| edge.action == action && edge.proof == Proof::Unknown);
        let (Some(best), Some(edge)) = (edge(most.action), edge(candidate.action)) else { return candidate.visits };
        let puct = &self.settings.puct;
        let explore = puct.exploration(root);
        let value = |edge: &Edge| puct.mean(&edge.statistics, root.to_move);
        let best_score = value(best) + explore * best.prior / (1.0 + best.statistics.visits as f32);
        let gap = best_score - value(edge);
        let enough = if gap > 0.0 { (explore * edge.prior / gap - 1.0).ceil().max(0.0) } else { f32::INFINITY };
        let forced = forced_visits(k, edge, root.statistics.visits).floor() as u32;
        let kept = candidate.visits.saturating_sub(forced).max((enough as u32).min(candidate.visits));
        if kept > 1 { kept } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::puct::Puct;
    use super::super::settings::{RootPolicy, SearchSettings};
    use super::super::tree::Statistics;
    use super::*;
    use hexzero_games::{Seat, default_game};

    /// Returns a root of 81 visits whose moves have these priors, visits and mean values.
    fn searched(moves: &[(f32, u32, f32)], forced_playouts: f32) -> Search {
        let root = RootPolicy { forced_playouts, ..RootPolicy::default() };
        // Exploration is exactly √N.
        let puct = Puct { init: 1.0, base: 1e9, draw_penalty: 0.0, ..Puct::default() };
        let mut search =
            Search::new(default_game().start(5).unwrap(), SearchSettings { puct, root, ..Default::default() });
        let edges = moves.iter().enumerate().map(|(action, &(prior, visits, mean))| {
            let value_sum = visits as f32 * mean;
            let statistics = Statistics { visits, value_sum, square_sum: visits as f32, draw_sum: 0.0 };
            Edge { statistics, ..Edge::new(Action(action as u16), prior) }
        });
        search.tree.add(Seat::First, edges);
        search.tree.nodes[0].statistics.visits = 81;
        search
    }

    fn target(search: &Search) -> Vec<(u16, u32)> {
        let mut target: Vec<_> =
            search.policy_target().into_iter().map(|(action, weight)| (action.0, weight)).collect();
        target.sort_unstable();
        target
    }

    #[test]
    fn forced_visits_are_not_learnt() {
        // The best move's score is 0.5 + 9 · 0.5 / 57 = 0.579, so the gap to a value of -0.5 is
        // 1.079. Second move: forced √(2 · 0.3 · 81) = 6.97, so 20 - 6 are left, more than the 9 ·
        // 0.3 / 1.079 - 1 = 1.50 that keep its score below the best. Third: √(2 · 0.15 · 81) = 4.93
        // of its 4, and 0.25 more than none would suffice; a single visit counts as none.
        let moves = [(0.5, 56, 0.5), (0.3, 20, -0.5), (0.15, 4, -0.5), (0.05, 0, 0.0)];
        let mut search = searched(&moves, 2.0);
        assert_eq!(target(&search), [(0, 56), (1, 20), (2, 4)], "without noise nothing was forced");
        search.noisy = true;
        assert_eq!(target(&search), [(0, 56), (1, 14)]);
        let mut unforced = searched(&moves, 0.0);
        unforced.noisy = true;
        assert_eq!(target(&unforced), [(0, 56), (1, 20), (2, 4)]);
    }

    #[test]
    fn move_is_forced_until_it_has_its_share() {
        // √(2 · 0.3 · 81) = 6.97.
        assert_eq!(searched(&[(0.5, 56, 0.5), (0.3, 6, -0.5)], 2.0).forced_playout(), Some(1));
        assert_eq!(searched(&[(0.5, 56, 0.5), (0.3, 7, -0.5)], 2.0).forced_playout(), None);
        assert_eq!(searched(&[(0.5, 56, 0.5), (0.3, 0, 0.0)], 2.0).forced_playout(), None, "never looked at");
    }

    #[test]
    fn gumbel_root_teaches_every_move() {
        let mut search = searched(&[(0.5, 56, 0.5), (0.3, 20, -0.5), (0.2, 0, 0.0)], 0.0);
        search.settings.root = RootPolicy { method: RootMethod::Gumbel, value_scale: 0.01, ..RootPolicy::default() };
        let target = target(&search);
        assert_eq!(target.len(), 3);
        assert!(target[0].1 > target[1].1 && target[2].1 > 1000, "{target:?}");
        let sum: u32 = target.iter().map(|&(_, weight)| weight).sum();
        assert!(sum.abs_diff(10_000) <= 3, "{sum}");
    }
}
