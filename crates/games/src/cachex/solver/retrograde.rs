//! The retrograde analysis: from the lost final positions backwards, ply by ply.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use super::{Boards, LOW_BOARDS};

/// From this value on, a byte belongs to an unsolved position: this value plus the number of moves
/// that may still save the side to move. Smaller values are the number of plies to the end, odd for
/// a win.
const UNSOLVED: u8 = 128;
/// A board that occurs in no game, because the side to move has already won.
const NEVER: u8 = u8::MAX;

/// The state of a board in the analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// Over in this many plies: won by the side to move if odd, lost if even.
    Solved(u8),
    /// Neither player can force a win.
    Unsolved,
    /// Not a position of a game.
    Never,
}

impl Entry {
    fn of(byte: u8) -> Self {
        match byte {
            NEVER => Self::Never,
            UNSOLVED.. => Self::Unsolved,
            plies => Self::Solved(plies),
        }
    }
}

/// The number of unfinished positions with each value to the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Won positions.
    pub won: usize,
    /// Drawn positions.
    pub drawn: usize,
    /// Lost positions.
    pub lost: usize,
    /// The plies of the longest win.
    pub longest_win: u8,
}

/// A byte for each board.
#[derive(Debug)]
pub(super) struct Table {
    bytes: Vec<AtomicU8>,
}

impl Table {
    /// Computes the values of all boards of a size.
    pub(super) fn solved(boards: &Boards) -> Self {
        let start = |index: usize| AtomicU8::new(start(boards, index));
        let table = Self { bytes: (0..boards.count()).into_par_iter().map(start).collect() };
        // The positions of each depth follow from those one ply shallower. When a layer is empty,
        // all are found.
        (1..UNSOLVED).take_while(|&plies| table.solve_layer(boards, plies)).for_each(drop);
        table
    }

    pub(super) fn entry(&self, index: usize) -> Entry {
        Entry::of(self.bytes[index].load(Relaxed))
    }

    pub(super) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for byte in &self.bytes {
            match Entry::of(byte.load(Relaxed)) {
                Entry::Solved(0) | Entry::Never => {}
                Entry::Solved(plies) if plies % 2 == 1 => {
                    counts.won += 1;
                    counts.longest_win = counts.longest_win.max(plies);
                }
                Entry::Solved(_) => counts.lost += 1,
                Entry::Unsolved => counts.drawn += 1,
            }
        }
        counts
    }

    /// Finds the positions that end in this many plies, and returns whether there are any.
    fn solve_layer(&self, boards: &Boards, plies: u8) -> bool {
        let chunk = |(high, bytes): (usize, &[AtomicU8])| {
            let next = bytes.iter().enumerate().filter(|(_, byte)| byte.load(Relaxed) == plies - 1);
            next.fold(false, |found, (low, _)| self.solve_before(boards, boards.stones(high, low), plies) || found)
        };
        // `any` would stop at the first one.
        self.bytes.par_chunks(LOW_BOARDS).enumerate().map(chunk).reduce(|| false, |a, b| a | b)
    }

    /// Updates all positions with a move to this one, which ends a ply earlier, and returns whether
    /// that decided one of them.
    fn solve_before(&self, boards: &Boards, (own, enemy): (u16, u16), plies: u8) -> bool {
        let empty = boards.full() & !(own | enemy);
        let mut found = false;
        // The last stone placed was one of the enemy's, and captured stones from cells that are
        // empty now.
        for placed in (0..boards.cells).filter(|cell| enemy >> cell & 1 != 0) {
            let before = enemy & !(1 << placed);
            let candidates = boards.captured(placed, before, empty);
            let mut taken = candidates;
            loop {
                if boards.captured(placed, before, own | taken) == taken {
                    found |= self.solve_one(boards.index_to_enemy(own | taken, before), plies);
                }
                if taken == 0 {
                    break;
                }
                taken = (taken - 1) & candidates;
            }
        }
        found
    }

    /// Records that a position has a move after which the game lasts one ply less than `plies`.
    fn solve_one(&self, index: usize, plies: u8) -> bool {
        let byte = &self.bytes[index];
        if Entry::of(byte.load(Relaxed)) != Entry::Unsolved {
            return false;
        }
        // A move to a lost position wins; a position is lost when all its moves lead to won ones. A
        // layer contains only one of the two kinds, so the result does not depend on the order of
        // the threads.
        let decided = plies % 2 == 1 || byte.fetch_sub(1, Relaxed) == UNSOLVED + 1;
        if decided {
            byte.store(plies, Relaxed);
        }
        decided
    }
}

/// Returns the state of a board before the analysis.
fn start(boards: &Boards, index: usize) -> u8 {
    let (own, enemy) = boards.stones(index / LOW_BOARDS, index % LOW_BOARDS);
    let own_joined = boards.joined[own as usize] & 1 != 0;
    let enemy_joined = boards.joined[enemy as usize] & 2 != 0;
    match (own_joined, enemy_joined) {
        (true, _) => NEVER,
        (false, true) => 0,
        (false, false) => UNSOLVED + (boards.full() & !(own | enemy)).count_ones() as u8,
    }
}
