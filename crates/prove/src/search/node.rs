//! Positions of the table: open with proof numbers, or solved with a reason.

use serde::{Deserialize, Serialize};

use super::table::NONE;
use crate::hex::{Cells, bit, needed};

/// The result of a position: who wins, and the empty cells needed for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether the side to move wins.
    pub wins: bool,
    /// The cells the winner needs.
    pub carrier: Cells,
}

/// A number that stands for an impossible proof.
pub(super) const INFINITE: u32 = u32::MAX / 4;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Node {
    /// Not expanded.
    New,
    Solved(Verdict, Reason),
    Open(Box<Open>),
}

/// Why a position is solved.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Reason {
    /// By what is known without a search.
    Known,
    /// The mover wins by this move.
    Move(u8),
    /// The opponent has these answers, no cell of which is in all carriers.
    Answers(Box<[Answer]>),
}

/// A win of the opponent within a carrier.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Answer {
    /// The move of the mover that was answered, or none if this is a threat.
    pub cell: Option<u8>,
    pub carrier: Cells,
}

/// An expanded position.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
}

/// A move, and the number of the position after it once it has been searched.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
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

    /// Returns whether moves and carriers are on these empty cells, and `follows` accepts the positions after moves.
    pub(super) fn may_be(&self, empty: Cells, follows: impl Fn(u32) -> bool) -> bool {
        let is_move = |cell: u8| cell < 128 && empty & bit(cell.into()) != 0;
        let within = |carrier: Cells| carrier & !empty == 0;
        let are_answers =
            |answers: &[Answer]| answers.iter().all(|answer| answer.cell.is_none_or(is_move) && within(answer.carrier));
        match self {
            Self::New => true,
            Self::Solved(verdict, reason) => {
                within(verdict.carrier)
                    && match reason {
                        Reason::Known => true,
                        Reason::Move(cell) => is_move(*cell),
                        Reason::Answers(answers) => are_answers(answers),
                    }
            }
            Self::Open(open) => {
                let may_be = |found: &Move| is_move(found.cell) && (found.node == NONE || follows(found.node));
                let are_numbers = open.phi < INFINITE && open.delta < INFINITE;
                are_numbers && open.moves.iter().all(may_be) && are_answers(&open.answers)
            }
        }
    }

    /// Returns the bytes that it holds on the heap.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::New | Self::Solved(_, Reason::Known | Reason::Move(_)) => 0,
            Self::Solved(_, Reason::Answers(answers)) => size_of_val(&answers[..]),
            Self::Open(open) => {
                size_of::<Open>()
                    + open.moves.capacity() * size_of::<Move>()
                    + open.answers.capacity() * size_of::<Answer>()
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

    /// Removes a move that was answered within a carrier, and all moves outside of the carrier.
    pub(super) fn refute(&mut self, cell: u8, carrier: Cells) {
        self.answers.push(Answer { cell: Some(cell), carrier });
        self.allowed &= carrier;
        let allowed = self.allowed;
        self.moves.retain(|found| found.cell != cell && allowed & bit(found.cell.into()) != 0);
    }

    /// Returns the answers that suffice against every move.
    pub(super) fn needed_answers(&self) -> Box<[Answer]> {
        let carriers: Vec<Cells> = self.answers.iter().map(|answer| answer.carrier).collect();
        let Some(chosen) = needed(&carriers) else { return self.answers.clone().into() };
        chosen.into_iter().map(|number| self.answers[number]).collect()
    }
}
