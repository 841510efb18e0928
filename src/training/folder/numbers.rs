//! The numbers of games assigned to players, where games come back in any order.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::training::recipe::MOST_GAMES;

/// The numbers of a run's games that were dealt out: whose games have come, and whose have not. As JSON the first number
/// that was not dealt out and the ranges of those that are missing, each with its first and its last number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Ranges", into = "Ranges")]
pub struct Numbers {
    next: u64,
    out: BTreeSet<u64>,
}

/// No more games than this are to come: two iterations of them wait or are played, and what earlier processes dealt out.
pub(super) const MOST_OUT: u64 = 4 * MOST_GAMES;

#[derive(Serialize, Deserialize)]
struct Ranges {
    next: u64,
    out: Vec<(u64, u64)>,
}

impl TryFrom<Ranges> for Numbers {
    type Error = String;

    fn try_from(Ranges { next, out }: Ranges) -> Result<Self, String> {
        // Before any number is stored: a damaged file must not fill the memory.
        let (mut least, mut count) = (0, 0u64);
        for &(first, last) in &out {
            if first < least || last < first || last >= next {
                return Err(format!("it says that games {first} to {last} are to come, of {next} that were dealt out"));
            }
            least = last + 1;
            count = count.saturating_add(last - first + 1);
        }
        if count > MOST_OUT {
            return Err(format!("it says that {count} games are to come; accepted: at most {MOST_OUT}"));
        }
        Ok(Self { next, out: out.into_iter().flat_map(|(first, last)| first..=last).collect() })
    }
}

impl From<Numbers> for Ranges {
    fn from(Numbers { next, out }: Numbers) -> Self {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for number in out {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == number => *last = number,
                _ => ranges.push((number, number)),
            }
        }
        Self { next, out: ranges }
    }
}

impl Numbers {
    /// Numbers of a run in which the games below `next` have come.
    pub fn from(next: u64) -> Self {
        Self { next, out: BTreeSet::new() }
    }

    /// Returns the first number that was never dealt out.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Returns the numbers whose games have not come, in ascending order.
    pub fn out(&self) -> impl ExactSizeIterator<Item = u64> {
        self.out.iter().copied()
    }

    /// Deals the next `count` numbers out.
    pub fn deal(&mut self, count: usize) -> Vec<u64> {
        let dealt = self.next..self.next + count as u64;
        self.next = dealt.end;
        self.out.extend(dealt.clone());
        dealt.collect()
    }

    /// Counts all numbers below `number` as dealt out. Returns false and changes nothing if more than `MOST_OUT` would then be out.
    pub fn dealt_below(&mut self, number: u64) -> bool {
        let can_be = number.saturating_sub(self.next).saturating_add(self.out.len() as u64) <= MOST_OUT;
        if can_be {
            self.out.extend(self.next..number);
            self.next = self.next.max(number);
        }
        can_be
    }

    /// Counts all numbers from the next one up to `number` as dealt out, and their games as come.
    pub fn came_below(&mut self, number: u64) {
        self.next = self.next.max(number);
    }

    /// Notes that the game with this number has come; false if it had come before, or was never dealt out.
    pub fn take(&mut self, number: u64) -> bool {
        self.out.remove(&number)
    }

    /// Returns true if the game with this number is outstanding.
    pub fn is_out(&self, number: u64) -> bool {
        self.out.contains(&number)
    }

    /// Marks a game as outstanding again.
    pub fn give_back(&mut self, number: u64) {
        self.out.insert(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_once_in_any_order() {
        let mut numbers = Numbers::from(10);
        assert_eq!(numbers.deal(4), [10, 11, 12, 13]);
        assert!(numbers.take(12) && !numbers.take(12) && !numbers.take(14) && !numbers.take(9));
        assert_eq!(numbers.out().collect::<Vec<_>>(), [10, 11, 13]);
        let text = serde_json::to_string(&numbers).unwrap();
        assert_eq!(text, r#"{"next":14,"out":[[10,11],[13,13]]}"#);
        assert_eq!(serde_json::from_str::<Numbers>(&text).unwrap(), numbers);
        assert!(numbers.dealt_below(16) && numbers.dealt_below(3));
        assert_eq!((numbers.out().collect::<Vec<_>>(), numbers.next()), (vec![10, 11, 13, 14, 15], 16));
        assert_eq!(numbers.deal(1), [16]);
        assert!(!numbers.dealt_below(u64::MAX), "above the limit");
        assert_eq!(numbers.deal(1), [17]);
        for (absurd, said) in [
            (r#"{"next":3,"out":[[1,18446744073709551615]]}"#, "games 1 to 18446744073709551615 are to come, of 3"),
            (r#"{"next":9,"out":[[5,4]]}"#, "games 5 to 4"),
            (r#"{"next":9,"out":[[2,5],[5,6]]}"#, "games 5 to 6"),
            (
                r#"{"next":9223372036854775808,"out":[[0,9223372036854775807]]}"#,
                "9223372036854775808 games are to come",
            ),
        ] {
            let refused = serde_json::from_str::<Numbers>(absurd).unwrap_err().to_string();
            assert!(refused.contains(said), "{refused}");
        }
    }
}
