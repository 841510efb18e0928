//! The games of a run: the numbers assigned to players, where games come back in any order, and those recorded in its shards.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::recipe::MAX_GAMES;
use crate::run::Progress;
use hexzero_games::Game;
use hexzero_selfplay::shards::{GameRecord, Shard, ShardProblem};

use super::run_folder::{RunFolder, RunFolderError};

/// The assigned game numbers of a run: those whose games have arrived, and those in flight.
/// In JSON, the first unassigned number and the ranges of those in flight, each with its first
/// and its last number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Ranges", into = "Ranges")]
pub struct GameNumbers {
    next: u64,
    in_flight: BTreeSet<u64>,
}

/// The maximum number of games in flight: two iterations of them waiting or in flight, and those
/// assigned by earlier processes.
pub(super) const MAX_IN_FLIGHT: u64 = 4 * MAX_GAMES;

#[derive(Serialize, Deserialize)]
struct Ranges {
    next: u64,
    out: Vec<(u64, u64)>,
}

impl TryFrom<Ranges> for GameNumbers {
    type Error = String;

    fn try_from(Ranges { next, out }: Ranges) -> Result<Self, String> {
        // Checked before any number is stored: a damaged file must not fill the memory.
        let (mut least, mut count) = (0, 0u64);
        for &(first, last) in &out {
            if first < least || last < first || last >= next {
                return Err(format!(
                    "it says that games {first} to {last} are in flight, of {next} that were assigned"
                ));
            }
            least = last + 1;
            count = count.saturating_add(last - first + 1);
        }
        if count > MAX_IN_FLIGHT {
            return Err(format!("it says that {count} games are in flight; accepted: at most {MAX_IN_FLIGHT}"));
        }
        Ok(Self { next, in_flight: out.into_iter().flat_map(|(first, last)| first..=last).collect() })
    }
}

impl From<GameNumbers> for Ranges {
    fn from(GameNumbers { next, in_flight }: GameNumbers) -> Self {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for number in in_flight {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == number => *last = number,
                _ => ranges.push((number, number)),
            }
        }
        Self { next, out: ranges }
    }
}

impl GameNumbers {
    /// Creates the numbers of a run in which the games below `next` have arrived.
    pub fn from(next: u64) -> Self {
        Self { next, in_flight: BTreeSet::new() }
    }

    /// Returns the first number that was never assigned.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Returns the numbers whose games are in flight, in ascending order.
    pub fn in_flight(&self) -> impl ExactSizeIterator<Item = u64> {
        self.in_flight.iter().copied()
    }

    /// Assigns the next `count` numbers.
    pub fn assign(&mut self, count: usize) -> Vec<u64> {
        let assigned = self.next..self.next + count as u64;
        self.next = assigned.end;
        self.in_flight.extend(assigned.clone());
        assigned.collect()
    }

    /// Marks all numbers below `number` as assigned. Returns false and changes nothing if more than
    /// `MAX_IN_FLIGHT` would then be in flight.
    pub fn assign_below(&mut self, number: u64) -> bool {
        let can_be = number.saturating_sub(self.next).saturating_add(self.in_flight.len() as u64) <= MAX_IN_FLIGHT;
        if can_be {
            self.in_flight.extend(self.next..number);
            self.next = self.next.max(number);
        }
        can_be
    }

    /// Marks all numbers from the next one up to `number` as assigned, and their games as arrived.
    pub fn complete_below(&mut self, number: u64) {
        self.next = self.next.max(number);
    }

    /// Marks the game with this number as arrived; returns false if it is a duplicate, or was never
    /// assigned.
    pub fn take(&mut self, number: u64) -> bool {
        self.in_flight.remove(&number)
    }

    /// Returns true if the game with this number is in flight.
    pub fn is_in_flight(&self, number: u64) -> bool {
        self.in_flight.contains(&number)
    }

    /// Marks a game as in flight again.
    pub fn give_back(&mut self, number: u64) {
        self.in_flight.insert(number);
    }
}

/// Reads the latest games of a run's first `iterations` iterations, in order: whole shards, until they hold more
/// than `positions` positions. Damaged shards are set aside and reported.
pub(crate) fn latest_games(
    game: Game,
    folder: &RunFolder,
    iterations: u64,
    positions: usize,
    progress: &impl Progress,
) -> Result<impl Iterator<Item = GameRecord>, RunFolderError> {
    let mut shards = Vec::new();
    let mut found = 0;
    let numbers = folder.shard_numbers();
    let first = numbers.first().copied().unwrap_or(iterations);
    // A damaged state may claim any number of games.
    let end = numbers.last().map_or(first, |last| last.saturating_add(1)).min(iterations);
    for iteration in (first..end).rev() {
        if found > positions {
            break;
        }
        let path = folder.shard(iteration);
        match Shard::read(&path) {
            Ok(shard) if shard.game == game.name() => {
                found += shard.records.iter().map(|record| record.policy_turns().count()).sum::<usize>();
                shards.push(shard);
            }
            Ok(shard) => progress.warn(&format!("shard {} is of {}; skipped", path.display(), shard.game)),
            // A shard of another version is intact, and one that cannot be read may be.
            Err(error)
                if path.exists()
                    && !matches!(error.problem, ShardProblem::OtherFormat { .. } | ShardProblem::File(_)) =>
            {
                let aside = folder.set_aside(&path, "damaged")?;
                progress.warn(&format!("{error}; set aside as {}", aside.display()));
            }
            Err(error) => progress.warn(&format!("{error}; skipped")),
        }
    }
    Ok(shards.into_iter().rev().flat_map(|shard| shard.records))
}

/// Reads the games that another run played in an iteration, if they can be used.
pub(crate) fn games_of_iteration(
    game: Game,
    other: &RunFolder,
    iteration: u64,
    progress: &impl Progress,
) -> Option<Vec<GameRecord>> {
    let path = other.shard(iteration);
    let problem = match Shard::read(&path) {
        Ok(shard) if shard.game == game.name() => return Some(shard.records),
        Ok(shard) => format!("shard {} is of {}", path.display(), shard.game),
        Err(_) if !path.exists() => return None,
        Err(error) => error.to_string(),
    };
    progress.warn(&format!("{problem}; games are played instead"));
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_once_in_any_order() {
        let mut numbers = GameNumbers::from(10);
        assert_eq!(numbers.assign(4), [10, 11, 12, 13]);
        assert!(numbers.take(12) && !numbers.take(12) && !numbers.take(14) && !numbers.take(9));
        assert_eq!(numbers.in_flight().collect::<Vec<_>>(), [10, 11, 13]);
        let text = serde_json::to_string(&numbers).unwrap();
        assert_eq!(text, r#"{"next":14,"out":[[10,11],[13,13]]}"#);
        assert_eq!(serde_json::from_str::<GameNumbers>(&text).unwrap(), numbers);
        assert!(numbers.assign_below(16) && numbers.assign_below(3));
        assert_eq!((numbers.in_flight().collect::<Vec<_>>(), numbers.next()), (vec![10, 11, 13, 14, 15], 16));
        assert_eq!(numbers.assign(1), [16]);
        assert!(!numbers.assign_below(u64::MAX), "above the limit");
        assert_eq!(numbers.assign(1), [17]);
        for (absurd, said) in [
            (r#"{"next":3,"out":[[1,18446744073709551615]]}"#, "games 1 to 18446744073709551615 are in flight, of 3"),
            (r#"{"next":9,"out":[[5,4]]}"#, "games 5 to 4"),
            (r#"{"next":9,"out":[[2,5],[5,6]]}"#, "games 5 to 6"),
            (
                r#"{"next":9223372036854775808,"out":[[0,9223372036854775807]]}"#,
                "9223372036854775808 games are in flight",
            ),
        ] {
            let refused = serde_json::from_str::<GameNumbers>(absurd).unwrap_err().to_string();
            assert!(refused.contains(said), "{refused}");
        }
    }
}
