//! Reads the games of finished iterations from the shards of a run.

use crate::games::Game;
use crate::replay::{GameRecord, Shard, ShardProblem};
use crate::training::run::Progress;

use super::run_folder::{RunFolder, RunFolderError};

/// Reads the latest games of a run's first `iterations` iterations, in order: whole shards, until they hold more
/// than `positions` positions. Damaged shards are set aside and reported.
///
/// # Errors
/// If a shard cannot be set aside.
pub(in crate::training) fn latest_games(
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
    // A damaged state may speak of any number of them.
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
            // A shard of another version is intact, but this program cannot use it.
            Err(error) if path.exists() && !matches!(error.problem, ShardProblem::OtherFormat { .. }) => {
                let aside = folder.set_aside(&path)?;
                progress.warn(&format!("{error}; set aside as {}", aside.display()));
            }
            Err(error) => progress.warn(&format!("{error}; skipped")),
        }
    }
    Ok(shards.into_iter().rev().flat_map(|shard| shard.records))
}

/// Reads the games that another run played in an iteration, if they can be used.
pub(in crate::training) fn games_of_iteration(
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
