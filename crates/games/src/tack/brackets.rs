//! Brackets: where a stone encloses enemy stones, and which ones.

use crate::Seat;
use crate::shared::rhombus_sets::{Cell, Stones, moved};
use hexzero_board::{DIRECTIONS, RhombusSet};

/// The numbers of stones that a bracket may enclose.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=3;

/// Returns the enemy stones that a player's stone on an empty cell would bracket.
pub(super) fn bracketed_by(stones: &Stones, player: Seat, cell: Cell) -> RhombusSet {
    let mut bracketed = RhombusSet::EMPTY;
    for direction in 0..DIRECTIONS {
        let Some(first) = stones.next(cell, direction).filter(|&first| stones.has(player.opponent(), first)) else {
            continue;
        };
        let (length, beyond) = stones.run(player.opponent(), first, direction);
        if LENGTHS.contains(&length) && beyond.is_some_and(|beyond| stones.has(player, beyond)) {
            for steps in 0..length {
                let (row, column) = stones.away(first, direction, steps);
                bracketed.insert(row, column);
            }
        }
    }
    bracketed
}

/// Returns the empty cells where a player's stone would bracket, and all stones that could be
/// captured from any of them.
pub(super) fn bracketing(stones: &Stones, player: Seat) -> (RhombusSet, RhombusSet) {
    let (own, enemy, empty) = (stones.of(player), stones.of(player.opponent()), stones.empty());
    let (mut starts, mut taken) = (RhombusSet::EMPTY, RhombusSet::EMPTY);
    for direction in 0..DIRECTIONS {
        // Enemy stones with an own stone directly behind them, behind one more, and behind two
        // more.
        let one = moved(own, direction, -1) & enemy;
        let two = moved(one, direction, -1) & enemy;
        if two.is_empty() {
            continue;
        }
        let three = moved(two, direction, -1) & enemy;
        let start_of_two = moved(two, direction, -1) & empty;
        let start_of_three = moved(three, direction, -1) & empty;
        let first = moved(start_of_two | start_of_three, direction, 1);
        let third = moved(moved(start_of_three, direction, 2), direction, 1);
        starts |= start_of_two | start_of_three;
        taken |= first | moved(first, direction, 1) | third;
    }
    (starts, taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(set: RhombusSet) -> Vec<Cell> {
        set.iter().collect()
    }

    #[test]
    fn only_twos_and_threes_are_captured() {
        let stones = Stones::of_rows(7, &[".ox", ".oox", ".ooox", ".oooox"]);
        let taken = |row: usize| listed(bracketed_by(&stones, Seat::First, (row, 0)));
        assert_eq!(taken(0), []);
        assert_eq!(taken(1), [(1, 1), (1, 2)]);
        assert_eq!(taken(2), [(2, 1), (2, 2), (2, 3)]);
        assert_eq!(taken(3), []);
    }

    #[test]
    fn several_directions_at_once() {
        // Along the row and down the column.
        let stones = Stones::of_rows(5, &[".oox", "o", "o", "x"]);
        assert_eq!(listed(bracketed_by(&stones, Seat::First, (0, 0))), [(0, 1), (0, 2), (1, 0), (2, 0)]);
        assert_eq!(listed(bracketed_by(&stones, Seat::Second, (0, 0))), []);
    }

    #[test]
    fn sets_agree_with_walks() {
        // Fills a row of the board in every possible way by counting from 0.
        for number in 0..3usize.pow(6) {
            let symbol = |column| ['.', 'x', 'o'][number / 3usize.pow(column) % 3];
            let stones = Stones::of_row(&(0..6).map(symbol).collect::<String>());
            for player in Seat::BOTH {
                let (mut starts, mut taken) = (RhombusSet::EMPTY, RhombusSet::EMPTY);
                for (row, column) in stones.empty().iter() {
                    let bracketed = bracketed_by(&stones, player, (row, column));
                    taken |= bracketed;
                    if !bracketed.is_empty() {
                        starts.insert(row, column);
                    }
                }
                assert_eq!(bracketing(&stones, player), (starts, taken), "{number}, {player:?}");
            }
        }
    }
}
