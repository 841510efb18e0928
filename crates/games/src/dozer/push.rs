//! Pushes: the stones that a line shoves along.

use crate::shared::rhombus_sets::{Cell, Stones, moved};
use crate::{Change, ChangeLog, Seat};
use hexzero_board::{DIRECTIONS, RhombusSet};

/// A push by a line of a player's stones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Push {
    player: Seat,
    pub(super) tail: Cell,
    pub(super) direction: usize,
    /// The number of the player's stones in the line.
    own: usize,
    /// The number of enemy stones directly in front of the line.
    enemies: usize,
    /// The number of enemy stones that fall off the board.
    fallen: usize,
    /// The number of cells that the line advances.
    advance: usize,
}

impl Push {
    /// Returns the push of the line whose last stone is on `tail`, if the line has more stones than
    /// the enemy line directly in front and room to advance. The line must not begin further back.
    #[inline]
    pub(super) fn of(stones: &Stones, player: Seat, tail: Cell, direction: usize) -> Option<Self> {
        let (own, front) = stones.run(player, tail, direction);
        let (enemies, mut ahead) = front.map_or((0, None), |front| stones.run(player.opponent(), front, direction));
        let (mut fallen, mut advance) = (0, 0);
        while advance + enemies < own {
            match ahead {
                // An enemy stone may fall over the edge, an own stone never does.
                None if fallen < enemies => fallen += 1,
                Some(cell) if stones.owner(cell).is_none() => ahead = stones.next(cell, direction),
                _ => break,
            }
            advance += 1;
        }
        (advance > 0).then_some(Self { player, tail, direction, own, enemies, fallen, advance })
    }

    /// Returns the cell where the last stone of the line ends up.
    pub(super) fn target(&self, stones: &Stones) -> Cell {
        stones.away(self.tail, self.direction, self.advance)
    }

    /// Returns the enemy stones that fall off the board.
    pub(super) fn falling(&self, stones: &Stones) -> impl Iterator<Item = Cell> + use<> {
        let (stones, push) = (*stones, *self);
        let line = push.own + push.enemies;
        (line - push.fallen..line).map(move |steps| stones.away(push.tail, push.direction, steps))
    }

    pub(super) fn make(&self, stones: &mut Stones, changes: &mut impl ChangeLog) {
        let line = self.own + self.enemies;
        let owner = |step: usize| if step < self.own { self.player } else { self.player.opponent() };
        for step in 0..line {
            stones.take(owner(step), stones.away(self.tail, self.direction, step));
        }
        for step in 0..line {
            let from = stones.number(stones.away(self.tail, self.direction, step)) as u16;
            if step + self.fallen < line {
                let to = stones.away(self.tail, self.direction, step + self.advance);
                stones.put(owner(step), to);
                changes.note(Change::Moved(from, stones.number(to) as u16));
            } else {
                changes.note(Change::Removed(from));
            }
        }
    }
}

/// Returns the last stones of a player's lines, by direction: those with no own stone directly
/// behind.
#[inline]
pub(super) fn tails(stones: &Stones, player: Seat) -> [RhombusSet; DIRECTIONS] {
    let own = stones.of(player);
    std::array::from_fn(|direction| own & !moved(own, direction, 1))
}

/// Returns all pushes of a player whose [`tails`] are given.
pub(super) fn pushes<'a>(
    stones: &'a Stones,
    player: Seat,
    tails: &'a [RhombusSet; DIRECTIONS],
) -> impl Iterator<Item = Push> + 'a {
    tails.iter().enumerate().flat_map(move |(direction, tails)| {
        tails.iter().filter_map(move |tail| Push::of(stones, player, tail, direction))
    })
}

/// Returns the last stones of the lines that a player can push, by direction.
#[inline]
pub(super) fn pushable(stones: &Stones, player: Seat) -> [RhombusSet; DIRECTIONS] {
    let (own, empty) = (stones.of(player), stones.empty());
    let mut found = tails(stones, player);
    for (direction, found) in found.iter_mut().enumerate() {
        let lines = *found & moved(own, direction, -1);
        // A single stone can only push into an empty cell.
        *found &= moved(empty, direction, -1) & !lines;
        for tail in lines.iter().filter(|&tail| Push::of(stones, player, tail, direction).is_some()) {
            found.insert(tail.0, tail.1);
        }
    }
    found
}

/// Returns the last stones of the lines that a player can push, and the enemy stones that they can
/// push off the board.
pub(super) fn reach(stones: &Stones, player: Seat) -> (RhombusSet, RhombusSet) {
    let (mut movers, mut falling) = (RhombusSet::EMPTY, RhombusSet::EMPTY);
    for push in pushes(stones, player, &tails(stones, player)) {
        movers.insert(push.tail.0, push.tail.1);
        push.falling(stones).for_each(|(row, column)| falling.insert(row, column));
    }
    (movers, falling)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EAST: usize = 2;

    fn pushed(text: &str) -> Option<String> {
        let mut stones = Stones::of_row(text);
        let tail = (1, text.find('x').unwrap());
        let push = Push::of(&stones, Seat::First, tail, EAST)?;
        assert_eq!(push.target(&stones), (1, tail.1 + push.advance));
        push.make(&mut stones, &mut ());
        Some(stones.row_text())
    }

    #[test]
    fn line_advances_by_its_surplus() {
        assert_eq!(pushed("x...").as_deref(), Some(".x.."));
        assert_eq!(pushed("xxoo....").as_deref(), None, "no more than the enemy");
        assert_eq!(pushed("xxo.....").as_deref(), Some(".xxo...."));
        assert_eq!(pushed("xxxo....").as_deref(), Some("..xxxo.."));
        assert_eq!(pushed("xxx.....").as_deref(), Some("...xxx.."));
    }

    #[test]
    fn push_stops_at_stones_and_at_the_edge() {
        assert_eq!(pushed("xxx.x...").as_deref(), Some(".xxxx..."));
        assert_eq!(pushed("xxxo.o..").as_deref(), Some(".xxxoo.."));
        assert_eq!(pushed("xxxox...").as_deref(), None);
        assert_eq!(pushed("xxxx.."), Some("..xxxx".to_owned()));
        assert_eq!(pushed("..xx").as_deref(), None);
    }

    #[test]
    fn only_enemy_stones_fall_over_the_edge() {
        assert_eq!(pushed("..xxxo").as_deref(), Some("...xxx"), "one cell, for then its front is at the edge");
        assert_eq!(pushed(".xxxoo").as_deref(), Some("..xxxo"));
        assert_eq!(pushed("xxxxo.").as_deref(), Some("..xxxx"));
        let stones = Stones::of_row(".xxxoo");
        let (movers, falling) = reach(&stones, Seat::First);
        assert!(movers.contains(1, 1) && falling.contains(1, 5) && falling.count() == 1);
    }
}
