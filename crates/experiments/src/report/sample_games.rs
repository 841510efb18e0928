//! Games of a run's latest shards, to step through.

use std::collections::BTreeMap;

use serde::Serialize;

use hexzero_games::{Action, Game, Pick, Piece, Position, Seat};
use hexzero_replay::result_name;
use hexzero_selfplay::shards::{GameRecord, Shard, TurnRecord};
use hexzero_train::RunFolder;

/// Games of each board size.
const OF_EACH_SIZE: usize = 3;
/// The maximum number of games altogether.
const MAX_GAMES: usize = 30;
/// The maximum number of shards read.
const MAX_SHARDS: usize = 8;
/// The maximum number of moves shown of a search.
const MAX_MOVES: usize = 12;

/// Games, and warnings about skipped shards.
#[derive(Debug, Default)]
pub(super) struct SampleGames {
    pub games: Vec<SampleGame>,
    pub problems: Vec<String>,
}

/// A game with its searches.
#[derive(Debug, Serialize)]
pub(super) struct SampleGame {
    shard: String,
    number: usize,
    pub size: usize,
    result: &'static str,
    reason: &'static str,
    plies: Vec<Ply>,
}

/// A ply: the search of the position before it, and what it changed.
#[derive(Debug, Serialize)]
struct Ply {
    name: String,
    player: usize,
    /// The places that it changed, with their new contents.
    pieces: Vec<(usize, Option<Piece>)>,
    /// The expected score of the first player, if there was a search.
    value: Option<f32>,
    visits: Option<u32>,
    /// The moves of the policy target with their shares, best first.
    policy: Vec<Candidate>,
}

/// A move of a policy target.
#[derive(Debug, Serialize)]
struct Candidate {
    name: String,
    picks: Vec<Pick>,
    share: f32,
}

impl SampleGames {
    /// Reads some games of each size from the latest shards.
    pub fn of(game: Game, folder: &RunFolder) -> Self {
        let mut found = Self::default();
        let mut of_size: BTreeMap<u8, usize> = BTreeMap::new();
        for path in folder.latest_shards().into_iter().take(MAX_SHARDS) {
            let shard = match Shard::read(&path) {
                Ok(shard) if shard.game == game.name() => shard,
                Ok(shard) => {
                    found.problems.push(format!("shard {} is of {}; skipped", path.display(), shard.game));
                    continue;
                }
                Err(error) => {
                    found.problems.push(format!("{error}; skipped"));
                    continue;
                }
            };
            let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let mut broken = Vec::new();
            for (number, record) in shard.records.iter().enumerate() {
                let taken = of_size.entry(record.size).or_default();
                if *taken >= OF_EACH_SIZE || found.games.len() >= MAX_GAMES {
                    continue;
                }
                match sample(game, record, &name, number) {
                    Some(sample) => {
                        *taken += 1;
                        found.games.push(sample);
                    }
                    None => broken.push(number),
                }
            }
            // One line, as a shard of other rules may have thousands of such games.
            if let [first, others @ ..] = &broken[..] {
                let (path, name, others) = (path.display(), game.name(), others.len());
                let more = if others > 0 { format!(", as do {others} more") } else { String::new() };
                found.problems.push(format!("shard {path}: game {first} breaks the rules of {name}{more}; skipped"));
            }
        }
        found.games.sort_by_key(|game| game.size);
        found
    }
}

/// Replays a game; none if it breaks the rules.
fn sample(game: Game, record: &GameRecord, shard: &str, number: usize) -> Option<SampleGame> {
    let mut position = game.start(record.size.into()).ok()?;
    let plies = record.turns.iter().map(|turn| ply(&mut position, turn)).collect::<Option<_>>()?;
    let (result, reason) = (result_name(game, record.outcome), game.ending_key(record.outcome.reason));
    Some(SampleGame { shard: shard.to_owned(), number, size: position.size(), result, reason, plies })
}

fn ply(position: &mut Position, turn: &TurnRecord) -> Option<Ply> {
    position.check(turn.action).ok()?;
    let search = turn.search.as_ref();
    let weights = search.map_or(&[][..], |search| &search.policy);
    let sum: u64 = weights.iter().map(|&(_, weight)| u64::from(weight)).sum();
    let candidate = |&(action, weight): &(Action, u32)| {
        // A number that is not an action of this board has no name.
        let known = action.index() < position.actions();
        known.then(|| Candidate {
            name: position.action_name(action),
            picks: position.picks(action),
            share: weight as f32 / sum.max(1) as f32,
        })
    };
    let mut policy: Vec<Candidate> = weights.iter().filter_map(candidate).collect();
    policy.sort_by(|a, b| b.share.total_cmp(&a.share));
    policy.truncate(MAX_MOVES);
    let player = position.to_move();
    let value = search.map(|search| {
        let score = search.outcome.win + search.outcome.draw / 2.0;
        if player == Seat::First { score } else { 1.0 - score }
    });
    let name = position.action_name(turn.action);
    let places = position.board().places().len();
    let before: Vec<Option<Piece>> = (0..places).map(|place| position.piece(place)).collect();
    position.play(turn.action);
    let changed = (0..places).filter(|&place| position.piece(place) != before[place]);
    let pieces = changed.map(|place| (place, position.piece(place))).collect();
    Some(Ply { name, player: player.index(), pieces, value, visits: search.map(|search| search.visits), policy })
}
