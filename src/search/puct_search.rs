//! One search: descend to a leaf, hand it out, take its evaluation and back it up.

use std::time::Instant;

use rand::Rng;

use crate::games::{Action, Evaluation, Evaluator, Game, Player, WinDrawLoss};

use super::limits::Limits;
use super::noise::RootNoise;
use super::puct::Puct;
use super::tree::{Edge, NO_NODE, Tree, mean_outcome};

/// The search stops growing at this many edges (of 24 bytes), whatever its limits say.
const EDGE_CAPACITY: usize = 20_000_000;

/// A position that the search wants judged.
#[derive(Debug)]
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
    /// The mean outcome for the player who makes it; even chances if it was never looked at.
    pub outcome: WinDrawLoss,
}

/// A search of one position, which can follow the game from move to move.
#[derive(Debug, Clone)]
pub struct Search<G> {
    game: G,
    puct: Puct,
    tree: Tree,
    winning_action: Option<Action>,
}

/// The chances of the first player, given those of the player to move.
fn for_first(outcome: WinDrawLoss, to_move: Player) -> WinDrawLoss {
    match to_move {
        Player::First => outcome,
        Player::Second => outcome.reversed(),
    }
}

fn sign(player: Player) -> f32 {
    match player {
        Player::First => 1.0,
        Player::Second => -1.0,
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
        Self { game, puct, tree: Tree::default(), winning_action }
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
        let mut game = self.game.clone();
        let mut path = Vec::new();
        if !self.tree.nodes.is_empty() {
            let mut node = 0;
            loop {
                let at = &self.tree.nodes[node as usize];
                if let Some(outcome) = at.decided {
                    self.back_up(&path, Some(node), outcome);
                    return None;
                }
                let player = sign(at.to_move);
                let value = self.puct.mean(at.value_sum, at.draw_sum, at.visits, player);
                let edges = at.edges();
                let first = edges.start;
                let edge = first + self.puct.choose(&self.tree.edges[edges], at.visits, value, player);
                path.push(edge as u32);
                game.play(self.tree.edges[edge].action);
                node = self.tree.edges[edge].child;
                if node == NO_NODE {
                    break;
                }
            }
        }
        if !path.is_empty()
            && let Some(outcome) = decided(&game)
        {
            let node = self.tree.add(game.to_move(), std::iter::empty(), Some(outcome));
            self.back_up(&path, Some(node), outcome);
            return None;
        }
        let mut legal = Vec::new();
        game.legal_actions(&mut legal);
        Some(Leaf { game, legal, path })
    }

    /// Takes the judgement of a leaf into the tree.
    pub fn expand(&mut self, leaf: Leaf<G>, evaluation: &Evaluation) {
        debug_assert_eq!(leaf.legal.len(), evaluation.priors.len());
        let to_move = leaf.game.to_move();
        let edges = leaf.legal.iter().zip(&evaluation.priors).map(|(&action, &prior)| Edge::new(action, prior));
        let node = self.tree.add(to_move, edges, None);
        self.back_up(&leaf.path, Some(node), for_first(evaluation.outcome, to_move));
    }

    /// Adds a result to every node and edge on a path; `end` is the node at the path's end.
    fn back_up(&mut self, path: &[u32], end: Option<u32>, outcome: WinDrawLoss) {
        let value = outcome.value();
        let mut node = 0;
        for (depth, &edge) in path.iter().enumerate() {
            let at = &mut self.tree.nodes[node];
            at.visits += 1;
            at.value_sum += value;
            at.draw_sum += outcome.draw;
            let edge = &mut self.tree.edges[edge as usize];
            edge.visits += 1;
            edge.value_sum += value;
            edge.draw_sum += outcome.draw;
            if depth + 1 == path.len()
                && let Some(end) = end
            {
                edge.child = end;
            }
            node = edge.child as usize;
        }
        let at = &mut self.tree.nodes[node];
        at.visits += 1;
        at.value_sum += value;
        at.draw_sum += outcome.draw;
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
        if self.tree.nodes.first().is_none_or(|root| root.decided.is_some() || root.edge_count == 0) {
            return;
        }
        while !limits.reached(self.visits(), start) && self.tree.edges.len() < EDGE_CAPACITY {
            if let Some(leaf) = self.select() {
                let evaluation = evaluator.evaluate(&leaf.game, &leaf.legal);
                self.expand(leaf, &evaluation);
            }
        }
    }

    /// The moves at the root, most visited first. A move that wins at once stands alone.
    pub fn root_moves(&self) -> Vec<RootMove> {
        if let Some(action) = self.winning_action {
            return vec![RootMove { action, visits: 1, prior: 1.0, outcome: WinDrawLoss::certain(1.0) }];
        }
        let Some(root) = self.tree.nodes.first() else { return Vec::new() };
        let mut moves: Vec<RootMove> = self.tree.edges[root.edges()]
            .iter()
            .map(|edge| {
                let outcome = mean_outcome(edge.value_sum, edge.draw_sum, edge.visits);
                let outcome = for_first(outcome, root.to_move);
                RootMove { action: edge.action, visits: edge.visits, prior: edge.prior, outcome }
            })
            .collect();
        moves.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.prior.total_cmp(&a.prior)));
        moves
    }

    /// The move to play: the winning one, or the most visited. None if the root was never judged.
    pub fn best_action(&self) -> Option<Action> {
        self.root_moves().first().map(|best| best.action)
    }

    /// The chances of the player to move at the root.
    pub fn root_outcome(&self) -> WinDrawLoss {
        if self.winning_action.is_some() {
            return WinDrawLoss::certain(1.0);
        }
        self.tree.nodes.first().map_or(WinDrawLoss::EVEN, |root| for_first(root.outcome(), root.to_move))
    }

    /// The moves that the search expects, from the root on: always the most visited.
    pub fn principal_variation(&self) -> Vec<Action> {
        if let Some(action) = self.winning_action {
            return vec![action];
        }
        let mut line = Vec::new();
        let mut node = if self.tree.nodes.is_empty() { NO_NODE } else { 0 };
        while node != NO_NODE {
            let edges = &self.tree.edges[self.tree.nodes[node as usize].edges()];
            let Some(best) = edges
                .iter()
                .max_by(|a, b| a.visits.cmp(&b.visits).then(a.prior.total_cmp(&b.prior)))
                .filter(|edge| edge.visits > 0)
            else {
                break;
            };
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
        self.tree = match child {
            Some(child) if self.tree.nodes[child as usize].decided.is_none() => self.tree.subtree(child),
            _ => Tree::default(),
        };
    }
}
