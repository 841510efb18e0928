//! Positions of the table: open with proof numbers, or solved with a reason.

use crate::hex::{Cells, bit, needed};

/// The result of a position: who wins, and the empty cells needed for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the side to move wins.
    pub wins: bool,
    /// The cells the winner needs.
    pub carrier: Cells,
}

/// A number that stands for an impossible proof.
pub(super) const INFINITE: u32 = u32::MAX / 4;

#[derive(Debug, Clone)]
pub(super) enum Node {
    /// Not expanded.
    New,
    Solved(Verdict, Reason),
    Open(Box<Open>),
}

/// Why a position is solved.
#[derive(Debug, Clone)]
pub(crate) enum Reason {
    /// By what is known without a search.
    Known,
    /// The mover wins by this move.
    Move(u8),
    /// The opponent has these answers, no cell of which is in all carriers.
    Answers(Box<[Answer]>),
}

/// A win of the opponent within a carrier.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answer {
    /// The move of the mover that was answered, or none if this is a threat.
    pub cell: Option<u8>,
    pub carrier: Cells,
}

/// An expanded position.
#[derive(Debug, Clone)]
pub(super) struct Open {
    /// Leaves to prove for a win of the mover, and for a loss.
    pub phi: u32,
    pub delta: u32,
    /// The moves that are not refuted, in the order of search.
    pub moves: Vec<Move>,
    /// The cells outside of which every move loses.
    pub allowed: Cells,
    /// The opponent's threats, and its answers to moves.
    pub answers: Vec<Answer>,
    /// Moves not searched, each with one that is better.
    pub dominated: Vec<(Move, u8)>,
}

/// A move, and the number of the position after it once it has been searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Move {
    pub cell: u8,
    pub node: u32,
}

impl Node {
    /// Returns the leaves to prove for a win of the mover, and for a loss.
    pub(super) fn numbers(&self) -> [u32; 2] {
        match self {
            Self::New => [1, 1],
            Self::Solved(Verdict { wins: true, .. }, _) => [0, INFINITE],
            Self::Solved(Verdict { wins: false, .. }, _) => [INFINITE, 0],
            Self::Open(open) => [open.phi, open.delta],
        }
    }

    /// Returns the bytes it holds elsewhere.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::New | Self::Solved(_, Reason::Known | Reason::Move(_)) => 0,
            Self::Solved(_, Reason::Answers(answers)) => size_of_val(&answers[..]),
            Self::Open(open) => {
                size_of::<Open>()
                    + open.moves.capacity() * size_of::<Move>()
                    + open.answers.capacity() * size_of::<Answer>()
                    + open.dominated.capacity() * size_of::<(Move, u8)>()
            }
        }
    }
}

impl Open {
    /// Keeps the number of the position after a move.
    pub(super) fn link(&mut self, cell: u8, node: u32) {
        if let Some(found) = self.moves.iter_mut().find(|found| found.cell == cell) {
            found.node = node;
        }
    }

    /// Takes out a move answered within a carrier, and all moves outside of it.
    pub(super) fn refute(&mut self, cell: u8, carrier: Cells) {
        self.answers.push(Answer { cell: Some(cell), carrier });
        self.allowed &= carrier;
        let allowed = self.allowed;
        self.moves.retain(|found| found.cell != cell && allowed & bit(found.cell.into()) != 0);
        // What was worse than a move that is never searched has to be searched itself.
        let searched = |better: &u8| {
            let is_open = self.moves.iter().any(|found| found.cell == *better);
            is_open || self.answers.iter().any(|answer| answer.cell == Some(*better))
        };
        let (kept, back): (Vec<_>, Vec<_>) = self.dominated.drain(..).partition(|(_, better)| searched(better));
        self.dominated = kept;
        let back = back.into_iter().map(|(found, _)| found);
        self.moves.extend(back.filter(|found| allowed & bit(found.cell.into()) != 0));
    }

    /// Returns the answers that suffice against every move. A dominated move is not in the carrier of the answer to
    /// the better one, after which it is the mover's own, captured or dead.
    pub(super) fn needed_answers(&self) -> Box<[Answer]> {
        let carriers: Vec<Cells> = self.answers.iter().map(|answer| answer.carrier).collect();
        let Some(chosen) = needed(&carriers) else { return self.answers.clone().into() };
        chosen.into_iter().map(|number| self.answers[number]).collect()
    }
}
