//! Fan (Michael Howe, 1995): Hex in which a turn may end with a capturing step of another stone.
//!
//! Black moves first and connects row 1 to the last row, White column a to the last column. A turn
//! consists of two plies: a stone is placed, and then, if one is possible, a different own stone
//! may make a capturing step. The stone moves to an adjacent empty cell and captures the enemy
//! stone directly ahead of its new cell (by approach) and the one directly behind its old cell (by
//! withdrawal). Captured stones change hands. Without a capture there is no step.

mod info;
mod steps;

use crate::shared::place_and_move::{Kind, Move, PlaceAndMove};
use crate::shared::rhombus_sets::{Cell, PLANES, Stones};
use crate::{Change, ChangeLog, GameInfo, InvalidMove, PathCosts, Seat};
use hexzero_board::{DIRECTIONS, RhombusSet};

use steps::{captured_by, capturing, reach};

/// The largest board size.
const MAX_SIZE: usize = 11;
/// Number of input planes.
const INPUTS: usize = PLANES + 5;

/// Fan, with or without the swap, as a game of placing and moving.
#[derive(Debug, Clone, Copy)]
pub struct FanKind<const SWAP: bool>;

/// A position of Fan, with or without the swap.
pub type FanRules<const SWAP: bool> = PlaceAndMove<FanKind<SWAP>>;
/// Fan as published: without the swap.
pub type Fan = FanRules<false>;
/// Fan in which White may take over the first stone.
pub type FanWithSwap = FanRules<true>;

/// Returns the steps that may follow the placement, by direction.
fn steps_of<const SWAP: bool>(position: &FanRules<SWAP>) -> [RhombusSet; DIRECTIONS] {
    capturing(&position.stones, position.to_move, position.just_placed())
}

impl<const SWAP: bool> Kind for FanKind<SWAP> {
    const INFO: GameInfo = if SWAP { info::WITH_SWAP } else { info::WITHOUT_SWAP.without_swap() };
    const SWAP: bool = SWAP;
    /// No step can follow the first stone, because there is nothing to capture.
    const FIRST_TURN: u16 = 1;
    const CAPTURES: usize = 2;
    const BARS_PLACED: bool = true;
    const WORDS: [&'static str; 2] = ["step", "capture with a step of another stone"];

    fn goes_on(position: &FanRules<SWAP>) -> bool {
        steps_of(position).iter().any(|from| !from.is_empty())
    }

    fn moves(position: &FanRules<SWAP>, mut visit: impl FnMut(Move)) {
        for (direction, from) in steps_of(position).iter().enumerate() {
            from.iter().for_each(|cell| visit((cell, direction, 1)));
        }
    }

    fn check(position: &FanRules<SWAP>, (from, direction, _): Move) -> Result<(), InvalidMove> {
        let stones = &position.stones;
        let name = |cell: Cell| stones.name(cell);
        let refused = |reason: String| Err(InvalidMove::refused(reason));
        if position.just_placed().contains(from.0, from.1) {
            return refused(format!("{} has just been placed; only another stone may step", name(from)));
        }
        match stones.next(from, direction) {
            Some(to) if stones.owner(to).is_some() => Err(InvalidMove::Occupied { cell: name(to) }),
            Some(_) if captured_by(stones, position.to_move, from, direction) != [None; 2] => Ok(()),
            Some(to) => refused(format!("a step from {} to {} captures nothing", name(from), name(to))),
            None => refused(format!("a step from {} in this direction leads off the board", name(from))),
        }
    }

    fn make(stones: &mut Stones, mover: Seat, (from, direction, _): Move, changes: &mut impl ChangeLog) {
        let to = stones.away(from, direction, 1);
        let captured = captured_by(stones, mover, from, direction);
        stones.take(mover, from);
        stones.put(mover, to);
        let [left, entered] = [from, to].map(|cell| stones.number(cell) as u16);
        changes.note(Change::Moved(left, entered));
        for cell in captured.into_iter().flatten() {
            stones.take(mover.opponent(), cell);
            stones.put(mover, cell);
            changes.note(Change::Recoloured(stones.number(cell) as u16));
        }
    }

    fn distance(text: &str, stated: Option<usize>) -> Result<usize, String> {
        match stated {
            Some(_) => Err(format!("a step leads to the next cell: '{text}' has no distance")),
            None => Ok(1),
        }
    }

    fn path_costs(position: &FanRules<SWAP>, player: Seat) -> PathCosts {
        let stones = &position.stones;
        let but = if position.to_move == player { position.just_placed() } else { RhombusSet::EMPTY };
        stones.path_costs(player, position.to_move, |seat| reach(stones, seat, but).1, [2, 3])
    }

    /// Planes after the common ones: the stone placed this turn, if a step may follow; the stones
    /// that the mover and that the enemy could step with; the enemy stones that the mover could
    /// capture by a step, and vice versa.
    fn encode(position: &FanRules<SWAP>, cells: &mut [f32]) {
        let (stones, mover, placed) = (&position.stones, position.to_move, position.just_placed());
        let mut planes = stones.planes::<INPUTS>(mover);
        let (own_steps, own_captures) = reach(stones, mover, placed);
        let (enemy_steps, enemy_captures) = reach(stones, mover.opponent(), RhombusSet::EMPTY);
        planes[PLANES..].copy_from_slice(&[placed, own_steps, enemy_steps, own_captures, enemy_captures]);
        stones.write(mover, &planes, cells);
    }
}
