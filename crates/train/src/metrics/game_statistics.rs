//! Statistics of an iteration's games: winners, endings, lengths, swaps, and the game's own counts.

use std::collections::BTreeMap;

use serde::Serialize;

use hexzero_games::{Change, Count, Counted, Game, Seat};
use hexzero_selfplay::shards::GameRecord;

/// Statistics of games. Shares are of the games, from 0 to 1.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct GameStatistics {
    /// The number of games.
    pub new_games: u64,
    /// The positions that their searches asked to evaluate.
    pub new_evaluations: u64,
    /// The mean number of plies.
    pub mean_plies: f64,
    /// The distribution of the number of plies.
    pub length: Lengths,
    /// The share that the first player won.
    pub first_wins: f64,
    /// The share that the second player won.
    pub second_wins: f64,
    /// The share of draws.
    pub draws: f64,
    /// The share that began on the empty board, with random moves, from a file and from a restart, by
    /// [`hexzero_selfplay::shards::GameStart::key`].
    pub starts: BTreeMap<&'static str, f64>,
    /// The share that each rule ended, by the [key](hexzero_games::Ending::key) of the ending.
    pub ends: BTreeMap<String, f64>,
    /// The share of the games whose swap was taken, among those in which a searched move could have been a swap. None
    /// if there were no such games.
    pub swaps: Option<f64>,
    /// The mean of the game's own counts, by the [keys](Count::key): in JSON fields beside the others.
    #[serde(flatten)]
    pub counts: BTreeMap<String, f64>,
}

/// The plies of games: the least, quantiles, the most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Lengths {
    /// The plies of the shortest game.
    pub least: u64,
    /// A tenth of the games are no longer.
    pub p10: u64,
    /// Half of the games are no longer.
    pub median: u64,
    /// Nine tenths of the games are no longer.
    pub p90: u64,
    /// The plies of the longest game.
    pub most: u64,
}

impl Lengths {
    fn of(mut plies: Vec<u64>) -> Self {
        plies.sort_unstable();
        let at = |share: f64| {
            let rank = (share * plies.len() as f64).ceil() as usize;
            plies.get(rank.saturating_sub(1)).copied().unwrap_or(0)
        };
        Self { least: at(0.0), p10: at(0.1), median: at(0.5), p90: at(0.9), most: at(1.0) }
    }
}

/// The results of replaying a game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Replayed {
    /// One number for each of the game's [`Count`]s.
    counts: Vec<u64>,
    /// True if a searched move could have been the swap; `swapped` if it was.
    could_swap: bool,
    swapped: bool,
}

impl Replayed {
    fn of(game: Game, record: &GameRecord) -> Self {
        let mut found = Self { counts: vec![0; game.counts.len()], ..Self::default() };
        let Ok(mut position) = game.start(record.size.into()) else { return found };
        let swap = position.game_board().swap();
        for turn in &record.turns {
            if let Some(swap) = swap.filter(|&swap| turn.search.is_some() && position.check(swap).is_ok()) {
                found.could_swap = true;
                found.swapped |= turn.action == swap;
            }
            if position.check(turn.action).is_err() {
                break;
            }
            let changes = position.play_noting(turn.action);
            if position.global_action(turn.action).is_none() {
                for (sum, count) in found.counts.iter_mut().zip(game.counts) {
                    *sum += changes.iter().filter(|change| is_counted(count, **change)).count() as u64;
                }
            }
        }
        found
    }
}

fn is_counted(count: &Count, change: Change) -> bool {
    match change {
        Change::Placed(_) => false,
        Change::Removed(_) => count.what == Counted::Removed,
        Change::Moved(..) => count.what == Counted::Moved,
        Change::Recoloured(_) => count.what == Counted::Recoloured,
    }
}

/// Returns the share of each key among all.
fn shares<K: Ord>(keys: impl ExactSizeIterator<Item = K>) -> BTreeMap<K, f64> {
    let total = keys.len() as f64;
    let mut shares = BTreeMap::new();
    keys.for_each(|key| *shares.entry(key).or_insert(0.0) += 1.0);
    shares.values_mut().for_each(|count| *count /= total);
    shares
}

impl GameStatistics {
    /// Computes the statistics of `records`.
    pub fn of<'a>(game: Game, records: impl IntoIterator<Item = &'a GameRecord>) -> Self {
        let records: Vec<&GameRecord> = records.into_iter().collect();
        let replayed: Vec<Replayed> = records.iter().map(|record| Replayed::of(game, record)).collect();
        let games = records.len().max(1) as f64;
        let won_by = |winner| records.iter().filter(|record| record.outcome.winner == winner).count() as f64 / games;
        let plies: Vec<u64> = records.iter().map(|record| record.turns.len() as u64).collect();
        let could_swap = replayed.iter().filter(|found| found.could_swap).count();
        let swapped = replayed.iter().filter(|found| found.swapped).count();
        let counts = game.counts.iter().enumerate().map(|(number, count)| {
            let sum: u64 = replayed.iter().map(|found| found.counts[number]).sum();
            (count.key.to_owned(), sum as f64 / games)
        });
        Self {
            new_games: records.len() as u64,
            new_evaluations: records.iter().map(|record| u64::from(record.evaluations)).sum(),
            mean_plies: plies.iter().sum::<u64>() as f64 / games,
            length: Lengths::of(plies),
            first_wins: won_by(Some(Seat::First)),
            second_wins: won_by(Some(Seat::Second)),
            draws: won_by(None),
            starts: shares(records.iter().map(|record| record.start.key())),
            ends: shares(records.iter().map(|record| game.ending_key(record.outcome.reason).to_owned())),
            swaps: (could_swap > 0).then(|| swapped as f64 / could_swap as f64),
            counts: counts.collect(),
        }
    }

    /// Computes the statistics of the games on each board size.
    pub fn by_size(game: Game, records: &[GameRecord]) -> BTreeMap<u8, Self> {
        let mut of_size: BTreeMap<u8, Vec<&GameRecord>> = BTreeMap::new();
        for record in records {
            of_size.entry(record.size).or_default().push(record);
        }
        of_size.into_iter().map(|(size, records)| (size, Self::of(game, records))).collect()
    }
}

#[cfg(test)]
mod tests {
    use hexzero_games::{EndReason, Outcome, WinDrawLoss, game_named};
    use hexzero_selfplay::shards::{GameStart, SearchRecord, TurnRecord};

    use super::*;

    fn cachex() -> Game {
        game_named("cachex").unwrap()
    }

    /// A game of these moves, all searched but the first `random`.
    fn record(game: Game, size: usize, moves: &str, random: usize, winner: Option<Seat>) -> GameRecord {
        let mut position = game.start(size).unwrap();
        let turn = |(number, name): (usize, &str)| {
            let action = position.play_named(name).unwrap();
            let found = SearchRecord {
                full: false,
                visits: 1,
                policy: Vec::new(),
                outcome: WinDrawLoss::EVEN,
                proven: false,
                surprise: 0.0,
            };
            TurnRecord { action, search: (number >= random).then_some(found) }
        };
        let turns = moves.split_whitespace().enumerate().map(turn).collect();
        let reason = if winner.is_some() { EndReason::CONNECTION } else { game.ending_named("repetition").unwrap() };
        let (size, outcome) = (size as u8, Outcome { winner, reason });
        let start = GameStart::of_random(random);
        GameRecord { size, turns, outcome, evaluations: 7, played_out: true, start }
    }

    #[test]
    fn games_counted_by_hand() {
        let records = [
            // b3 completes the pair c1, b3 around b2, c2: two stones are taken.
            record(cachex(), 5, "c1 b2 a5 c2 b3", 0, Some(Seat::First)),
            // The swap moves a stone, which is no capture.
            record(cachex(), 5, "d2 swap c4", 0, Some(Seat::Second)),
            // No player chose a random swap.
            record(cachex(), 5, "d2 swap c4 a1", 2, None),
            record(cachex(), 4, "a1 b1", 0, Some(Seat::Second)),
        ];
        let all = GameStatistics::of(cachex(), &records);
        assert_eq!((all.new_games, all.new_evaluations, all.mean_plies), (4, 28, 3.5));
        assert_eq!((all.first_wins, all.second_wins, all.draws), (0.25, 0.5, 0.25));
        assert_eq!(all.ends, BTreeMap::from([("connection".to_owned(), 0.75), ("repetition".to_owned(), 0.25)]));
        assert_eq!(all.starts, BTreeMap::from([("empty", 0.75), ("random", 0.25)]));
        assert_eq!(all.swaps, Some(1.0 / 3.0));
        assert_eq!(all.counts, BTreeMap::from([("captures".to_owned(), 0.5)]));
        assert_eq!(all.length, Lengths { least: 2, p10: 2, median: 3, p90: 5, most: 5 });

        let by_size = GameStatistics::by_size(cachex(), &records);
        assert_eq!(by_size.keys().collect::<Vec<_>>(), [&4, &5]);
        assert_eq!(by_size[&5], GameStatistics::of(cachex(), &records[..3]));
        assert_eq!((by_size[&4].counts["captures"], by_size[&4].swaps), (0.0, Some(0.0)));
    }

    #[test]
    fn swap_share_is_absent_without_swaps() {
        let [hex, without] = ["hex", "hex-noswap"].map(|name| game_named(name).unwrap());
        let records = [record(without, 3, "a1 b1", 0, Some(Seat::First))];
        assert_eq!(GameStatistics::of(without, &records).swaps, None);
        let records = [record(hex, 3, "a1 swap", 0, Some(Seat::First))];
        let statistics = GameStatistics::of(hex, &records);
        assert_eq!((statistics.swaps, statistics.counts.len()), (Some(1.0), 0));
    }

    #[test]
    fn empty_statistics_and_quantiles() {
        let none = GameStatistics::of(cachex(), &[]);
        assert_eq!(none.counts, BTreeMap::from([("captures".to_owned(), 0.0)]));
        assert_eq!(GameStatistics { counts: BTreeMap::new(), ..none }, GameStatistics::default());
        let hundred = Lengths::of((1..=100).rev().collect());
        assert_eq!(hundred, Lengths { least: 1, p10: 10, median: 50, p90: 90, most: 100 });
    }

    #[test]
    fn endings_and_counts_have_their_names_in_json() {
        let text = serde_json::to_string(&GameStatistics::of(cachex(), &[record(cachex(), 5, "a1", 0, None)])).unwrap();
        assert!(text.contains(r#""ends":{"repetition":1.0}"#) && text.ends_with(r#""captures":0.0}"#), "{text}");
    }
}
