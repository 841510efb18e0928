//! Captures by diamonds: where a stone closes one, and what it captures.

use hexzero_board::{Framed, RhombusSet, STEPS};

/// The twelve ways a placed stone can close a diamond, as steps from it: two enemy stones and the
/// own stone opposite. The enemy stones lie in neighbouring directions (the placed stone is a tip)
/// or two directions apart (the placed stone lies on the short diagonal); the opposite corner is
/// the sum of their steps.
const DIAMONDS: [[(isize, isize); 3]; 12] = {
    let mut patterns = [[(0, 0); 3]; 12];
    let mut i = 0;
    while i < 12 {
        let (a, b) = (STEPS[i % 6], STEPS[(i + 5 - i / 6) % 6]);
        patterns[i] = [a, b, (a.0 + b.0, a.1 + b.1)];
        i += 1;
    }
    patterns
};

/// Returns the bit of a step in a 5 × 5 window around a stone.
const fn window_bit(step: (isize, isize)) -> u32 {
    1 << ((step.0 + 2) * 5 + step.1 + 2)
}

/// [`DIAMONDS`] in the window: the bits of the enemy stones and of the own stone.
const WINDOW_DIAMONDS: [(u32, u32); 12] = {
    let mut patterns = [(0, 0); 12];
    let mut i = 0;
    while i < 12 {
        let [a, b, opposite] = DIAMONDS[i];
        patterns[i] = (window_bit(a) | window_bit(b), window_bit(opposite));
        i += 1;
    }
    patterns
};

/// Returns the 5 × 5 window of a set around a cell, row by row.
#[inline]
fn window(set: &RhombusSet, row: usize, column: usize) -> u32 {
    let mut bits = 0;
    for i in 0..5 {
        let r = (row + i).wrapping_sub(2);
        let line = if r < RhombusSet::MAX_SIDE { u32::from(set.row_bits(r)) } else { 0 };
        bits |= ((line << 2 >> column) & 31) << (5 * i);
    }
    bits
}

/// Returns the enemy stones captured by all diamonds that the own stone just placed on a cell
/// closes, all judged on the same board.
#[inline]
pub(super) fn captured_by(own: &RhombusSet, enemy: &RhombusSet, row: usize, column: usize) -> RhombusSet {
    let (own, enemy) = (window(own, row, column), window(enemy, row, column));
    let mut taken = 0;
    for (pair, opposite) in WINDOW_DIAMONDS {
        if enemy & pair == pair && own & opposite != 0 {
            taken |= pair;
        }
    }
    let mut captured = RhombusSet::EMPTY;
    while taken != 0 {
        let bit = taken.trailing_zeros() as usize;
        taken &= taken - 1;
        captured.insert(row + bit / 5 - 2, column + bit % 5 - 2);
    }
    captured
}

/// Returns, for each diamond, the cells, occupied or not, where an own stone would close it.
#[inline]
fn closing(own: &RhombusSet, enemy: &RhombusSet) -> impl Iterator<Item = ([(isize, isize); 3], RhombusSet)> {
    let (own, enemy) = (Framed::new(own), Framed::new(enemy));
    let from = |set: &Framed, step: (isize, isize)| set.shifted(-step.0, -step.1);
    DIAMONDS.into_iter().map(move |diamond| {
        let [a, b, opposite] = diamond;
        (diamond, from(&enemy, a) & from(&enemy, b) & from(&own, opposite))
    })
}

/// Returns the cells of `empty` where an own stone would capture.
pub(super) fn capturing(own: &RhombusSet, enemy: &RhombusSet, empty: RhombusSet) -> RhombusSet {
    closing(own, enemy).fold(RhombusSet::EMPTY, |cells, (_, closing)| cells | closing) & empty
}

/// Returns the enemy stones that an own stone on some cell of `empty` would capture.
pub(super) fn capturable(own: &RhombusSet, enemy: &RhombusSet, empty: RhombusSet) -> RhombusSet {
    closing(own, enemy).fold(RhombusSet::EMPTY, |stones, ([a, b, _], closing)| {
        let closing = closing & empty;
        if closing.is_empty() {
            return stones;
        }
        stones | closing.shifted(a.0, a.1) | closing.shifted(b.0, b.1)
    })
}
