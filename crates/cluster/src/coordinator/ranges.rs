//! Game numbers as ranges.

/// Most games of a range. A thread plays them one after the other and sends them together.
pub const MAX_RANGE: u64 = 8;

/// Length of the ranges that numbers are split into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeLength {
    /// At most this many games.
    AtMost(u64),
    /// Shrinking towards the end, so that half of the remaining games are always in about `out` ranges: short last ranges
    /// shorten the wait for the last game.
    Shrinking { out: u64 },
}

impl RangeLength {
    /// Returns the length of the next range if `left` games are left.
    fn with(self, left: u64) -> u64 {
        let length = match self {
            Self::AtMost(games) => games,
            Self::Shrinking { out } => left / out.saturating_mul(2),
        };
        length.clamp(1, MAX_RANGE)
    }
}

/// Splits ascending numbers into ranges, each given by its first number and its length.
pub fn ranges(numbers: &[u64], length: RangeLength) -> Vec<(u64, u32)> {
    let mut ranges: Vec<(u64, u32)> = Vec::new();
    let mut room = 0;
    for (index, &number) in numbers.iter().enumerate() {
        match ranges.last_mut() {
            Some((first, games)) if room > 0 && *first + u64::from(*games) == number => *games += 1,
            _ => {
                room = length.with((numbers.len() - index) as u64);
                ranges.push((number, 1));
            }
        }
        room -= 1;
    }
    ranges
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ranges_have_a_bound_and_no_gaps() {
        let ranges = |numbers: &[u64]| ranges(numbers, RangeLength::AtMost(3));
        assert_eq!(ranges(&[3, 4, 5, 6, 7, 9, 12, 13]), [(3, 3), (6, 2), (9, 1), (12, 2)]);
        assert_eq!(ranges(&[]), []);
    }

    #[test]
    fn ranges_shrink() {
        let ranges = |numbers: &[u64], out| ranges(numbers, RangeLength::Shrinking { out });
        let all = ranges(&Vec::from_iter(100..2100), 64);
        assert_eq!((all[0], *all.last().unwrap()), ((100, 8), (2099, 1)));
        assert!(all.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        assert_eq!(ranges(&[5, 6, 9], 64), [(5, 1), (6, 1), (9, 1)]);
        assert_eq!(ranges(&[], 64), []);
        assert_eq!(ranges(&[5, 6], u64::MAX), [(5, 1), (6, 1)]);
        let count = |out| ranges(&Vec::from_iter(0..400), out).len();
        assert!(count(8) < 100 && count(64) > 300, "{} {}", count(8), count(64));
    }

    proptest! {
        #[test]
        fn ranges_cover_each_number_once(
            numbers in prop::collection::btree_set(0u64..3000, 0..1500),
            out in 1u64..3000,
            longest in 1u64..20,
        ) {
            let numbers = Vec::from_iter(numbers);
            for length in [RangeLength::Shrinking { out }, RangeLength::AtMost(longest)] {
                let ranges = ranges(&numbers, length);
                let dealt = ranges.iter().flat_map(|&(first, games)| first..first + u64::from(games));
                prop_assert!(dealt.eq(numbers.iter().copied()));
                prop_assert!(ranges.iter().all(|&(_, games)| (1..=MAX_RANGE as u32).contains(&games)));
            }
        }
    }
}
