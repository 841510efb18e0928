//! One search: descends to a leaf, returns it for evaluation, and backs up the evaluation.

use rand::Rng;

use hexzero_games::{Action, EndgameResult, EndgameSolver, Evaluation, Evaluator, Position, Seat, WinDrawLoss};
use hexzero_system::stop::StopSignal;

use super::limits::{MAX_THREADS, StopReason};
use super::moves::Move;
use super::proofs::RootProof;
use super::settings::{RootNoise, SearchSettings};
use super::statistics::{Proof, Statistics};
use super::transpositions::MoveSet;
use super::tree::Tree;

/// A position to evaluate.
#[derive(Debug, Clone)]
pub struct Leaf {
    /// The position, which is not over and has no immediate win.
    pub position: Position,
    /// The legal actions of the position.
    pub legal: Vec<Action>,
    /// The way from the root to the position: the place of each node among its parent's children,
    /// which stays when others are added.
    path: Vec<u16>,
    /// Memory reused for priors.
    priors: Vec<f32>,
}

/// The result of a descent.
#[derive(Debug, Clone)]
pub enum Selection {
    /// A position to evaluate and return to [`Search::expand`].
    Leaf(Leaf),
    /// A finished game, whose result has been backed up.
    Finished,
    /// A leaf that is still in flight; retry once it is returned.
    Awaited,
    /// Nothing, because the result of the root is proven.
    Decided,
}

/// A search of one position that can follow the game from move to move.
#[derive(Debug, Clone)]
pub struct Search {
    pub(super) position: Position,
    pub(super) settings: SearchSettings,
    pub(super) tree: Tree,
    pub(super) winning_action: Option<Action>,
    /// The endgame solver, once the end of the game is near.
    pub(super) endgame_solver: Option<Box<dyn EndgameSolver>>,
    pub(super) use_endgame_solver: bool,
    /// The exact result if the solver proved the root lost; the search then goes on without the
    /// solver.
    pub(super) proven_loss: Option<EndgameResult>,
    /// What a proof search found at the root.
    pub(super) root_proof: Option<RootProof>,
    /// Whether the tree may contain results of the solver.
    pub(super) tree_has_solver_results: bool,
    /// The moves since the search was created.
    moves: MoveSet,
    /// Whether the root is being evaluated.
    root_awaited: bool,
    /// The moves excluded at the root.
    pub(super) excluded: Vec<Action>,
    /// The forced playouts of a noisy root ([`RootNoise::forced_playouts`]), else 0.
    pub(super) forced_playouts: f32,
    /// Returned leaves whose memory is reused.
    spare: Vec<Leaf>,
    /// A signal that ends every run while it is requested.
    pub(super) stop: StopSignal,
    /// Why the last run ended.
    pub(super) stop_reason: Option<StopReason>,
}

/// Converts chances between the side to move and the first player.
pub(super) fn for_first(outcome: WinDrawLoss, to_move: Seat) -> WinDrawLoss {
    match to_move {
        Seat::First => outcome,
        Seat::Second => outcome.reversed(),
    }
}

/// Returns the result of a position that is certain without search, and the plies to the end.
pub(super) fn decided(position: &Position, solver: Option<&mut (dyn EndgameSolver + 'static)>) -> Option<(Proof, u16)> {
    if let Some(outcome) = position.outcome() {
        return Some((Proof::of(outcome.winner), 0));
    }
    if position.winning_action().is_some() {
        return Some((Proof::Win(position.to_move()), 1));
    }
    solver?.solve(position).map(|end| (Proof::of(end.winner), end.plies))
}

impl Search {
    /// Creates a search of this position with an empty tree.
    pub fn new(position: Position, settings: impl Into<SearchSettings>) -> Self {
        let settings = settings.into();
        let winning_action = position.winning_action();
        let mut search = Self {
            position,
            settings,
            tree: Tree::default(),
            winning_action,
            endgame_solver: None,
            use_endgame_solver: true,
            proven_loss: None,
            root_proof: None,
            tree_has_solver_results: false,
            moves: MoveSet::default(),
            root_awaited: false,
            excluded: Vec::new(),
            forced_playouts: 0.0,
            spare: Vec::new(),
            stop: StopSignal::new(),
            stop_reason: None,
        };
        search.find_endgame_solver();
        search
    }

    /// Returns this search without these moves at the root, unless there are no others; for example
    /// to value a position without a swap. Call it before the search begins; it applies until the
    /// game moves on.
    pub fn without(mut self, actions: impl IntoIterator<Item = Action>) -> Self {
        self.excluded = actions.into_iter().collect();
        // Another move may win at once as well; the search finds it.
        self.winning_action = self.winning_action.filter(|action| !self.excluded.contains(action));
        self
    }

    /// Returns the position at the root.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the move that wins at once at the root, if any. Such a root is not searched.
    pub fn winning_action(&self) -> Option<Action> {
        self.winning_action
    }

    /// Returns the visits of the root.
    pub fn visits(&self) -> u32 {
        self.tree.nodes.first().map_or(0, |root| root.statistics.visits)
    }

    /// Returns the memory allocated for the tree, in bytes.
    pub fn memory(&self) -> usize {
        self.tree.bytes()
    }

    /// Descends to an unevaluated position. Several may be in flight at a time; each carries a
    /// virtual loss until returned, so that the next descent goes elsewhere.
    pub fn select(&mut self) -> Selection {
        if self.is_decided() || self.position.outcome().is_some() {
            return Selection::Decided;
        }
        let full = self.tree.nodes.first().is_some_and(|root| usize::from(root.in_flight) >= MAX_THREADS);
        if self.root_awaited || full {
            return Selection::Awaited;
        }
        let new = || Leaf { position: self.position.clone(), legal: Vec::new(), path: Vec::new(), priors: Vec::new() };
        let leaf = self.spare.pop().unwrap_or_else(new);
        self.descend(leaf)
    }

    fn descend(&mut self, mut leaf: Leaf) -> Selection {
        let Leaf { position, legal, path, .. } = &mut leaf;
        position.clone_from(&self.position);
        path.clear();
        self.root_awaited = self.tree.nodes.is_empty();
        if !self.root_awaited {
            let (mut node, mut moves) = (0, self.moves);
            let joins = self.settings.transpositions && self.position.game().order_is_free;
            loop {
                let at = &self.tree.nodes[node as usize];
                if let Some(outcome) = at.proof.outcome() {
                    self.tree.back_up(path, outcome, 0);
                    self.spare.push(leaf);
                    return Selection::Finished;
                }
                if !at.is_expanded() {
                    if at.in_flight > 0 {
                        self.spare.push(leaf);
                        return Selection::Awaited;
                    }
                    break;
                }
                let children = at.children();
                let place = self.choose(node);
                path.push(place as u16);
                let is_new = place == children.len();
                node = if is_new { self.tree.open(node, place) } else { (children.start + place) as u32 };
                let action = self.tree.nodes[node as usize].led_by.action();
                if joins {
                    moves = moves.with(position, action);
                    if is_new {
                        self.tree.join(node, moves);
                    }
                }
                position.play(action);
            }
            let solver = if self.proven_loss.is_none() { self.endgame_solver.as_deref_mut() } else { None };
            let is_asked = solver.is_some();
            if let Some((proof, plies)) = decided(position, solver) {
                self.tree_has_solver_results |= is_asked;
                self.tree.set_proof(node, proof, plies);
                let outcome = self.prove(path);
                self.tree.back_up(path, outcome, 0);
                self.spare.push(leaf);
                return Selection::Finished;
            }
            if self.settings.repetitions_draw && position.repeats_within(path.len()) {
                self.tree.back_up(path, WinDrawLoss::DRAW, 0);
                self.spare.push(leaf);
                return Selection::Finished;
            }
        }
        // A virtual loss, which `Tree::back_up` takes off. The root is not in flight while it is the leaf.
        if !path.is_empty() {
            self.tree.for_each_on(path, |node| node.in_flight += 1);
        }
        position.legal_actions(legal);
        if path.is_empty() && legal.iter().any(|action| !self.excluded.contains(action)) {
            legal.retain(|action| !self.excluded.contains(action));
        }
        Selection::Leaf(leaf)
    }

    /// Returns the place of the child to go on with, after the last one for a move without a node.
    fn choose(&self, node: u32) -> usize {
        let (at, children) = (&self.tree.nodes[node as usize], self.tree.children_of(node));
        let forced = if node == 0 { self.forced_playout() } else { None };
        forced.unwrap_or_else(|| self.settings.puct.choose(at, children, &self.tree.transpositions))
    }

    /// Adds the evaluation of a leaf to the tree. The search must not [`Search::advance`] between
    /// [`Search::select`] and this call.
    ///
    /// # Panics
    /// If the number of priors is not that of the legal actions.
    pub fn expand(&mut self, mut leaf: Leaf, evaluation: &Evaluation) {
        assert_eq!(leaf.legal.len(), evaluation.priors.len(), "a prior for each legal action");
        let to_move = leaf.position.to_move();
        let Leaf { legal, priors, path, .. } = &mut leaf;
        priors.clone_from(&evaluation.priors);
        self.settings.puct.apply_prior_temperature(priors);
        let moves = legal.iter().zip(priors).map(|(&action, prior)| Move::new(action, *prior));
        self.tree.add_root();
        let node = self.tree.nodes_on(path).last().unwrap_or(0);
        self.tree.expand(node, to_move, moves);
        let in_flight = u8::from(!path.is_empty());
        let evaluated = for_first(evaluation.outcome, to_move);
        let known = self.tree.transpositions.of(&self.tree.nodes[node as usize]);
        let outcome = known.map_or(evaluated, Statistics::outcome);
        self.tree.back_up(path, outcome, in_flight);
        self.root_awaited = false;
        self.spare.push(leaf);
    }

    /// Propagates a proven result from the end of a path upwards as long as it decides nodes: a
    /// node is decided when one move wins for the side to move, or when all its moves are decided
    /// (MCTS-solver, Winands, Björnsson and Saito 2008). Returns the result of the topmost decided
    /// node.
    fn prove(&mut self, path: &[u16]) -> WinDrawLoss {
        let mut line: Vec<u32> = self.tree.nodes_on(path).collect();
        let mut decided = line.pop().unwrap_or(0);
        while let Some(&node) = line.last()
            && let Some((proof, plies)) = self.decided_by_moves(node)
        {
            self.tree.set_proof(node, proof, plies);
            decided = node;
            line.pop();
        }
        self.tree.nodes[decided as usize].proof.outcome().unwrap_or(WinDrawLoss::DRAW)
    }

    /// Returns the result that a node's moves prove, and the most plies to the end.
    pub(super) fn decided_by_moves(&self, node: u32) -> Option<(Proof, u16)> {
        let at = &self.tree.nodes[node as usize];
        let (player, children) = (at.to_move, self.tree.children_of(node));
        let best = children.iter().map(|child| child.proof).max_by_key(|proof| proof.rank(player))?;
        let wins = best == Proof::Win(player);
        if !wins && (at.next.is_some() || children.iter().any(|child| child.proof == Proof::Unknown)) {
            return None;
        }
        // Unknown ranks like a draw, so if nothing is unknown this is the true best result.
        let same = children.iter().filter(|child| child.proof.rank(player) == best.rank(player));
        let plies = same.map(|child| child.plies);
        let end = if wins { plies.min() } else { plies.max() };
        Some((best, end.unwrap_or(0).saturating_add(1)))
    }

    /// Evaluates the root, unless already done.
    pub fn expand_root(&mut self, evaluator: &mut impl Evaluator) {
        if self.tree.nodes.is_empty()
            && let Selection::Leaf(leaf) = self.select()
        {
            let evaluation = evaluator.evaluate(&leaf.position, &leaf.legal);
            self.expand(leaf, &evaluation);
        }
    }

    /// Mixes noise into the priors of an expanded root, where it remains until the game moves on.
    pub fn add_root_noise(&mut self, noise: &RootNoise, rng: &mut impl Rng) {
        let mut moves = self.tree.moves_of(0).to_vec();
        if moves.is_empty() {
            return;
        }
        moves.sort_unstable_by_key(|found| found.action());
        let mut priors: Vec<f32> = moves.iter().map(|found| found.prior()).collect();
        for (prior, share) in priors.iter_mut().zip(noise.draw(moves.len(), rng)) {
            *prior += noise.fraction * (share - *prior);
        }
        self.tree.set_priors(0, |action| {
            moves.binary_search_by_key(&action, |found| found.action()).map_or(0.0, |place| priors[place])
        });
        self.forced_playouts = noise.forced_playouts;
    }

    /// Clears the tree.
    pub fn forget(&mut self) {
        self.tree.clear();
        self.tree_has_solver_results = false;
        self.forget_root();
    }

    /// Clears the state of the last search.
    fn forget_root(&mut self) {
        self.forced_playouts = 0.0;
        self.stop_reason = None;
    }

    /// Plays a move at the root and keeps the subtree below it.
    ///
    /// # Panics
    /// May panic if the move is not legal.
    pub fn advance(&mut self, action: Action) {
        let has_proof = self.root_proof.take().is_some_and(|proof| proof.winner.is_some());
        let child = self.tree.child(0, action).filter(|_| !has_proof);
        self.moves = self.moves.with(&self.position, action);
        self.position.play(action);
        self.winning_action = self.position.winning_action();
        self.excluded.clear();
        self.forget_root();
        match child {
            Some(child) if self.tree.nodes[child as usize].is_expanded() => self.tree.keep_subtree(child),
            _ => self.tree.clear(),
        }
        self.find_endgame_solver();
    }
}

#[cfg(test)]
mod tests {
    use super::super::puct::Puct;
    use super::*;
    use hexzero_games::default_game;

    /// Returns what is known of a root after each of its moves is proven, from the first on or from
    /// the last. Red has as many moves as there are results: each is a value (1 for a win of Red)
    /// and its plies to the end.
    fn root_after(results: &[(f32, u16)], from_last: bool) -> Vec<Option<(f32, u16)>> {
        let mut search = Search::new(default_game().start(5).unwrap(), Puct::default());
        search.tree.add_root();
        search.tree.expand(0, Seat::First, (0..results.len()).map(|action| Move::new(Action(action as u16), 0.1)));
        let prove = |(number, &(value, plies)): (usize, &(f32, u16))| {
            let place = if from_last { results.len() - 1 } else { number };
            let winner = [Seat::Second, Seat::First][usize::from(value > 0.0)];
            let end = search.tree.open(0, place);
            search.tree.set_proof(end, Proof::of((value != 0.0).then_some(winner)), plies);
            search.prove(&[number as u16]);
            let root = &search.tree.nodes[0];
            root.proof.outcome().map(|outcome| (outcome.value(), root.plies))
        };
        results.iter().enumerate().map(prove).collect()
    }

    #[test]
    fn node_is_decided_by_a_win_or_by_all_moves() {
        const WIN: (f32, u16) = (1.0, 2);
        const DRAW: (f32, u16) = (0.0, 6);
        const LOSS: (f32, u16) = (-1.0, 3);
        for from_last in [false, true] {
            let root_after = |results: &[(f32, u16)]| root_after(results, from_last);
            assert_eq!(root_after(&[LOSS, WIN, LOSS])[..2], [None, Some((1.0, 3))]);
            assert_eq!(root_after(&[LOSS, (-1.0, 5)]), [None, Some((-1.0, 6))], "the longest loss");
            assert_eq!(root_after(&[LOSS, DRAW, LOSS]), [None, None, Some((0.0, 7))]);
            assert_eq!(root_after(&[DRAW, LOSS]), [None, Some((0.0, 7))]);
            assert_eq!(root_after(&[DRAW, DRAW]), [None, Some((0.0, 7))]);
            assert_eq!(root_after(&[DRAW, WIN]), [None, Some((1.0, 3))]);
        }
    }
}
