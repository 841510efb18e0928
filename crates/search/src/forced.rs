//! Forced playouts at a noisy root, and the policy target without them (Wu, *Accelerating self-play learning in Go*,
//! 2019): noise makes the search look at a move, but the network learns only what the search made of it.

use hexzero_games::Action;

use super::findings::RootMove;
use super::statistics::Proof;
use super::tree::Node;
use super::tree_search::Search;

impl Search {
    /// Returns the forced minimum of visits of a child of the root, `√(k · P · N)`; 0 without noise.
    fn forced_visits(&self, child: &Node) -> f32 {
        (self.forced_playouts * child.led_by.prior() * self.visits() as f32).sqrt()
    }

    /// Returns the place of a visited child of the root that has fewer visits than its forced minimum; of several,
    /// that of the lowest action.
    pub(super) fn forced_playout(&self) -> Option<usize> {
        if self.forced_playouts == 0.0 {
            return None;
        }
        let player = self.tree.nodes[0].to_move;
        let is_forced = |child: &Node| {
            let begun = child.begun();
            begun > 0 && child.proof.rank(player) > 0 && (begun as f32) < self.forced_visits(child)
        };
        let forced = self.tree.children_of(0).iter().enumerate().filter(|(_, child)| is_forced(child));
        forced.min_by_key(|(_, child)| child.led_by.action()).map(|(place, _)| place)
    }

    /// Returns the policy to learn from a search of the root: moves with weights. A proven win is the whole policy;
    /// proven losses are left out unless all moves lose. Otherwise a weight is the visits of a move less those that
    /// were forced.
    pub fn policy_target(&self) -> Vec<(Action, u32)> {
        let mut moves = self.root_moves();
        match moves.first() {
            None => return Vec::new(),
            Some(best) if best.is_proven_win() => return vec![(best.action, 1)],
            Some(best) if best.is_proven_loss() => {}
            Some(_) => moves.retain(|candidate| !candidate.is_proven_loss()),
        }
        if moves[0].proven_in.is_some() && moves.iter().all(|candidate| candidate.visits == 0) {
            // All were proven without a visit, so they are equally good.
            return moves.iter().map(|candidate| (candidate.action, 1)).collect();
        }
        let weights = moves.iter().map(|candidate| (candidate.action, self.unforced_visits(candidate, &moves)));
        weights.filter(|&(_, weight)| weight > 0).collect()
    }

    /// Returns the visits of a move less the forced ones: as few as would have kept its score below that of the most
    /// visited move, and none if only one would remain.
    fn unforced_visits(&self, candidate: &RootMove, moves: &[RootMove]) -> u32 {
        let most = moves.iter().max_by_key(|candidate| candidate.visits);
        let Some(most) = most.filter(|most| self.forced_playouts > 0.0 && most.action != candidate.action) else {
            return candidate.visits;
        };
        let (player, children) = (self.tree.nodes[0].to_move, self.tree.children_of(0));
        let child =
            |action| children.iter().find(|child| child.led_by.action() == action && child.proof == Proof::Unknown);
        let (Some(best), Some(child)) = (child(most.action), child(candidate.action)) else { return candidate.visits };
        let puct = &self.settings.puct;
        let explore = puct.exploration(self.visits());
        let value = |child: &Node| puct.mean(&child.statistics, player);
        let best_score = value(best) + explore * best.led_by.prior() / (1.0 + best.statistics.visits as f32);
        let gap = best_score - value(child);
        let enough =
            if gap > 0.0 { (explore * child.led_by.prior() / gap - 1.0).ceil().max(0.0) } else { f32::INFINITY };
        let forced = self.forced_visits(child).floor() as u32;
        let kept = candidate.visits.saturating_sub(forced).max((enough as u32).min(candidate.visits));
        if kept > 1 { kept } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Puct, moves::Move, statistics::Statistics};
    use hexzero_games::{Seat, default_game};

    /// Returns a root of 81 visits whose moves have these priors, visits and mean values.
    fn searched(moves: &[(f32, u32, f32)], forced_playouts: f32) -> Search {
        // Exploration is exactly √N.
        let puct = Puct { init: 1.0, base: 1e9, draw_penalty: 0.0, ..Puct::default() };
        let mut search = Search::new(default_game().start(5).unwrap(), puct);
        search.tree.add_root();
        let legal = moves.iter().enumerate().map(|(action, &(prior, ..))| Move::new(Action(action as u16), prior));
        search.tree.expand(0, Seat::First, legal);
        for (place, &(_, visits, mean)) in moves.iter().enumerate().take_while(|(_, found)| found.1 > 0) {
            let child = search.tree.open(0, place) as usize;
            search.tree.nodes[child].statistics = Statistics::of(vec![mean; visits as usize]);
        }
        search.tree.nodes[0].statistics.visits = 81;
        search.forced_playouts = forced_playouts;
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
        assert_eq!(target(&searched(&moves, 0.0)), [(0, 56), (1, 20), (2, 4)], "without noise nothing is forced");
        assert_eq!(target(&searched(&moves, 2.0)), [(0, 56), (1, 14)]);
    }

    #[test]
    fn move_is_forced_until_it_has_its_share() {
        // √(2 · 0.3 · 81) = 6.97.
        assert_eq!(searched(&[(0.5, 56, 0.5), (0.3, 6, -0.5)], 2.0).forced_playout(), Some(1));
        assert_eq!(searched(&[(0.5, 56, 0.5), (0.3, 7, -0.5)], 2.0).forced_playout(), None);
        assert_eq!(searched(&[(0.5, 56, 0.5), (0.3, 0, 0.0)], 2.0).forced_playout(), None, "never looked at");
    }
}
