//! Pushes: what a line of stones shoves along.

use crate::board::{DIRECTIONS, RhombusSet};
use crate::games::shared::rhombus_sets::{Cell, Stones, moved};
use crate::games::{Change, ChangeLog, Seat};

/// A push by a line of a player's stones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Push {
    player: Seat,
    pub(super) tail: Cell,
    pub(super) direction: usize,
    /// The player's stones in the line.
    own: usize,
    /// The enemy stones right in front of it.
    enemies: usize,
    /// The number of these that fall off the board.
    fallen: usize,
    /// The number of cells that the line advances.
    advance: usize,
}

impl Push {
    /// The push of the line whose last stone is on `tail`, if it has more stones than the enemy line right in front of
    /// it, and room to advance. The line must not begin further back.
    #[inline]
    pub(super) fn of(stones: &Stones, player: Seat, tail: Cell, direction: usize) -> Option<Self> {
        let (own, front) = stones.run(player, tail, direction);
        let (enemies, mut ahead) = front.map_or((0, None), |front| stones.run(player.opponent(), front, direction));
        let (mut fallen, mut advance) = (0, 0);
        while advance + enemies < own {
            match ahead {
                // An enemy stone falls over the edge; an own stone never does.
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

    /// The enemy stones that fall off the board.
    pub(super) fn falling(&self, stones: &Stones) -> impl Iterator<Item = Cell> + use<> {
        let (stones, push) = (*stones, *self);
        let line = push.own + push.enemies;
        (line - push.fallen..line).map(move |steps| stones.away(push.tail, push.direction, steps))
    }

    /// Makes the push.
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

/// The last stones of a player's lines, by direction: those with no own stone right behind.
#[inline]
pub(super) fn tails(stones: &Stones, player: Seat) -> [RhombusSet; DIRECTIONS] {
    let own = stones.of(player);
    std::array::from_fn(|direction| own & !moved(own, direction, 1))
}

/// All pushes of a player, whose [`tails`] are given.
pub(super) fn pushes<'a>(
    stones: &'a Stones,
    player: Seat,
    tails: &'a [RhombusSet; DIRECTIONS],
) -> impl Iterator<Item = Push> + 'a {
    tails.iter().enumerate().flat_map(move |(direction, tails)| {
        tails.iter().filter_map(move |tail| Push::of(stones, player, tail, direction))
    })
}

/// The last stones of the lines that a player can push, by direction.
#[inline]
pub(super) fn pushable(stones: &Stones, player: Seat) -> [RhombusSet; DIRECTIONS] {
    let (own, empty) = (stones.of(player), stones.empty());
    let mut found = tails(stones, player);
    for (direction, found) in found.iter_mut().enumerate() {
        let lines = *found & moved(own, direction, -1);
        // A single stone pushes nothing: it needs an empty cell.
        *found &= moved(empty, direction, -1) & !lines;
        for tail in lines.iter().filter(|&tail| Push::of(stones, player, tail, direction).is_some()) {
            found.insert(tail.0, tail.1);
        }
    }
    found
}

/// The last stones of the lines that a player can push, and the enemy stones that these can push off the board.
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

    /// A board with one row of stones, x and o.
    fn row(text: &str) -> Stones {
        let mut stones = Stones::new(text.len());
        for (column, symbol) in text.bytes().enumerate() {
            match symbol {
                b'x' => stones.put(Seat::First, (1, column)),
                b'o' => stones.put(Seat::Second, (1, column)),
                _ => (),
            }
        }
        stones
    }

    fn pushed(text: &str) -> Option<String> {
        let mut stones = row(text);
        let tail = (1, text.find('x').unwrap());
        let push = Push::of(&stones, Seat::First, tail, EAST)?;
        assert_eq!(push.target(&stones), (1, tail.1 + push.advance));
        push.make(&mut stones, &mut ());
        let symbol = |column| stones.owner((1, column)).map_or('.', |owner| ['x', 'o'][owner.index()]);
        Some((0..text.len()).map(symbol).collect())
    }

    #[test]
    fn a_line_advances_by_what_it_has_more() {
        assert_eq!(pushed("x...").as_deref(), Some(".x.."));
        assert_eq!(pushed("xxoo....").as_deref(), None, "no more than the enemy");
        assert_eq!(pushed("xxo.....").as_deref(), Some(".xxo...."));
        assert_eq!(pushed("xxxo....").as_deref(), Some("..xxxo.."));
        assert_eq!(pushed("xxx.....").as_deref(), Some("...xxx.."));
    }

    #[test]
    fn sets_and_single_pushes_agree() {
        let mut word = 1u64;
        for number in 0..300 {
            let mut stones = Stones::new(6);
            for cell in 0..36 {
                word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                match word >> 61 {
                    0..3 => stones.put(Seat::First, stones.at(cell)),
                    3..5 => stones.put(Seat::Second, stones.at(cell)),
                    _ => (),
                }
            }
            for player in Seat::BOTH {
                let mut found = [RhombusSet::EMPTY; DIRECTIONS];
                for push in pushes(&stones, player, &tails(&stones, player)) {
                    found[push.direction].insert(push.tail.0, push.tail.1);
                }
                assert_eq!(pushable(&stones, player), found, "{number}, {player:?}");
            }
        }
    }

    #[test]
    fn it_stops_at_stones_and_at_the_edge() {
        assert_eq!(pushed("xxx.x...").as_deref(), Some(".xxxx..."));
        assert_eq!(pushed("xxxo.o..").as_deref(), Some(".xxxoo.."));
        assert_eq!(pushed("xxxox...").as_deref(), None);
        assert_eq!(pushed("xxxx.."), Some("..xxxx".to_owned()));
        assert_eq!(pushed("..xx").as_deref(), None);
    }

    #[test]
    fn enemy_stones_fall_over_the_edge_and_own_ones_do_not() {
        assert_eq!(pushed("..xxxo").as_deref(), Some("...xxx"), "one cell, for then its front is at the edge");
        assert_eq!(pushed(".xxxoo").as_deref(), Some("..xxxo"));
        assert_eq!(pushed("xxxxo.").as_deref(), Some("..xxxx"));
        let stones = row(".xxxoo");
        let (movers, falling) = reach(&stones, Seat::First);
        assert!(movers.contains(1, 1) && falling.contains(1, 5) && falling.count() == 1);
    }
}
