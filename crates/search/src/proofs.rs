//! Proofs of the root beside the search, in games that have a prover: Hex ([`hexzero_prove`]).
//!
//! Analysis asks for them; play does not, which gained nothing from them. A won root is decided by the proof's move. A
//! lost one is searched, since some moves are harder to answer.

use hexzero_games::{Action, EndgameResult, Evaluator, Hex, Position, Seat};
use hexzero_prove::hex::{Geometry, Resistance, Stones, members};
use hexzero_prove::{Options, Prover, Verdict, cells_of};
use hexzero_system::stop::StopSignal;

use super::statistics::Proof;
use super::tree_search::Search;

/// The most bytes of the table of a proof.
const MAX_BYTES: usize = 64 << 20;

/// What a proof search found at the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootProof {
    /// The winner, or `None` if it is not proven.
    pub winner: Option<Seat>,
    /// The empty cells that the winner needs: all others may be the loser's. Without a winner, the moves that are not
    /// refuted: if any move wins, one of these does.
    pub cells: Vec<usize>,
    /// The winning move, if the mover wins.
    action: Option<Action>,
    /// The limit of positions to expand.
    nodes: u64,
}

impl RootProof {
    /// Searches for a proof, expanding at most `nodes` positions, until `stop` is requested. Returns `None` if the game
    /// is not Hex, the board is too large for the prover, or a swap may still follow.
    pub fn search(position: &Position, nodes: u64, stop: &StopSignal) -> Option<Self> {
        let swap_ahead = position.rules::<Hex>().is_some() && position.turns() < 2;
        if swap_ahead {
            return None;
        }
        let board = Geometry::of(position).filter(|board| !board.is_y())?;
        let stones = Stones::of(position, &board);
        let options = Options { max_nodes: nodes, max_bytes: MAX_BYTES, ..Options::default() };
        let mover = position.to_move();
        let prover = Prover::on(board, options, Box::new(Resistance::default()));
        let mut prover = prover.watched(Box::new(|_| stop.is_requested()));
        let verdict = prover.prove(stones);
        let turned = |cells| cells_of(prover.board(), mover, cells);
        let cell = |cell: usize| turned(1 << cell).trailing_zeros() as usize;
        let open = || prover.open_moves(stones).unwrap_or_default().into_iter().map(cell).collect();
        let action = verdict.filter(|verdict| verdict.wins).and_then(|_| prover.winning_move(stones));
        Some(Self {
            winner: verdict.map(|Verdict { wins, .. }| if wins { mover } else { mover.opponent() }),
            cells: verdict.map_or_else(open, |verdict| members(turned(verdict.carrier)).collect()),
            action: action.map(|found| Action(cell(found) as u16)),
            nodes,
        })
    }

    /// Returns the most plies to the end. A move of the loser outside of the cells is no better than one inside, and
    /// the winner has won once they are full.
    fn plies(&self) -> u16 {
        let cells = self.cells.len() as u16;
        if self.action.is_some() { cells.div_ceil(2) * 2 - 1 } else { cells / 2 * 2 }
    }
}

impl Search {
    /// Returns what a proof search found at the root, in games that have a prover. Without some moves of the root
    /// ([`Search::without`]), returns only a win by another move, or a loss.
    pub fn root_proof(&self) -> Option<&RootProof> {
        self.root_proof.as_ref().filter(|proof| match proof.action {
            Some(action) => !self.excluded.contains(&action),
            None => proof.winner.is_some() || self.excluded.is_empty(),
        })
    }

    /// Searches for a proof of the root, expanding at most `nodes` positions, and uses it. Without a proof, a later
    /// call searches again only with at least twice as many. Evaluates the root if necessary.
    pub fn prove_root(&mut self, evaluator: &mut impl Evaluator, nodes: u64) {
        let is_open = self.winning_action.is_none() && self.position.outcome().is_none();
        let is_done = |known: &RootProof| known.winner.is_some() || nodes < 2 * known.nodes;
        if !is_open || nodes == 0 {
            return;
        }
        if !self.root_proof.as_ref().is_some_and(is_done) {
            self.root_proof = RootProof::search(&self.position, nodes, &self.stop);
        }
        if self.root_proof.is_some() {
            self.expand_root(evaluator);
        }
        let Some(proof) = &self.root_proof else { return };
        let (mover, plies) = (self.position.to_move(), proof.plies());
        match (proof.winner, proof.action) {
            (Some(_), Some(action)) => self.decide(action, mover, plies),
            (Some(winner), None) => self.proven_loss = Some(EndgameResult { winner: Some(winner), plies }),
            (None, _) => {}
        }
    }

    /// Marks a move of the root, unless it is excluded, as won within this many plies.
    fn decide(&mut self, action: Action, mover: Seat, plies: u16) {
        if self.tree.nodes.first().is_none_or(|root| root.proof != Proof::Unknown) {
            return;
        }
        let place = self.tree.moves_of(0).iter().position(|found| found.action() == action);
        let known = self.tree.child(0, action);
        if let Some(child) = known.or_else(|| place.map(|place| self.tree.open(0, place))) {
            self.tree.set_proof(child, Proof::Win(mover), plies - 1);
            self.tree.set_proof(0, Proof::Win(mover), plies);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::judge;
    use crate::{Limits, SearchSettings};
    use hexzero_games::{game_named, play_all};

    fn searched(search: &mut Search, nodes: u64) {
        search.prove_root(&mut judge, nodes);
        search.run(&mut judge, &Limits::visits(200));
    }

    /// After a proven win, each answer of the opponent leaves a position that a proof wins, and the search itself has
    /// begun anew.
    #[test]
    fn proven_win_holds_against_every_answer() {
        let mut position = game_named("hex-noswap").unwrap().start(4).unwrap();
        play_all(&mut position, "a2 d1").unwrap();
        let mut search = Search::new(position.clone(), SearchSettings::default());
        search.run(&mut judge, &Limits::visits(200));
        assert!(!search.is_proven());
        searched(&mut search, 100);
        assert_eq!(search.root_proof().unwrap().winner, Some(Seat::First));
        let best = search.best_action().unwrap();
        assert!(search.root_moves()[0].is_proven_win() && search.visits() == 200);
        search.advance(best);
        position.play(best);
        for action in position.legal() {
            let mut search = search.clone();
            assert_eq!((search.visits(), search.root_proof()), (0, None));
            search.advance(action);
            searched(&mut search, 100);
            assert!(search.root_moves()[0].is_proven_win(), "{}", search.position().drawing(None));
        }
    }

    #[test]
    fn lost_root_is_searched() {
        let mut position = game_named("hex-noswap").unwrap().start(5).unwrap();
        play_all(&mut position, "c2 a1 b4 a2 e5").unwrap();
        let mut search = Search::new(position, SearchSettings::default());
        searched(&mut search, 100);
        let proof = search.root_proof().unwrap();
        assert_eq!((proof.winner, search.visits()), (Some(Seat::First), 200));
        assert!(search.root_moves().iter().all(|found| found.is_proven_loss()));
    }

    /// A win by a move that is left out says nothing about the others.
    #[test]
    fn win_by_an_excluded_move_is_not_returned() {
        let mut position = game_named("hex-noswap").unwrap().start(4).unwrap();
        play_all(&mut position, "a2 d1").unwrap();
        let mut search = Search::new(position.clone(), SearchSettings::default());
        searched(&mut search, 100);
        let winning = search.root_proof().unwrap().action.unwrap();
        let mut others = Search::new(position, SearchSettings::default()).without([winning]);
        searched(&mut others, 100);
        assert_eq!(others.root_proof(), None);
    }

    #[test]
    fn nothing_is_proven_before_the_swap() {
        let mut position = game_named("hex").unwrap().start(3).unwrap();
        for name in ["b2", "swap"] {
            let mut search = Search::new(position.clone(), SearchSettings::default());
            searched(&mut search, 100);
            assert_eq!(search.root_proof(), None);
            position.play_named(name).unwrap();
        }
        let mut search = Search::new(position, SearchSettings::default());
        searched(&mut search, 100);
        assert_eq!(search.root_proof().unwrap().winner, Some(Seat::Second));
    }

    #[test]
    fn bound_on_plies_holds_a_win_and_its_answers() {
        let proof = |cells, action| RootProof { winner: Some(Seat::First), cells, action, nodes: 1 };
        assert_eq!(proof(vec![4], Some(Action(4))).plies(), 1);
        assert_eq!(proof(vec![4, 5, 6], Some(Action(4))).plies(), 3);
        assert_eq!(proof(vec![4, 5], None).plies(), 2);
    }
}
