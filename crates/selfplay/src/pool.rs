//! Many games at once, each worker thread with its own evaluator.

use rayon::prelude::*;

use crate::shards::GameRecord;
use hexzero_games::{Evaluator, Game};
use hexzero_system::stop::StopSignal;

use super::game::{GameId, play_numbered};
use super::settings::SelfPlaySettings;

/// The limit on the memory of the trees of all games in progress, in bytes.
const TREES: usize = 8 << 30;

/// Bytes allocated for a tree for each visit, and for each action of the position that it adds: twice those in use, since arrays
/// double as they grow.
const VISIT_BYTES: usize = 160;
const ACTION_BYTES: usize = 64;

/// Returns how many of `games` games may be in progress at once without their trees taking more
/// than 8 GiB. The choice does not affect which games are played.
pub fn games_at_once(game: Game, settings: &SelfPlaySettings, games: usize) -> usize {
    let boards = settings.sizes.iter().filter_map(|entry| game.on(entry.size).ok());
    let actions = boards.map(|board| board.cells() * game.view.policy_planes + game.view.global_actions).max();
    // A full search adds its visits to those of the tree that it inherits, which are seldom more.
    let visits = 2 * settings.full_visits.max(settings.cheap_visits) as usize;
    let tree = visits.saturating_mul(VISIT_BYTES + ACTION_BYTES * actions.unwrap_or(0));
    games.min(TREES / tree.max(1)).max(1)
}

/// Worker threads for self-play.
#[derive(Debug)]
pub struct Pool {
    threads: rayon::ThreadPool,
}

impl Pool {
    /// Creates a pool of this many workers, or one for each core if 0.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn new(workers: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(workers).build()?;
        Ok(Self { threads })
    }

    /// Returns the number of workers.
    pub fn workers(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// Runs something on the pool's threads.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.threads.install(work)
    }

    /// Plays the games with these numbers, in their order. Returns none if `stop` was requested
    /// before all were finished. `on_game` is called from the workers after each game, with its
    /// number.
    #[expect(clippy::too_many_arguments, reason = "what decides the games, and who hears of them")]
    pub fn play<E: Evaluator + Clone + Send + Sync>(
        &self,
        game: Game,
        evaluator: &E,
        settings: &SelfPlaySettings,
        run_seed: u64,
        games: impl IntoIterator<Item = u64>,
        stop: &StopSignal,
        on_game: impl Fn(u64, &GameRecord) + Sync,
    ) -> Option<Vec<GameRecord>> {
        let games: Vec<u64> = games.into_iter().collect();
        self.threads.install(|| {
            games
                .into_par_iter()
                // One game at a time: they differ much in length.
                .with_max_len(1)
                .map_init(
                    || evaluator.clone(),
                    |evaluator, number| {
                        let record = play_numbered(game, evaluator, settings, GameId { run_seed, number }, stop)?;
                        on_game(number, &record);
                        Some(record)
                    },
                )
                .collect()
        })
    }
}
