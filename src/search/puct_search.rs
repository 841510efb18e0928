//! One search: descend to a leaf, hand it out, take its evaluation and back it up.

use std::time::Instant;

use rand::Rng;
use rand::seq::IndexedRandom;

use crate::games::{Action, Evaluation, Evaluator, Game, Player, WinDrawLoss};

use super::limits::Limits;
use super::noise::RootNoise;
use super::puct::Puct;
use super::tree::{Edge, NO_NODE, Node, Proof, Tree, mean_outcome};

/// The search stops growing at this many edges (of 24 bytes), whatever its limits say.
const EDGE_CAPACITY: usize = 20_000_000;

/// A position that the search wants judged.
#[derive(Debug, Clone)]
pub struct Leaf<G> {
    /// The position; it is not over and has no immediate win.
    pub game: G,
    /// Its legal actions.
    pub legal: Vec<Action>,
    /// The edges that lead to it from the root.
    path: Vec<u32>,
}

/// What the search found out about a move at the root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootMove {
    /// The move.
    pub action: Action,
    /// How often it was looked at.
    pub visits: u32,
    /// Its prior probability, noise included.
    pub prior: f32,
    /// The mean outcome for the player who makes it; even chances if it was never looked at. Certain
    /// if it is proven.
    pub outcome: WinDrawLoss,
    /// Whether the outcome is certain.
    pub proven: bool,
}

impl RootMove {
    /// Whether the move certainly wins.
    pub fn is_proven_win(&self) -> bool {
        self.proven && self.outcome.value() > 0.5
    }

    /// Whether the move certainly loses.
    pub fn is_proven_loss(&self) -> bool {
        self.proven && self.outcome.value() < -0.5
    }
}

/// A search of one position, which can follow the game from move to move.
#[derive(Debug, Clone)]
pub struct Search<G> {
    game: G,
    puct: Puct,
    tree: Tree,
    winning_action: Option<Action>,
    /// The last leaf, whose memory the next one takes over.
    spare: Option<Leaf<G>>,
}

/// The chances of the first player, given those of the player to move.
fn for_first(outcome: WinDrawLoss, to_move: Player) -> WinDrawLoss {
    match to_move {
        Player::First => outcome,
        Player::Second => outcome.reversed(),
    }
}

/// What is certain of a position without looking ahead, for the first player.
fn decided<G: Game>(game: &G) -> Option<WinDrawLoss> {
    if let Some(outcome) = game.outcome() {
        return Some(WinDrawLoss::certain(G::value_for(outcome, Player::First)));
    }
    game.winning_action().map(|_| for_first(WinDrawLoss::certain(1.0), game.to_move()))
}

impl<G: Game> Search<G> {
    /// A search of this position with an empty tree.
    pub fn new(game: G, puct: Puct) -> Self {
        let winning_action = game.winning_action();
        Self { game, puct, tree: Tree::default(), winning_action, spare: None }
    }

    /// The position at the root.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The move that wins at once at the root, if there is one. Such a root is not searched.
    pub fn winning_action(&self) -> Option<Action> {
        self.winning_action
    }

    /// The visits of the root.
    pub fn visits(&self) -> u32 {
        self.tree.nodes.first().map_or(0, |root| root.visits)
    }

    /// Walks down to a position that has not been judged. None if the walk met a finished game, whose
    /// result has then been backed up, or if there is nothing to search at the root.
    pub fn select(&mut self) -> Option<Leaf<G>> {
        if self.winning_action.is_some() || self.game.outcome().is_some() {
            return None;
        }
        let new = || Leaf { game: self.game.clone(), legal: Vec::new(), path: Vec::new() };
        let mut leaf = self.spare.take().unwrap_or_else(new);
        if self.descend(&mut leaf) {
            return Some(leaf);
        }
        self.spare = Some(leaf);
        None
    }

    /// Walks down and says whether it came to a position that has not been judged, which `leaf` then is.
    fn descend(&mut self, leaf: &mut Leaf<G>) -> bool {
        let Leaf { game, legal, path } = leaf;
        game.clone_from(&self.game);
        path.clear();
        if !self.tree.nodes.is_empty() {
            let mut node = 0;
            loop {
                let at = &self.tree.nodes[node as usize];
                if let Some(outcome) = at.decided {
                    if node != 0 {
                        self.back_up(path, outcome);
                    }
                    return false;
                }
                let value = self.puct.mean(at.value_sum, at.draw_sum, at.visits, at.to_move.sign());
                let edges = at.edges();
                let first = edges.start;
                let edge = first + self.puct.choose(&self.tree.edges[edges], at.visits, value, at.to_move);
                path.push(edge as u32);
                game.play(self.tree.edges[edge].action);
                node = self.tree.edges[edge].child;
                if node == NO_NODE {
                    break;
                }
            }
        }
        if !path.is_empty()
            && let Some(outcome) = decided(game)
        {
            let node = self.tree.add(game.to_move(), std::iter::empty(), Some(outcome));
            self.link(path, node);
            let outcome = self.prove(path, outcome);
            self.back_up(path, outcome);
            return false;
        }
        game.legal_actions(legal);
        true
    }

    /// Takes the judgement of a leaf into the tree. Between [`Search::select`] and this there must be no
    /// other leaf and no [`Search::advance`].
    ///
    /// # Panics
    /// If there is not a prior for each legal action.
    pub fn expand(&mut self, leaf: Leaf<G>, evaluation: &Evaluation) {
        assert_eq!(leaf.legal.len(), evaluation.priors.len(), "a prior for each legal action");
        let to_move = leaf.game.to_move();
        let edges = leaf.legal.iter().zip(&evaluation.priors).map(|(&action, &prior)| Edge::new(action, prior));
        let node = self.tree.add(to_move, edges, None);
        self.link(&leaf.path, node);
        self.back_up(&leaf.path, for_first(evaluation.outcome, to_move));
        self.spare = Some(leaf);
    }

    /// Hangs a new node under the last edge of a path.
    fn link(&mut self, path: &[u32], node: u32) {
        if let Some(&edge) = path.last() {
            self.tree.edges[edge as usize].child = node;
        }
    }

    /// Takes a certain result at the end of a path as far up as it decides anything: a node is decided
    /// when one move wins for the player to move there, or when all its moves are decided (MCTS-solver,
    /// Winands, Björnsson and Saito 2008). Gives the result of the topmost node that is decided.
    fn prove(&mut self, path: &[u32], mut outcome: WinDrawLoss) -> WinDrawLoss {
        for (depth, &edge) in path.iter().enumerate().rev() {
            self.tree.edges[edge as usize].proof = Proof::of(outcome);
            let node = if depth == 0 { 0 } else { self.tree.edges[path[depth - 1] as usize].child };
            let at = &mut self.tree.nodes[node as usize];
            let edges = &self.tree.edges[at.edges()];
            // Unknown ranks with a draw, so a node with unknown moves has no certain best one but a win.
            let best = edges.iter().map(|edge| edge.proof).max_by_key(|proof| proof.rank(at.to_move));
            let open = edges.iter().any(|edge| edge.proof == Proof::Unknown);
            outcome = match best {
                Some(Proof::Win(winner)) if winner == at.to_move || !open => {
                    for_first(WinDrawLoss::certain(1.0), winner)
                }
                Some(Proof::Draw) if !open => WinDrawLoss::DRAW,
                _ => break,
            };
            at.decided = Some(outcome);
        }
        outcome
    }

    /// Adds a result to every node and edge on a path.
    fn back_up(&mut self, path: &[u32], outcome: WinDrawLoss) {
        let value = outcome.value();
        let mut node = 0;
        for &edge in path {
            self.tree.nodes[node].add(value, outcome.draw);
            let edge = &mut self.tree.edges[edge as usize];
            edge.visits += 1;
            edge.value_sum += value;
            edge.draw_sum += outcome.draw;
            node = edge.child as usize;
        }
        self.tree.nodes[node].add(value, outcome.draw);
    }

    /// Has the root judged, if it has not been.
    pub fn expand_root(&mut self, evaluator: &mut impl Evaluator<G>) {
        if self.tree.nodes.is_empty()
            && let Some(leaf) = self.select()
        {
            let evaluation = evaluator.evaluate(&leaf.game, &leaf.legal);
            self.expand(leaf, &evaluation);
        }
    }

    /// Mixes noise into the priors of an expanded root.
    pub fn add_root_noise(&mut self, noise: &RootNoise, rng: &mut impl Rng) {
        let Some(root) = self.tree.nodes.first() else { return };
        let edges = &mut self.tree.edges[root.edges()];
        if edges.is_empty() {
            return;
        }
        for (edge, share) in edges.iter_mut().zip(noise.draw(root.edge_count as usize, rng)) {
            edge.prior += noise.fraction * (share - edge.prior);
        }
    }

    /// Searches until a limit is reached or there is nothing to search.
    pub fn run(&mut self, evaluator: &mut impl Evaluator<G>, limits: &Limits) {
        let start = Instant::now();
        self.expand_root(evaluator);
        let open = |tree: &Tree| tree.nodes.first().is_some_and(|root| root.decided.is_none() && root.edge_count > 0);
        while open(&self.tree) && !limits.reached(self.visits(), start) && self.tree.edges.len() < EDGE_CAPACITY {
            if let Some(leaf) = self.select() {
                let evaluation = evaluator.evaluate(&leaf.game, &leaf.legal);
                self.expand(leaf, &evaluation);
            }
        }
    }

    /// The moves at the root, most visited first; but those that are proven to win stand before all
    /// others, those proven to lose behind. A move that wins at once stands alone.
    pub fn root_moves(&self) -> Vec<RootMove> {
        if let Some(action) = self.winning_action {
            return vec![RootMove { action, visits: 1, prior: 1.0, outcome: WinDrawLoss::certain(1.0), proven: true }];
        }
        let Some(root) = self.tree.nodes.first() else { return Vec::new() };
        let mut edges: Vec<&Edge> = self.tree.edges[root.edges()].iter().collect();
        edges.sort_by(|a, b| Self::compare(b, a, root.to_move));
        let root_move = |edge: &Edge| {
            let outcome = match edge.proof {
                Proof::Unknown => mean_outcome(edge.value_sum, edge.draw_sum, edge.visits),
                Proof::Draw => WinDrawLoss::DRAW,
                Proof::Win(winner) => for_first(WinDrawLoss::certain(1.0), winner),
            };
            let (action, visits, prior) = (edge.action, edge.visits, edge.prior);
            let proven = edge.proof != Proof::Unknown;
            RootMove { action, visits, prior, outcome: for_first(outcome, root.to_move), proven }
        };
        edges.into_iter().map(root_move).collect()
    }

    /// Which of two moves of a player is to be preferred: by proof, then visits, then prior.
    fn compare(a: &Edge, b: &Edge, player: Player) -> std::cmp::Ordering {
        let ranks = a.proof.rank(player).cmp(&b.proof.rank(player));
        ranks.then(a.visits.cmp(&b.visits)).then(a.prior.total_cmp(&b.prior))
    }

    /// The move to play: the winning one, or the most visited. None if the root was never judged.
    pub fn best_action(&self) -> Option<Action> {
        self.root_moves().first().map(|best| best.action)
    }

    /// A move drawn by its visits from those that have at least half as many as the best, so that games
    /// differ; but a move that is proven to win is taken, and one that is proven to lose is not. None
    /// if the root was never judged.
    pub fn varied_action(&self, rng: &mut impl Rng) -> Option<Action> {
        let moves = self.root_moves();
        let best = moves.first()?;
        if best.proven {
            return Some(best.action);
        }
        let good = moves.iter().filter(|candidate| 2 * u64::from(candidate.visits) >= u64::from(best.visits));
        let good: Vec<&RootMove> = good.filter(|candidate| !candidate.is_proven_loss()).collect();
        let drawn = good.choose_weighted(rng, |candidate| candidate.visits);
        // Without any visit there is nothing to weigh, and the best prior stands first.
        Some(drawn.map_or(best.action, |candidate| candidate.action))
    }

    /// The chances of the player to move at the root.
    pub fn root_outcome(&self) -> WinDrawLoss {
        if self.winning_action.is_some() {
            return WinDrawLoss::certain(1.0);
        }
        let outcome = |root: &Node| for_first(root.decided.unwrap_or_else(|| root.outcome()), root.to_move);
        self.tree.nodes.first().map_or(WinDrawLoss::EVEN, outcome)
    }

    /// The moves that the search expects, from the root on: always the best by proof, then visits.
    pub fn principal_variation(&self) -> Vec<Action> {
        if let Some(action) = self.winning_action {
            return vec![action];
        }
        let mut line = Vec::new();
        let mut node = if self.tree.nodes.is_empty() { NO_NODE } else { 0 };
        while node != NO_NODE {
            let at = &self.tree.nodes[node as usize];
            let edges = self.tree.edges[at.edges()].iter().filter(|edge| edge.visits > 0);
            let Some(best) = edges.max_by(|a, b| Self::compare(a, b, at.to_move)) else { break };
            line.push(best.action);
            node = best.child;
        }
        line
    }

    /// Plays a move at the root and keeps what is known of the position after it.
    ///
    /// # Panics
    /// May panic if the move is not legal.
    pub fn advance(&mut self, action: Action) {
        let child = self.tree.nodes.first().and_then(|root| {
            let edge = self.tree.edges[root.edges()].iter().find(|edge| edge.action == action)?;
            (edge.child != NO_NODE).then_some(edge.child)
        });
        self.game.play(action);
        self.winning_action = self.game.winning_action();
        match child {
            Some(child) if self.tree.nodes[child as usize].edge_count > 0 => self.tree.keep_subtree(child),
            _ => self.tree.clear(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Cachex;

    /// A root where Red has as many moves as there are results, which are proven from the first on or from
    /// the last (1 for a win of Red); what is known of the root after each.
    fn root_after(results: &[f32], from_last: bool) -> Vec<Option<f32>> {
        let mut search = Search::new(Cachex::new(5).unwrap(), Puct::default());
        let edges = (0..results.len()).map(|action| Edge::new(Action(action as u16), 0.1));
        search.tree.add(Player::First, edges, None);
        let prove = |(number, &value): (usize, &f32)| {
            let edge = if from_last { results.len() - 1 - number } else { number };
            let certain = WinDrawLoss::certain(value);
            let end = search.tree.add(Player::Second, std::iter::empty(), Some(certain));
            search.link(&[edge as u32], end);
            search.prove(&[edge as u32], certain);
            search.tree.nodes[0].decided.map(WinDrawLoss::value)
        };
        results.iter().enumerate().map(prove).collect()
    }

    #[test]
    fn a_node_is_decided_by_a_win_or_by_all_its_moves() {
        for from_last in [false, true] {
            let root_after = |results: &[f32]| root_after(results, from_last);
            assert_eq!(root_after(&[-1.0, 1.0, -1.0])[..2], [None, Some(1.0)]);
            assert_eq!(root_after(&[-1.0, -1.0]), [None, Some(-1.0)]);
            assert_eq!(root_after(&[-1.0, 0.0, -1.0]), [None, None, Some(0.0)]);
            assert_eq!(root_after(&[0.0, -1.0]), [None, Some(0.0)]);
            assert_eq!(root_after(&[0.0, 0.0]), [None, Some(0.0)]);
            assert_eq!(root_after(&[0.0, 1.0]), [None, Some(1.0)]);
        }
    }
}
