//! Capturing steps: by approach, by withdrawal, or both.

use crate::Seat;
use crate::shared::rhombus_sets::{Cell, Stones, moved};
use hexzero_board::{DIRECTIONS, RhombusSet};

/// Returns, for each direction, a player's stones that can capture by a step, except those on the
/// cells `but`.
pub(super) fn capturing(stones: &Stones, player: Seat, but: RhombusSet) -> [RhombusSet; DIRECTIONS] {
    let (own, enemy, empty) = (stones.of(player) & !but, stones.of(player.opponent()), stones.empty());
    std::array::from_fn(|direction| {
        // A withdrawal has the enemy directly behind it, an approach two cells ahead.
        let captures = moved(enemy, direction, 1) | moved(enemy, direction, -2);
        own & moved(empty, direction, -1) & captures
    })
}

/// Returns the enemy stones that a player's stone on a cell captures by a step, at most one behind
/// and one ahead.
pub(super) fn captured_by(stones: &Stones, player: Seat, from: Cell, direction: usize) -> [Option<Cell>; 2] {
    let behind = stones.next(from, (direction + DIRECTIONS / 2) % DIRECTIONS);
    let ahead = stones.next(from, direction).and_then(|target| stones.next(target, direction));
    [behind, ahead].map(|cell| cell.filter(|&cell| stones.has(player.opponent(), cell)))
}

/// Returns the stones that a player can step with, and the stones that these can capture.
pub(super) fn reach(stones: &Stones, player: Seat, but: RhombusSet) -> (RhombusSet, RhombusSet) {
    let (mut movers, mut captured) = (RhombusSet::EMPTY, RhombusSet::EMPTY);
    for (direction, from) in capturing(stones, player, but).into_iter().enumerate() {
        if !from.is_empty() {
            movers |= from;
            captured |= moved(from, direction, -1) | moved(from, direction, 2);
        }
    }
    (movers, captured & stones.of(player.opponent()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn approach_withdrawal_and_both() {
        // In a row: enemy, own, empty, enemy.
        let mut stones = Stones::new(5);
        stones.put(Seat::First, (2, 1));
        [(2, 0), (2, 3)].into_iter().for_each(|cell| stones.put(Seat::Second, cell));
        let east = 2;
        assert_eq!(captured_by(&stones, Seat::First, (2, 1), east), [Some((2, 0)), Some((2, 3))]);
        let steps = capturing(&stones, Seat::First, RhombusSet::EMPTY);
        assert_eq!(steps.map(|from| from.count()), [0, 0, 1, 0, 0, 0]);
        let (movers, captured) = reach(&stones, Seat::First, RhombusSet::EMPTY);
        assert_eq!((movers, captured), (stones.of(Seat::First), stones.of(Seat::Second)));
        // The left stone has nowhere to withdraw to; the right one has an own stone two cells
        // ahead.
        let steps = capturing(&stones, Seat::Second, RhombusSet::EMPTY);
        assert_eq!(steps.map(|from| from.count()), [0, 0, 0, 0, 0, 1]);
        // A stone placed this turn cannot step.
        assert_eq!(reach(&stones, Seat::First, stones.of(Seat::First)), (RhombusSet::EMPTY, RhombusSet::EMPTY));
    }
}
