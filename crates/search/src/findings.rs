//! The results of a search.

use rand::Rng;
use rand::distr::{Distribution, weighted::WeightedIndex};
use rand::seq::IndexedRandom;

use hexzero_games::{Action, WinDrawLoss};

use super::settings::order;
use super::statistics::Proof;
use super::tree::Node;
use super::tree_search::{Search, for_first};

/// The statistics of a move at the root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootMove {
    /// The move.
    pub action: Action,
    /// The visits of the move.
    pub visits: u32,
    /// The prior probability of the move, including noise.
    pub prior: f32,
    /// The mean outcome for the player making the move: even chances without visits, certain if
    /// proven.
    pub outcome: WinDrawLoss,
    /// The lower confidence bound of the value for the player making the move, from -1 (or lower)
    /// to 1, with the draw penalty. Without visits, the bound of an even, uncertain game.
    pub lower_bound: f32,
    /// For a proven outcome, the most plies to the end of the game, including this move. Other play
    /// may delay a loss further, or reach a win sooner.
    pub proven_in: Option<u32>,
}

impl RootMove {
    /// Returns whether the move has been visited or is proven.
    pub fn is_judged(&self) -> bool {
        self.visits > 0 || self.proven_in.is_some()
    }

    /// Returns whether the move is a proven win.
    pub fn is_proven_win(&self) -> bool {
        self.proven_in.is_some() && self.outcome.value() > 0.5
    }

    /// Returns whether the move is a proven loss.
    pub fn is_proven_loss(&self) -> bool {
        self.proven_in.is_some() && self.outcome.value() < -0.5
    }
}

impl Search {
    /// Returns the moves at the root: the move to play first, then the others by visits; proven
    /// wins before all others, proven losses last. A move that wins at once is returned alone.
    pub fn root_moves(&self) -> Vec<RootMove> {
        if let Some(action) = self.winning_action {
            let (outcome, lower_bound) = (WinDrawLoss::certain(1.0), 1.0);
            return vec![RootMove { action, visits: 1, prior: 1.0, outcome, lower_bound, proven_in: Some(1) }];
        }
        let Some(root) = self.tree.nodes.first() else { return Vec::new() };
        let mut children = self.tree.children_of(0).to_vec();
        children.extend(self.tree.moves_of(0)[children.len()..].iter().map(|&led_by| Node::new(led_by)));
        children.sort_by(|a, b| order(b, a, root.to_move));
        let best = self.best_action();
        if let Some(place) = children.iter().position(|child| Some(child.led_by.action()) == best) {
            children[..=place].rotate_right(1);
        }
        children.iter().map(|child| self.root_move(child)).collect()
    }

    fn root_move(&self, child: &Node) -> RootMove {
        let player = self.tree.nodes[0].to_move;
        let (puct, choice) = (&self.settings.puct, &self.settings.choice);
        // If the position is lost, every move loses.
        let (proof, plies) = match self.proven_loss.filter(|_| child.proof == Proof::Unknown) {
            Some(end) => (Proof::of(end.winner), u32::from(end.plies)),
            None => (child.proof, u32::from(child.plies) + 1),
        };
        let statistics = &child.statistics;
        let outcome = for_first(proof.outcome().unwrap_or_else(|| statistics.outcome()), player);
        let proven = proof != Proof::Unknown;
        RootMove {
            action: child.led_by.action(),
            visits: statistics.visits,
            prior: child.led_by.prior(),
            outcome,
            lower_bound: if proven { outcome.value() } else { choice.lower_bound(puct, statistics, player) },
            proven_in: proven.then_some(plies),
        }
    }

    /// Returns the move to play at a node, or `None` if it was never evaluated.
    pub(super) fn best_at(&self, node: u32) -> Option<Action> {
        self.settings.choice.best(&self.settings.puct, self.tree.nodes.get(node as usize)?, self.tree.children_of(node))
    }

    /// Returns the move to play, or `None` if the root was never evaluated.
    pub fn best_action(&self) -> Option<Action> {
        self.winning_action.or_else(|| self.best_at(0))
    }

    /// Draws a move in proportion to visits from those with at least half as many as the best, so
    /// that games differ. Always takes a proven win, and plays a proven loss only if all moves
    /// lose. Returns `None` if the root was never evaluated.
    pub fn varied_action(&self, rng: &mut impl Rng) -> Option<Action> {
        let moves = self.root_moves();
        let best = moves.first()?;
        if best.proven_in.is_some() && self.proven_loss.is_none() {
            return Some(best.action);
        }
        let most = moves.iter().map(|candidate| u64::from(candidate.visits)).max().unwrap_or(0);
        let is_good = |candidate: &&RootMove| {
            2 * u64::from(candidate.visits) >= most && (self.proven_loss.is_some() || !candidate.is_proven_loss())
        };
        let good: Vec<&RootMove> = moves.iter().filter(is_good).collect();
        // Without visits there are no weights, so the move with the best prior is played.
        Some(good.choose_weighted(rng, |candidate| candidate.visits).map_or(best.action, |drawn| drawn.action))
    }

    /// Draws a move with probability proportional to `visits^(1/temperature)`, or to
    /// `prior^(1/temperature)` if no move has visits. Always takes a proven win, and plays a proven
    /// loss only if all moves lose. Temperature 0 plays the best move. Returns `None` if the root
    /// was never evaluated.
    pub fn action_at(&self, temperature: f64, rng: &mut impl Rng) -> Option<Action> {
        self.sensible_action_at(temperature, 0.0, rng)
    }

    /// Draws a move as [`Search::action_at`] does, but only among moves with at least the share
    /// `least` of the most visited move's visits (or of the greatest prior, if no move has visits).
    pub(super) fn sensible_action_at(&self, temperature: f64, least: f64, rng: &mut impl Rng) -> Option<Action> {
        let mut moves = self.root_moves();
        let best = *moves.first()?;
        if temperature <= 0.0 || best.is_proven_win() {
            return Some(best.action);
        }
        if !best.is_proven_loss() {
            moves.retain(|candidate| !candidate.is_proven_loss());
        }
        let visited = moves.iter().any(|candidate| candidate.visits > 0);
        let count = |candidate: &RootMove| match visited {
            true => f64::from(candidate.visits),
            // Undo the prior temperature. In single precision all powers might underflow to zero.
            false => f64::from(candidate.prior).powf(self.settings.puct.prior_temperature.into()),
        };
        let most = moves.iter().map(count).fold(f64::MIN_POSITIVE, f64::max);
        let share = |candidate: &RootMove| count(candidate) / most;
        moves.retain(|candidate| share(candidate) >= least);
        let by_weight = WeightedIndex::new(moves.iter().map(|candidate| share(candidate).powf(1.0 / temperature)));
        Some(by_weight.map_or(best.action, |by_weight| moves[by_weight.sample(rng)].action))
    }

    /// Returns the evaluator's priors of the moves at the root, in ascending order of the moves,
    /// before the prior temperature is applied. They include noise if it has been added, and are
    /// empty if the root was never evaluated.
    pub fn root_priors(&self) -> Vec<(Action, f32)> {
        let temperature = self.settings.puct.prior_temperature;
        let mut priors = self.tree.moves_of(0).iter().map(|found| (found.action(), found.prior())).collect::<Vec<_>>();
        priors.sort_unstable_by_key(|&(action, _)| action);
        if temperature != 1.0 {
            // Divide by the greatest prior, or at a high temperature all powers might underflow to zero.
            let greatest = priors.iter().map(|&(_, prior)| prior).fold(f32::MIN_POSITIVE, f32::max);
            priors.iter_mut().for_each(|(_, prior)| *prior = (*prior / greatest).powf(temperature));
        }
        let sum: f32 = priors.iter().map(|&(_, prior)| prior).sum();
        priors.iter_mut().for_each(|(_, prior)| *prior /= sum);
        priors
    }

    /// Returns whether the result of the root is proven.
    pub fn is_proven(&self) -> bool {
        self.is_decided() || self.proven_loss.is_some()
    }

    /// Returns whether there is nothing left to search for.
    pub(super) fn is_decided(&self) -> bool {
        self.winning_action.is_some() || self.tree.nodes.first().is_some_and(|root| root.proof != Proof::Unknown)
    }

    /// Returns the chances of the side to move at the root.
    pub fn root_outcome(&self) -> WinDrawLoss {
        if self.winning_action.is_some() {
            return WinDrawLoss::certain(1.0);
        }
        if self.proven_loss.is_some() {
            return WinDrawLoss::certain(-1.0);
        }
        self.tree.nodes.first().map_or(WinDrawLoss::EVEN, |root| {
            for_first(root.proof.outcome().unwrap_or_else(|| root.statistics.outcome()), root.to_move)
        })
    }

    /// Returns the chances of the side to move with the best move, or those of the root before any
    /// move is judged.
    pub fn best_outcome(&self) -> WinDrawLoss {
        let best = self.root_moves().into_iter().next().filter(RootMove::is_judged);
        best.map_or_else(|| self.root_outcome(), |best| best.outcome)
    }

    /// Returns the principal variation from the root: at each node the move that the search would
    /// play.
    pub fn principal_variation(&self) -> Vec<Action> {
        self.best_action().map(|best| self.variation_from(best)).unwrap_or_default()
    }

    /// Returns the principal variation after this move at the root, beginning with it.
    pub fn variation_from(&self, action: Action) -> Vec<Action> {
        self.visited_variation_from(action).into_iter().map(|(action, _)| action).collect()
    }

    /// Returns the variation of `variation_from`, each move with its visits.
    pub fn visited_variation_from(&self, action: Action) -> Vec<(Action, u32)> {
        let visits = |node: Option<u32>| node.map_or(0, |node| self.tree.nodes[node as usize].statistics.visits);
        let mut node = self.tree.child(0, action);
        let mut line = vec![(action, visits(node))];
        while let Some(at) = node
            && let Some(best) = self.best_at(at)
        {
            node = self.tree.child(at, best);
            if node.is_some() {
                line.push((best, visits(node)));
            }
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use hexzero_games::{GameRng, game_named};

    use super::*;
    use crate::Puct;
    use crate::run::tests::judge;

    #[test]
    fn priors_survive_the_highest_temperature() {
        let puct = Puct { prior_temperature: 100.0, ..Puct::default() };
        let mut search = Search::new(game_named("hex-noswap").unwrap().start(5).unwrap(), puct);
        search.expand_root(&mut judge);
        let priors = search.root_priors();
        assert!(priors.len() == 25 && priors.iter().all(|&(_, prior)| (prior - 0.04).abs() < 1e-3), "{priors:?}");
        let mut rng = GameRng::seed_from_u64(1);
        let drawn: std::collections::BTreeSet<_> = (0..50).map(|_| search.action_at(1.0, &mut rng)).collect();
        assert!(drawn.len() > 5, "{drawn:?}");
    }
}
