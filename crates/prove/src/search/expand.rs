//! Moves, and what is known of a position before they are searched.

use super::Prover;
use super::node::{Answer, Move, Node, Open, Reason, Verdict};
use super::table::NONE;
use crate::hex::{Analysis, Analyst, Cells, Stones, bit, fill, members};

/// A position after a move, filled in.
pub(super) struct Child {
    /// The canonical form, as the next mover sees it.
    pub stones: Stones,
    /// Whether that is the board after half a turn.
    pub is_turned: bool,
    /// Cells captured by the player who moved, and by the other, as the player who moved sees them.
    pub own: Cells,
    pub opponent: Cells,
}

impl Prover<'_> {
    /// Fills in dead and captured cells among `near`, and brings the board into its canonical form.
    pub(super) fn fill(&self, mut stones: Stones, near: Cells) -> Child {
        let is_used = self.options.knowledge.inferior;
        let filled = if is_used { fill(&self.board, &mut stones, near, |_| ()) } else { Default::default() };
        let (stones, is_turned) = stones.canonical(&self.board);
        Child { stones, is_turned, own: filled.own, opponent: filled.opponent }
    }

    /// Returns the cells to fill in around a stone of the last mover, as the next one sees them.
    pub(crate) fn near(&self, cell: u8) -> Cells {
        let board = &self.board;
        let around = board.neighbours(cell.into()) & board.board();
        board.transposed((around | board.around(around)) & board.board())
    }

    pub(super) fn play(&self, stones: Stones, cell: u8) -> Child {
        let board = &self.board;
        let child = self.fill(stones.after(board, cell.into()), self.near(cell));
        let [own, opponent] = [child.opponent, child.own].map(|set| board.transposed(set));
        Child { own, opponent, ..child }
    }

    /// Returns the carrier of a child's proof as the player who moved there sees it, before the move.
    pub(super) fn carrier(&self, stones: Stones, cell: u8, verdict: Verdict) -> Cells {
        let child = self.play(stones, cell);
        let carrier = self.board.transposed(self.unturned(verdict.carrier, child.is_turned));
        if verdict.wins { carrier | child.opponent } else { carrier | child.own | bit(cell.into()) }
    }

    /// Looks at a position for the first time. `is_root` says whether the mover may have a connection.
    pub(super) fn expand(&mut self, stones: Stones, is_root: bool) -> Node {
        let known = |wins, carrier| Node::Solved(Verdict { wins, carrier }, Reason::Known);
        let answers = |threats: Vec<Cells>| -> Vec<Answer> {
            threats.into_iter().map(|carrier| Answer { cell: None, carrier }).collect()
        };
        let analyse = if is_root { Analyst::analyse } else { Analyst::analyse_opponent };
        let threats = match analyse(&mut self.analyst, &self.board, stones) {
            Analysis::Won(carrier) => return known(true, carrier),
            Analysis::Lost(carrier) => return known(false, carrier),
            Analysis::Refuted(threats) => {
                let carrier = threats.iter().fold(0, |union, threat| union | threat);
                return Node::Solved(Verdict { wins: false, carrier }, Reason::Answers(answers(threats).into()));
            }
            Analysis::Open(threats) => threats,
        };
        let allowed = threats.iter().fold(stones.empty(&self.board), |allowed, threat| allowed & threat);
        self.guide.score(&self.board, stones, &mut self.scores);
        let mut cells: Vec<u8> = members(allowed).map(|cell| cell as u8).collect();
        cells.sort_by(|&a, &b| self.scores[usize::from(b)].total_cmp(&self.scores[usize::from(a)]));
        let moves: Vec<Move> = cells.into_iter().map(|cell| Move { cell, node: NONE }).collect();
        Node::Open(Box::new(Open { phi: 1, delta: 1, moves, allowed, answers: answers(threats) }))
    }
}
