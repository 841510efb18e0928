//! What a search has found.

use super::Prover;
use super::node::{Node, Reason, Verdict};
use crate::hex::{Cells, Stones, bit};

impl Prover<'_> {
    /// Returns a solved position of the table, filled in and in its canonical form, and why it is solved.
    pub(crate) fn solved(&self, stones: Stones) -> Option<(Verdict, &Reason)> {
        match self.table.find(stones)? {
            Node::Solved(verdict, reason) => Some((*verdict, reason)),
            _ => None,
        }
    }

    /// Returns a winning move of a position proven to be won.
    pub fn winning_move(&self, stones: Stones) -> Option<usize> {
        let filled = self.fill(stones, self.board.board());
        let (verdict, reason) = self.solved(filled.stones).filter(|(verdict, _)| verdict.wins)?;
        let cell = match reason {
            Reason::Move(cell) => usize::from(*cell),
            _ => self.key(filled.stones).unwrap_or_else(|| verdict.carrier.trailing_zeros() as usize),
        };
        if cell < self.board.cells() {
            return Some(self.unturned(bit(cell), filled.is_turned).trailing_zeros() as usize);
        }
        // Captured cells win: a stone on one of them, or anywhere.
        let carrier = if filled.own != 0 { filled.own } else { stones.empty(&self.board) };
        Some(carrier.trailing_zeros() as usize)
    }

    /// Returns the moves that a stopped search has not refuted, in the order of search: if any move wins, one of these
    /// does. `None` if the position was not expanded, or is solved.
    pub fn open_moves(&self, stones: Stones) -> Option<Vec<usize>> {
        let filled = self.fill(stones, self.board.board());
        let Node::Open(open) = self.table.find(filled.stones)? else { return None };
        let cell = |cell: u8| self.unturned(bit(cell.into()), filled.is_turned).trailing_zeros() as usize;
        Some(open.moves.iter().map(|found| cell(found.cell)).collect())
    }

    pub(super) fn unturned(&self, set: Cells, is_turned: bool) -> Cells {
        if is_turned { self.board.turned(set) } else { set }
    }
}
