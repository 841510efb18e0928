//! Many games at once, each worker thread with its own evaluator.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::games::{Evaluator, Game};
use crate::replay::GameRecord;

use super::game::play_numbered;
use super::settings::SelfPlaySettings;

/// Worker threads for self-play.
#[derive(Debug)]
pub struct Pool {
    threads: rayon::ThreadPool,
}

impl Pool {
    /// A pool of this many workers, or of one for each core if 0.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn new(workers: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(workers).build()?;
        Ok(Self { threads })
    }

    /// The number of workers.
    pub fn workers(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// Runs something on the pool's threads.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.threads.install(work)
    }

    /// Plays the games with these numbers, in their order. None if `stop` was set before all were
    /// finished. `on_game` is called from the workers after each game, with its number.
    #[expect(clippy::too_many_arguments, reason = "what decides the games, and who hears of them")]
    pub fn play<E: Evaluator + Clone + Send + Sync>(
        &self,
        game: Game,
        evaluator: &E,
        settings: &SelfPlaySettings,
        run_seed: u64,
        games: impl IntoIterator<Item = u64>,
        stop: &AtomicBool,
        on_game: impl Fn(u64, &GameRecord) + Sync,
    ) -> Option<Vec<GameRecord>> {
        let stopped = || stop.load(Ordering::Relaxed);
        let games: Vec<u64> = games.into_iter().collect();
        self.threads.install(|| {
            games
                .into_par_iter()
                // One game at a time: they differ much in length.
                .with_max_len(1)
                .map_init(
                    || evaluator.clone(),
                    |evaluator, number| {
                        let record = play_numbered(game, evaluator, settings, (run_seed, number), stopped)?;
                        on_game(number, &record);
                        Some(record)
                    },
                )
                .collect()
        })
    }
}
