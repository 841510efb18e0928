//! Movements: how far a group of stones in a line moves, and which stones it pushes.

use crate::shared::rhombus_sets::{Cell, Stones, moved};
use crate::{Change, ChangeLog, Seat};
use hexzero_board::{DIRECTIONS, RhombusSet};

use super::FARTHEST;

/// A movement of the stones from `tail` up to the front of their line in a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Movement {
    pub(super) tail: Cell,
    pub(super) direction: usize,
    pub(super) distance: usize,
}

/// The path in front of a line: for each distance that the line may move, the number of enemy
/// stones it pushes.
#[derive(Debug, Clone, Copy)]
struct Way {
    pushed: [u8; FARTHEST],
    length: usize,
}

impl Way {
    /// Returns the path in front of the first stone of a player's line, at most `farthest` cells
    /// long.
    #[inline]
    fn of(stones: &Stones, player: Seat, front: Cell, direction: usize, farthest: usize) -> Self {
        let mut way = Self { pushed: [0; FARTHEST], length: 0 };
        let (mut ahead, mut pushed) = (stones.next(front, direction), 0);
        // Each step needs an empty cell in front of the line and of all the stones it has met so
        // far.
        while let Some(cell) = ahead.filter(|&cell| way.length < farthest && !stones.has(player, cell)) {
            ahead = stones.next(cell, direction);
            if stones.has(player.opponent(), cell) {
                pushed += 1;
            } else {
                way.pushed[way.length] = pushed;
                way.length += 1;
            }
        }
        way
    }

    /// Returns how far a group of this many stones moves: no farther than it has stones, and
    /// pushing fewer enemy stones than that.
    #[inline]
    fn reach(&self, stones: usize) -> usize {
        self.pushed[..self.length.min(stones)].iter().take_while(|&&pushed| usize::from(pushed) < stones).count()
    }
}

/// Calls `visit` with each movement of a player, by direction and line, smallest groups first.
#[inline]
pub(super) fn each(stones: &Stones, player: Seat, mut visit: impl FnMut(Movement)) {
    let own = stones.of(player);
    for direction in 0..DIRECTIONS {
        let fronts = own & !moved(own, direction, -1);
        for front in fronts.iter() {
            let back = (direction + DIRECTIONS / 2) % DIRECTIONS;
            let (line, _) = stones.run(player, front, back);
            let way = Way::of(stones, player, front, direction, line.min(FARTHEST));
            if way.length == 0 {
                continue;
            }
            for group in 1..=line {
                let tail = stones.away(front, back, group - 1);
                (1..=way.reach(group)).for_each(|distance| visit(Movement { tail, direction, distance }));
            }
        }
    }
}

pub(super) fn count(stones: &Stones, player: Seat) -> usize {
    let mut count = 0;
    each(stones, player, |_| count += 1);
    count
}

/// Returns the stones that a player can move, and the enemy stones that these can push.
pub(super) fn reach(stones: &Stones, player: Seat) -> (RhombusSet, RhombusSet) {
    let (mut movers, mut pushed) = (RhombusSet::EMPTY, RhombusSet::EMPTY);
    each(stones, player, |movement| {
        movers.insert(movement.tail.0, movement.tail.1);
        let (_, enemies) = movement.pushes(stones, player);
        enemies.for_each(|(row, column)| pushed.insert(row, column));
    });
    (movers, pushed)
}

impl Movement {
    /// Returns the number of stones of the group.
    fn group(&self, stones: &Stones, player: Seat) -> usize {
        stones.run(player, self.tail, self.direction).0
    }

    pub(super) fn is_legal(&self, stones: &Stones, player: Seat) -> bool {
        let group = self.group(stones, player);
        if group == 0 || self.distance > FARTHEST {
            return false;
        }
        let front = stones.away(self.tail, self.direction, group - 1);
        Way::of(stones, player, front, self.direction, group.min(FARTHEST)).reach(group) >= self.distance
    }

    /// Returns the stones in the group, and the cells of the enemy stones that it pushes, in order.
    /// The movement must be legal.
    fn pushes(&self, stones: &Stones, player: Seat) -> (usize, impl Iterator<Item = Cell> + Clone + use<>) {
        let (group, stones, movement) = (self.group(stones, player), *stones, *self);
        // The group passes as many empty cells as its distance, and all enemy stones between them.
        let mut passed = 0;
        let mut ahead = stones.next(stones.away(self.tail, self.direction, group - 1), self.direction);
        let cells = std::iter::from_fn(move || {
            let cell = ahead.filter(|_| passed < movement.distance)?;
            ahead = stones.next(cell, movement.direction);
            let enemy = stones.has(player.opponent(), cell);
            passed += usize::from(!enemy);
            Some((cell, enemy))
        });
        (group, cells.filter(|&(_, enemy)| enemy).map(|(cell, _)| cell))
    }

    pub(super) fn make(&self, stones: &mut Stones, player: Seat, changes: &mut impl ChangeLog) {
        let (before, enemy) = (*stones, player.opponent());
        let (group, pushed) = self.pushes(&before, player);
        let at = |steps: usize| before.away(self.tail, self.direction, steps);
        // Lift all stones before setting them down, because some move to cells of others.
        (0..group).for_each(|step| stones.take(player, at(step)));
        pushed.clone().for_each(|cell| stones.take(enemy, cell));
        let mut set_down = |owner: Seat, from: Cell, to: Cell| {
            stones.put(owner, to);
            changes.note(Change::Moved(before.number(from) as u16, before.number(to) as u16));
        };
        (0..group).for_each(|step| set_down(player, at(step), at(step + self.distance)));
        pushed.zip(group + self.distance..).for_each(|(cell, step)| set_down(enemy, cell, at(step)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EAST: usize = 2;

    /// Returns the rows after the movements of the first player from a column to the east, by
    /// distance.
    fn moved_from(text_before: &str, column: usize) -> Vec<String> {
        let stones = Stones::of_row(text_before);
        let movement = |distance| Movement { tail: (1, column), direction: EAST, distance };
        let legal: Vec<Movement> =
            (1..=FARTHEST).map(movement).filter(|movement| movement.is_legal(&stones, Seat::First)).collect();
        let mut listed = Vec::new();
        each(&stones, Seat::First, |movement| {
            if movement.tail == (1, column) && movement.direction == EAST {
                listed.push(movement);
            }
        });
        assert_eq!(legal, listed, "{text_before}");
        let after = |movement: &Movement| {
            let mut after = stones;
            movement.make(&mut after, Seat::First, &mut ());
            after.row_text()
        };
        legal.iter().map(after).collect()
    }

    #[test]
    fn group_moves_by_its_length_and_pushes_fewer() {
        assert_eq!(moved_from("xxx.o.o..", 0), [".xxxo.o..", "..xxxoo..", "...xxxoo."]);
        assert_eq!(moved_from("xxx.o.o..", 1), ["x.xxo.o..", "x..xxoo.."], "the front part of a line");
        assert_eq!(moved_from("xxx.o.o..", 2), ["xx.xo.o.."]);
        assert!(moved_from("xxoo....", 0).is_empty(), "as many enemy stones as own");
    }

    #[test]
    fn own_stones_and_the_edge_block_moves() {
        assert_eq!(moved_from("xxo.x...", 0), [".xxox..."]);
        assert!(moved_from("...xxo", 3).is_empty(), "nothing leaves the board");
        assert!(moved_from("....xx", 4).is_empty());
        assert!(moved_from("oxx.", 0).is_empty(), "no stone of one's own");
        let (movers, pushed) = reach(&Stones::of_row("xxx.o.o.."), Seat::First);
        assert_eq!((movers.count(), pushed.count()), (3, 2));
    }
}
