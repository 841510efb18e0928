//! Games of a run's latest shards, to be stepped through.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::games::{Game, Position, Seat};
use crate::replay::{GameRecord, Shard, TurnRecord, result_name};
use crate::training::RunFolder;

/// Games of each board size.
const OF_EACH_SIZE: usize = 3;
/// Games altogether.
const MOST_GAMES: usize = 30;
/// Shards that are looked into.
const MOST_SHARDS: usize = 8;
/// Moves of a search that are shown.
const MOST_MOVES: usize = 12;

/// Games, and what was wrong with shards that were passed over.
#[derive(Debug, Default)]
pub(super) struct SampleGames {
    pub games: Vec<SampleGame>,
    pub problems: Vec<String>,
}

/// A game as the page's script steps through it.
#[derive(Debug, Serialize)]
pub(super) struct SampleGame {
    shard: String,
    number: usize,
    pub size: usize,
    result: &'static str,
    reason: crate::games::EndReason,
    plies: Vec<Ply>,
}

/// A ply: what the search said of the position before it, and what it changed.
#[derive(Debug, Serialize)]
struct Ply {
    name: String,
    player: usize,
    /// The cell that was played on.
    cell: Option<usize>,
    /// Cells with what is on them from now on: 0 or 1 for a player's stone, 2 for nothing.
    changes: Vec<(usize, usize)>,
    /// The expected score of the first player, if there was a search.
    value: Option<f32>,
    visits: Option<u32>,
    /// The moves that the policy learns from the search, with their shares, best first.
    policy: Vec<Candidate>,
}

/// A move that a search found worth learning.
#[derive(Debug, Serialize)]
struct Candidate {
    name: String,
    cell: Option<usize>,
    share: f32,
}

impl SampleGames {
    /// Some games of each size, from the latest shards.
    pub fn of(folder: &RunFolder) -> Self {
        let mut found = Self::default();
        let mut of_size: BTreeMap<u8, usize> = BTreeMap::new();
        for path in folder.latest_shards().into_iter().take(MOST_SHARDS) {
            let shard = match Shard::read(&path) {
                Ok(shard) if shard.game == G::NAME => shard,
                Ok(shard) => {
                    found.problems.push(format!("shard {} is of {}; passed over", path.display(), shard.game));
                    continue;
                }
                Err(error) => {
                    found.problems.push(format!("{error}; passed over"));
                    continue;
                }
            };
            let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            for (number, record) in shard.records.iter().enumerate() {
                let taken = of_size.entry(record.size).or_default();
                if *taken >= OF_EACH_SIZE || found.games.len() >= MOST_GAMES {
                    continue;
                }
                match sample(record, &name, number) {
                    Some(game) => {
                        *taken += 1;
                        found.games.push(game);
                    }
                    None => found.problems.push(format!(
                        "shard {}: game {number} breaks the rules of {}; passed over",
                        path.display(),
                        G::NAME
                    )),
                }
            }
        }
        found.games.sort_by_key(|game| game.size);
        found
    }
}

/// A game played again; none if that breaks the rules.
fn sample(record: &GameRecord, shard: &str, number: usize) -> Option<SampleGame> {
    let mut game = G::new(record.size.into()).ok()?;
    let plies = record.turns.iter().map(|turn| ply(&mut game, turn)).collect::<Option<_>>()?;
    let (size, result) = (game.size(), result_name(record.outcome));
    Some(SampleGame { shard: shard.to_owned(), number, size, result, reason: record.outcome.reason, plies })
}

fn ply(game: &mut Position, turn: &TurnRecord) -> Option<Ply> {
    game.check(turn.action).ok()?;
    let cells = game.topology().cells();
    let cell = |action| game.global_action(action).is_none().then(|| action.index() % cells);
    let search = turn.search.as_ref();
    let weights = search.map_or(&[][..], |search| &search.policy);
    let sum: u64 = weights.iter().map(|&(_, weight)| u64::from(weight)).sum();
    let candidate = |&(action, weight): &(crate::games::Action, u32)| {
        // What is no action of this board has no name.
        let known = action.index() < game.actions();
        known.then(|| Candidate {
            name: game.action_name(action),
            cell: cell(action),
            share: weight as f32 / sum.max(1) as f32,
        })
    };
    let mut policy: Vec<Candidate> = weights.iter().filter_map(candidate).collect();
    policy.sort_by(|a, b| b.share.total_cmp(&a.share));
    policy.truncate(MOST_MOVES);
    let player = game.to_move();
    let value = search.map(|search| {
        let score = search.outcome.win + search.outcome.draw / 2.0;
        if player == Seat::First { score } else { 1.0 - score }
    });
    let mut ply = Ply {
        name: game.action_name(turn.action),
        player: player.index(),
        cell: cell(turn.action),
        changes: Vec::new(),
        value,
        visits: search.map(|search| search.visits),
        policy,
    };
    let stones =
        |game: &Position| -> Vec<usize> { (0..cells).map(|cell| game.stone(cell).map_or(2, Seat::index)).collect() };
    let before = stones(game);
    game.play(turn.action);
    let after = stones(game);
    ply.changes = (0..cells).filter(|&cell| before[cell] != after[cell]).map(|cell| (cell, after[cell])).collect();
    Some(ply)
}
