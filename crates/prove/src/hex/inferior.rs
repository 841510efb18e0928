//! Cells whose colour cannot matter, or that belong to a player whoever moves there.
//!
//! A cell is *dead* if no way of filling the board makes it matter: no shortest path of a player runs
//! through it, because all cells around it that the player has or can have are next to each other. A pair of
//! cells is *captured* by a player who can answer a stone on either by one on the other that makes it dead
//! (Björnsson, Hayward, Johanson and van Rijswijck, *Dead cell analysis in Hex and the Shannon game*, 2007).
//!
//! In Y, these cells must also touch the sides that the dead cell touches, because sides do not join chains.

use std::sync::LazyLock;

use super::geometry::{Cells, Geometry, NOWHERE, bit, members};
use super::stones::Stones;

/// The slots beside each of six, which lie in a ring.
const fn beside(slot: usize) -> u8 {
    1 << ((slot + 1) % 6) | 1 << ((slot + 5) % 6)
}

/// Whether a cell is dead, by the slots around it with a player's stones (low six bits) and the empty ones (high six
/// bits). Sides of Y are in both sets.
static IS_CLIQUE: LazyLock<Vec<bool>> =
    LazyLock::new(|| (0..4096).map(|index| is_clique(index & 63, index >> 6)).collect());

/// Returns whether the slots with stones and the empty ones are all next to each other, chains taken as one, and next
/// to the sides.
fn is_clique(stones: usize, empty: usize) -> bool {
    let sides = (stones & empty) as u8;
    let (stones, empty) = (stones as u8 & !sides, empty as u8 & !sides);
    let mut members = runs(stones);
    members.extend((0..6).map(|slot| 1 << slot).filter(|slot| empty & slot != 0));
    let are_beside = |a: u8, b: u8| around(a) & b != 0;
    let are_joined = members.iter().enumerate().all(|(index, &a)| members[..index].iter().all(|&b| are_beside(a, b)));
    are_joined && runs(sides).iter().all(|&side| members.iter().all(|&member| are_beside(member, side)))
}

/// Returns the slots beside any of these.
fn around(slots: u8) -> u8 {
    (0..6).filter(|&slot| slots >> slot & 1 != 0).fold(0, |around, slot| around | beside(slot))
}

/// Splits slots into runs of neighbouring ones.
fn runs(slots: u8) -> Vec<u8> {
    let (mut runs, mut rest) = (Vec::new(), slots);
    while rest != 0 {
        let mut run = 1 << rest.trailing_zeros();
        while around(run) & rest & !run != 0 {
            run |= around(run) & rest;
        }
        runs.push(run);
        rest &= !run;
    }
    runs
}

/// The cells that were filled in, except dead ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filled {
    /// Cells captured by the mover.
    pub own: Cells,
    /// Cells captured by the opponent.
    pub opponent: Cells,
}

/// Returns the slots around a cell that are in `stones` (low six bits) and in `empty` (high six bits).
#[inline]
fn slots(board: &Geometry, cell: usize, stones: Cells, empty: Cells) -> usize {
    board
        .ring(cell)
        .iter()
        .enumerate()
        .filter(|&(_, &at)| at != NOWHERE)
        .fold(0, |index, (slot, &at)| index | ((stones >> at & 1) as usize | ((empty >> at & 1) as usize) << 6) << slot)
}

fn is_dead(board: &Geometry, cell: usize, players: [Cells; 2], empty: Cells) -> bool {
    let [own, opponent] = board.sides();
    let empty = empty | own & opponent;
    players.iter().any(|&stones| IS_CLIQUE[slots(board, cell, stones, empty)])
}

/// A step of filling in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A dead cell, which gets a stone of the mover.
    Dead(u8),
    /// A pair captured by the mover.
    Own([u8; 2]),
    /// A pair captured by the opponent.
    Opponent([u8; 2]),
}

/// Fills in dead and captured cells among `near`, and around each cell filled in. Dead cells get the mover's stones.
pub fn fill(board: &Geometry, stones: &mut Stones, near: Cells, mut note: impl FnMut(Step)) -> Filled {
    let mut filled = Filled::default();
    let mut open = near & stones.empty(board);
    while open != 0 {
        let cell = open.trailing_zeros() as usize;
        open &= open - 1;
        let empty = stones.empty(board);
        if empty & bit(cell) == 0 {
            continue;
        }
        let players = stones.with_sides(board);
        let changed = if is_dead(board, cell, players, empty & !bit(cell)) {
            stones.own |= bit(cell);
            note(Step::Dead(cell as u8));
            bit(cell)
        } else if let Some((other, is_own)) = captured_pair(board, cell, players, empty) {
            let pair = bit(cell) | bit(other);
            if is_own {
                stones.own |= pair;
                filled.own |= pair;
                note(Step::Own([cell as u8, other as u8]));
            } else {
                stones.opponent |= pair;
                filled.opponent |= pair;
                note(Step::Opponent([cell as u8, other as u8]));
            }
            pair
        } else {
            continue;
        };
        let around = board.around(changed);
        open |= (around | board.around(around & board.board())) & stones.empty(board);
    }
    filled
}

/// Returns a neighbour that forms a captured pair with a cell, and whether the mover captures it.
fn captured_pair(board: &Geometry, cell: usize, players: [Cells; 2], empty: Cells) -> Option<(usize, bool)> {
    for other in members(board.neighbours(cell) & empty) {
        let pair = bit(cell) | bit(other);
        let open = empty & !pair;
        for (index, is_own) in [(0, true), (1, false)] {
            let with = |stone: usize| {
                let mut players = players;
                players[index] |= bit(stone);
                players
            };
            if is_dead(board, cell, with(other), open) && is_dead(board, other, with(cell), open) {
                return Some((other, is_own));
            }
        }
    }
    None
}
