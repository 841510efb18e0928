//! Games that a coordinator waits for: those of an order in lock step, or those that a sink wants; numbers as ranges.

use std::collections::{BTreeMap, BTreeSet};

use hexzero_selfplay::shards::GameRecord;
use hexzero_selfplay::{GameOrder, GameSink, KeepGames, PlayedGames, StreamOrder};

use crate::wire::PlayedRange;

/// Ranges per worker thread that hold half of the missing games of an order.
const RANGES_PER_THREAD: u64 = 4;
/// Number of such ranges if the number of threads is unknown.
const DEFAULT_RANGES: u64 = 64;
/// Approximate number of ranges in flight when streaming.
const STREAMED_RANGES: u64 = 128;

/// Games that a coordinator waits for.
pub trait WantedGames {
    /// Phase of the run while they are played, as reported to the broker.
    const PHASE: &'static str;
    /// True if games may be of earlier checkpoints too, and are played for the newest one that a worker knows.
    const CONTINUOUS: bool;

    /// Returns true once nothing is missing.
    fn is_complete(&self) -> bool;

    /// Returns the assigned numbers that are missing, in ascending order.
    fn missing(&self) -> Vec<u64>;

    /// Returns further numbers to assign now, in ascending order.
    fn next_numbers(&mut self) -> Vec<u64>;

    /// Marks all numbers below `number` as assigned, e.g. by a coordinator that crashed. Returns
    /// false if that is impossible.
    fn resume_at(&self, number: u64) -> bool;

    /// Keeps the games of `range` that are missing and returns their number, or `None` if they cannot be kept now.
    fn keep(&mut self, range: PlayedRange) -> Option<usize>;

    /// Returns those numbers of a refused message that must be reassigned at once.
    fn to_redeal(&self, refused: &[u64]) -> Vec<u64>;

    /// Returns the length of the ranges to assign; `threads` counts the threads of all workers.
    fn range_length(&self, threads: impl FnOnce() -> u64) -> RangeLength;
}

/// Games of an order in lock step, all of which are assigned at the beginning.
pub struct OrderedGames<'a> {
    keep: &'a KeepGames<'a>,
    missing: BTreeSet<u64>,
    games: BTreeMap<u64, GameRecord>,
    /// Latest cache hit rate of each worker.
    cache_hits: BTreeMap<String, f64>,
}

impl<'a> OrderedGames<'a> {
    pub fn new(order: &GameOrder<'_>, keep: &'a KeepGames<'a>) -> Self {
        let missing = order.numbers.iter().copied().collect();
        Self { keep, missing, games: BTreeMap::new(), cache_hits: BTreeMap::new() }
    }

    pub fn into_played(self) -> PlayedGames {
        let workers = self.cache_hits.len();
        let cache_hits = (workers > 0).then(|| self.cache_hits.values().sum::<f64>() / workers as f64);
        PlayedGames { records: self.games.into_values().collect(), cache_hits }
    }
}

impl WantedGames for OrderedGames<'_> {
    const PHASE: &'static str = "playing";
    const CONTINUOUS: bool = false;

    fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    fn missing(&self) -> Vec<u64> {
        self.missing.iter().copied().collect()
    }

    fn next_numbers(&mut self) -> Vec<u64> {
        Vec::new()
    }

    fn resume_at(&self, _: u64) -> bool {
        false
    }

    fn keep(&mut self, PlayedRange { provenance, games, .. }: PlayedRange) -> Option<usize> {
        let is_missing = |number: &u64| self.missing.contains(number);
        let new: BTreeMap<u64, GameRecord> = games.into_iter().filter(|(number, _)| is_missing(number)).collect();
        let games: Vec<_> = new.iter().map(|(&number, record)| (number, record)).collect();
        if !(self.keep)(&games) {
            return None;
        }
        self.cache_hits.extend(provenance.cache_hits.map(|hits| (provenance.worker, hits)));
        let used = new.len();
        self.missing.retain(|number| !new.contains_key(number));
        self.games.extend(new);
        Some(used)
    }

    /// Returns none: missing games are reassigned once all other work is done, and a stale message
    /// of another run may have the same numbers.
    fn to_redeal(&self, _: &[u64]) -> Vec<u64> {
        Vec::new()
    }

    fn range_length(&self, threads: impl FnOnce() -> u64) -> RangeLength {
        let threads = threads();
        let out = if threads == 0 { DEFAULT_RANGES } else { RANGES_PER_THREAD.saturating_mul(threads) };
        RangeLength::Shrinking { out }
    }
}

/// Games that a sink wants, in any order, while the network learns.
pub struct StreamedGames<'a> {
    sink: &'a dyn GameSink,
    games_per_iteration: u64,
}

impl<'a> StreamedGames<'a> {
    pub fn new(order: &StreamOrder<'_>, sink: &'a dyn GameSink) -> Self {
        Self { sink, games_per_iteration: order.games }
    }
}

impl WantedGames for StreamedGames<'_> {
    const PHASE: &'static str = "playing and learning";
    const CONTINUOUS: bool = true;

    fn is_complete(&self) -> bool {
        false
    }

    fn missing(&self) -> Vec<u64> {
        self.sink.in_flight()
    }

    fn next_numbers(&mut self) -> Vec<u64> {
        self.sink.assign()
    }

    fn resume_at(&self, number: u64) -> bool {
        self.sink.assign_below(number)
    }

    fn keep(&mut self, range: PlayedRange) -> Option<usize> {
        let games: Vec<_> = range.games.iter().map(|(number, record)| (*number, record)).collect();
        self.sink.take(&games)
    }

    fn to_redeal(&self, refused: &[u64]) -> Vec<u64> {
        let missing = self.sink.in_flight();
        refused.iter().copied().filter(|number| missing.contains(number)).collect()
    }

    /// Returns a length with which about `STREAMED_RANGES` ranges hold the two iterations of games
    /// in flight.
    fn range_length(&self, _: impl FnOnce() -> u64) -> RangeLength {
        RangeLength::AtMost(self.games_per_iteration / (STREAMED_RANGES / 2))
    }
}

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
    use std::sync::atomic::{AtomicBool, Ordering};

    use proptest::prelude::*;

    use crate::tests::{checkpoint, provenance};
    use crate::wire::Provenance;
    use hexzero_games::{EndReason, Outcome, game_named};
    use hexzero_selfplay::shards::GameStart;
    use hexzero_selfplay::{SelfPlayJob, SelfPlaySettings};

    use super::*;

    fn range(worker: &str, cache_hits: f64, numbers: &[u64]) -> PlayedRange {
        let record = |&number: &u64| {
            let outcome = Outcome { winner: None, reason: EndReason(0) };
            let (turns, start) = (Vec::new(), GameStart::Empty);
            (number, GameRecord { size: 3, turns, outcome, evaluations: number as u32, played_out: true, start })
        };
        let provenance = Provenance { worker: worker.to_owned(), cache_hits: Some(cache_hits), ..provenance() };
        PlayedRange { job: "j".to_owned(), provenance, games: numbers.iter().map(record).collect() }
    }

    #[test]
    fn each_ordered_game_is_kept_once() {
        let (game, network, settings) = (game_named("cachex").unwrap(), checkpoint(1), SelfPlaySettings::default());
        let order = GameOrder {
            job: SelfPlayJob { game, checkpoint: &network, settings: &settings, run_seed: 3 },
            numbers: &[4, 5, 6, 7],
        };
        let is_disk_full = AtomicBool::new(true);
        let keep = |_: &[(u64, &GameRecord)]| !is_disk_full.load(Ordering::Relaxed);
        let mut games = OrderedGames::new(&order, &keep);
        assert_eq!(games.keep(range("a", 0.1, &[4, 5])), None);
        assert_eq!(games.missing(), [4, 5, 6, 7]);
        is_disk_full.store(false, Ordering::Relaxed);
        assert_eq!(games.keep(range("a", 0.2, &[6, 3, 4])), Some(2));
        assert_eq!(games.keep(range("b", 0.6, &[5, 4])), Some(1));
        assert!(!games.is_complete() && games.missing() == [7]);
        assert_eq!(games.keep(range("a", 0.4, &[7])), Some(1));
        assert!(games.is_complete());
        // In the order of numbers; the latest hit rate of each worker counts.
        let played = games.into_played();
        assert_eq!(played.records.iter().map(|record| record.evaluations).collect::<Vec<_>>(), [4, 5, 6, 7]);
        assert_eq!(played.cache_hits, Some(0.5));
    }

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
