//! Link (Michael Howe, 1995): Hex in which a turn may end with moving a line of stones, which
//! pushes others along.
//!
//! Black moves first and connects row 1 to the last row, White column a to the last column. A turn
//! consists of two plies: a stone is placed, then a group of stones may be moved. The group is the
//! front part of an unbroken straight line of own stones, up to its last stone in the direction of
//! travel, and moves at most as many cells as it has stones. A single stone may move in any
//! direction. Enemy stones in the way are pushed along if they are fewer than the group. Nothing
//! leaves the board, and own stones block the way.
//!
//! If a player's sides are connected after their placement or movement, that player has won;
//! otherwise the opponent has, if connected then.

mod info;
mod movement;

use crate::shared::place_and_move::{Kind, Move, PlaceAndMove};
use crate::shared::rhombus_sets::{PLANES, Stones};
use crate::{ChangeLog, GameInfo, InvalidMove, PathCosts, Seat};

use movement::Movement;

/// The largest board size.
const MAX_SIZE: usize = 9;
/// The longest distance of a movement.
const FARTHEST: usize = MAX_SIZE - 1;
/// Number of input planes.
const INPUTS: usize = PLANES + 4;

/// Link, with or without the swap, as a game of placing and moving.
#[derive(Debug, Clone, Copy)]
pub struct LinkKind<const SWAP: bool>;

/// A position of Link, with or without the swap.
pub type LinkRules<const SWAP: bool> = PlaceAndMove<LinkKind<SWAP>>;
/// Link as published: without the swap.
pub type Link = LinkRules<false>;
/// Link in which White may take over the first stone.
pub type LinkWithSwap = LinkRules<true>;

impl<const SWAP: bool> Kind for LinkKind<SWAP> {
    const INFO: GameInfo = if SWAP { info::WITH_SWAP } else { info::WITHOUT_SWAP.without_swap() };
    const SWAP: bool = SWAP;
    /// A stone, and a movement or none.
    const FIRST_TURN: u16 = 2;
    const CAPTURES: usize = 0;
    const BARS_PLACED: bool = false;
    const WORDS: [&'static str; 2] = ["movement", "move stones of yours"];

    fn moves(position: &LinkRules<SWAP>, mut visit: impl FnMut(Move)) {
        movement::each(&position.stones, position.to_move, |Movement { tail, direction, distance }| {
            visit((tail, direction, distance));
        });
    }

    fn check(position: &LinkRules<SWAP>, (tail, direction, distance): Move) -> Result<(), InvalidMove> {
        let (stones, mover) = (&position.stones, position.to_move);
        if (Movement { tail, direction, distance }).is_legal(stones, mover) {
            return Ok(());
        }
        let (name, (group, _)) = (stones.name(tail), stones.run(mover, tail, direction));
        Err(InvalidMove::refused(format!(
            "the {group} stone(s) from {name} cannot move {distance} cell(s) so: no further than their number, pushing \
             fewer than they are, and past no stone of yours and no edge"
        )))
    }

    fn make(stones: &mut Stones, mover: Seat, (tail, direction, distance): Move, changes: &mut impl ChangeLog) {
        Movement { tail, direction, distance }.make(stones, mover, changes);
    }

    fn distance(text: &str, stated: Option<usize>) -> Result<usize, String> {
        match stated {
            Some(distance) if distance <= FARTHEST => Ok(distance),
            Some(_) => Err(format!("'{text}' goes too far: {FARTHEST} cells at most")),
            None => Err(format!("say how many cells: '{text}-1' or more")),
        }
    }

    fn path_costs(position: &LinkRules<SWAP>, player: Seat) -> PathCosts {
        let stones = &position.stones;
        // The side to move can push first.
        stones.path_costs(player, position.to_move, |seat| movement::reach(stones, seat).1, [3, 4])
    }

    /// Planes after the common ones: the stones that the mover and that the enemy could move; the
    /// enemy stones that the mover could push, and vice versa.
    fn encode(position: &LinkRules<SWAP>, cells: &mut [f32]) {
        let (stones, mover) = (&position.stones, position.to_move);
        let mut planes = stones.planes::<INPUTS>(mover);
        let (own_movers, own_pushes) = movement::reach(stones, mover);
        let (enemy_movers, enemy_pushes) = movement::reach(stones, mover.opponent());
        planes[PLANES..].copy_from_slice(&[own_movers, enemy_movers, own_pushes, enemy_pushes]);
        stones.write(mover, &planes, cells);
    }
}
