//! A legal move with its prior, in four bytes.

use std::num::NonZeroU32;

use hexzero_games::Action;

/// A move and its prior. The greater of two moves is the one with the greater prior, or of equal
/// priors the one with the lower action.
///
/// The upper half is the prior, the lower half the inverted action. A prior is stored with 11 bits
/// of mantissa and the exponents -31 to 0: it is wrong by at most one part in 4096, and zero below
/// 2⁻³¹.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Move(NonZeroU32);

/// Bits of an `f32`'s mantissa that are dropped.
const DROPPED: u32 = 12;

/// The code of a prior of zero.
const ZERO: u32 = 1;

/// The greatest number that is stored as zero.
const TINY: f32 = f32::from_bits((127 - 31) << 23).next_down();

/// The difference between the upper bits of an `f32` and their code: 2⁻³¹ has the code after zero's.
const OFFSET: u32 = ((127 - 31) << (23 - DROPPED)) - (ZERO + 1);

impl Move {
    /// A placeholder in unused nodes.
    pub const NONE: Self = Self(NonZeroU32::MIN);

    /// Creates a move; a prior outside of [0, 1] is clamped, and NaN counts as 0.
    #[inline]
    pub fn new(action: Action, prior: f32) -> Self {
        let rounded = (prior.clamp(TINY, 1.0).to_bits() + (1 << (DROPPED - 1))) >> DROPPED;
        let code = if prior > TINY { rounded - OFFSET } else { ZERO };
        Self(NonZeroU32::new(code << 16 | u32::from(!action.0)).unwrap_or(NonZeroU32::MIN))
    }

    /// Creates the header that precedes this many moves in memory.
    pub fn counting(moves: usize) -> Self {
        Self(NonZeroU32::MIN.saturating_add(moves as u32))
    }

    /// Returns the number of [`Move::counting`].
    pub fn count(self) -> usize {
        self.0.get() as usize - 1
    }

    #[inline]
    pub fn action(self) -> Action {
        Action(!(self.0.get() as u16))
    }

    #[inline]
    pub fn prior(self) -> f32 {
        match self.0.get() >> 16 {
            ZERO => 0.0,
            code => f32::from_bits((code + OFFSET) << DROPPED),
        }
    }
}

/// Swaps the greatest of some moves to the front and returns it.
pub(super) fn lead(moves: &mut [Move]) -> Option<Move> {
    // The maximum alone is what the compiler vectorises.
    let greatest = moves.iter().fold(0, |greatest, candidate| candidate.0.get().max(greatest));
    let place = moves.iter().position(|candidate| candidate.0.get() == greatest)?;
    moves.swap(0, place);
    moves.first().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priors_are_kept_to_one_part_in_4096() {
        for step in 0..=3_000_000u32 {
            // From 1 down to 2⁻³¹.
            let prior = 2f32.powf(-31.0 * step as f32 / 3_000_000.0);
            let stored = Move::new(Action(7), prior).prior();
            assert!((stored / prior - 1.0).abs() <= 1.0 / 4096.0, "{prior} as {stored}");
        }
        let stored = |prior: f32| Move::new(Action(u16::MAX), prior).prior();
        assert_eq!([1.0, 0.5, 0.375, 0.0, 4e-10].map(stored), [1.0, 0.5, 0.375, 0.0, 0.0]);
        assert_eq!([f32::NAN, -1.0, 1.5, f32::INFINITY].map(stored), [0.0, 0.0, 1.0, 1.0], "no probabilities");
    }

    #[test]
    fn greater_prior_comes_first_then_lower_action() {
        let mut moves = [(9, 0.0), (3, 0.2), (u16::MAX, 0.4), (0, 0.2), (5, 0.4)]
            .map(|(action, prior)| Move::new(Action(action), prior));
        for start in 0..moves.len() {
            lead(&mut moves[start..]);
        }
        assert_eq!(moves.map(|found| found.action().0), [5, u16::MAX, 0, 3, 9]);
        assert_eq!(lead(&mut []), None);
    }
}
