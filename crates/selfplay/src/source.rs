//! Sources of the games that a run learns from, and a pool that plays many at once.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::*;

use crate::game::{GameId, play_numbered};
use crate::settings::SelfPlaySettings;
use crate::shards::GameRecord;
use hexzero_games::{Evaluator, Game};
use hexzero_nn::{Backend, Checkpoint, CheckpointError, NetworkEvaluator};
use hexzero_system::stop::StopSignal;

/// The wait between checks whether a sink wants more games.
const PAUSE: Duration = Duration::from_millis(5);

/// What a run's games are played with. A game depends on this and its number alone, so it does not matter who plays it.
#[derive(Debug, Clone, Copy)]
pub struct SelfPlayJob<'a> {
    /// The game.
    pub game: Game,
    /// The network to play with.
    pub checkpoint: &'a Checkpoint,
    /// The settings of self-play.
    pub settings: &'a SelfPlaySettings,
    /// The run's seed.
    pub run_seed: u64,
}

/// Games to be played, with a checkpoint.
#[derive(Debug)]
pub struct GameOrder<'a> {
    /// What they are played with.
    pub job: SelfPlayJob<'a>,
    /// The numbers of the games.
    pub numbers: &'a [u64],
}

/// The games of an order.
#[derive(Debug)]
pub struct PlayedGames {
    /// One record for each number, in order.
    pub records: Vec<GameRecord>,
    /// The share of the positions that an evaluation cache knew, if there was one.
    pub cache_hits: Option<f64>,
}

/// A failure to play the games of an order.
#[derive(Debug, thiserror::Error)]
pub enum GameSourceError {
    /// The checkpoint is not a network for the game.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The threads of the games cannot be started.
    #[error("cannot start a thread for each game: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The machines that play have failed, or the connection to them.
    #[error("{0}")]
    Elsewhere(Box<dyn std::error::Error + Send + Sync>),
}

/// Keeps finished games with their numbers, all of them or none; returns false if it could not. Called from any thread.
pub type KeepGames<'a> = dyn Fn(&[(u64, &GameRecord)]) -> bool + Sync + 'a;

/// An endless stream of games, each with the newest checkpoint that its player knows of.
#[derive(Debug)]
pub struct StreamOrder<'a> {
    /// What they are played with, the newest network at present.
    pub job: SelfPlayJob<'a>,
    /// The maximum age of a game's checkpoint that is accepted, in checkpoints.
    pub checkpoint_age: usize,
    /// The games of an iteration.
    pub games: u64,
}

/// The receiver of a stream's games, which says how many more are wanted.
pub trait GameSink: Sync {
    /// Returns the numbers of further games that are wanted, and counts them as assigned; none if
    /// they are fewer than a fair share.
    fn assign(&self) -> Vec<u64>;

    /// Returns the numbers that are assigned and whose games have not arrived.
    fn in_flight(&self) -> Vec<u64>;

    /// Marks all numbers below this one as assigned, e.g. by a coordinator that crashed. Returns
    /// false and changes nothing if that is impossible.
    fn assign_below(&self, number: u64) -> bool;

    /// Takes finished games and returns how many of them are new; none if they cannot be kept now.
    fn take(&self, games: &[(u64, &GameRecord)]) -> Option<usize>;
}

/// Plays games to order: the threads of this process, or other machines.
pub trait GameSource: Debug + Send + Sync {
    /// Plays the games of an order. Returns none if `stop` was requested before all were finished.
    /// `keep` is called once for each game.
    ///
    /// # Errors
    /// If the checkpoint is not a network for the game, or the machines that play cannot be reached
    /// any more.
    fn play(
        &self,
        order: &GameOrder<'_>,
        stop: &StopSignal,
        keep: &KeepGames<'_>,
    ) -> Result<Option<PlayedGames>, GameSourceError>;

    /// Describes in a line what came from elsewhere so far, if anything did.
    fn traffic(&self) -> Option<String> {
        None
    }

    /// Plays the games that a sink wants until `stop` is requested.
    ///
    /// # Errors
    /// As [`GameSource::play`].
    fn stream(&self, order: &StreamOrder<'_>, stop: &StopSignal, sink: &dyn GameSink) -> Result<(), GameSourceError> {
        while !stop.is_requested() {
            // Games that could not be kept, by this process or one before, are played again first.
            let mut numbers = sink.in_flight();
            if numbers.is_empty() {
                numbers = sink.assign();
            }
            if numbers.is_empty() {
                stop.sleep(PAUSE);
                continue;
            }
            let order = GameOrder { job: order.job, numbers: &numbers };
            self.play(&order, stop, &|games| sink.take(games).is_some())?;
        }
        Ok(())
    }
}

/// Plays on the threads of this process.
#[derive(Debug, Clone)]
pub struct LocalGames {
    pool: Arc<Pool>,
    backend: Backend,
}

impl LocalGames {
    /// Plays on the threads of this pool and evaluates with this backend. On a device each game has a thread of its own, which waits
    /// while the device evaluates.
    pub fn new(pool: Arc<Pool>, backend: Backend) -> Self {
        Self { pool, backend }
    }
}

impl GameSource for LocalGames {
    fn play(
        &self,
        order: &GameOrder<'_>,
        stop: &StopSignal,
        keep: &KeepGames<'_>,
    ) -> Result<Option<PlayedGames>, GameSourceError> {
        // A game that cannot be kept is played again if the process dies.
        let on_game = |number: u64, record: &GameRecord| _ = keep(&[(number, record)]);
        let GameOrder { job: SelfPlayJob { game, checkpoint, settings, run_seed }, numbers } = *order;
        let pool = match &self.backend {
            Backend::Cpu(_) => self.pool.clone(),
            Backend::Device(device) => {
                let games = games_at_once(game, settings, device.games().min(numbers.len()));
                Arc::new(Pool::new(games)?)
            }
        };
        let evaluator = NetworkEvaluator::new(game, checkpoint, "of this run", self.backend.repeatable())?
            .with_cache(settings.evaluation_cache);
        let played = pool.play(game, &evaluator, settings, run_seed, numbers.iter().copied(), stop, on_game);
        let cache_hits = evaluator.cache_use().map(|usage| usage.hit_rate());
        Ok(played.map(|records| PlayedGames { records, cache_hits }))
    }
}

/// The limit on the memory of the trees of all games in progress, in bytes.
const TREES: usize = 8 << 30;

/// Bytes allocated for a tree for each visit, and for each action of the position that it adds: twice those in use, since arrays
/// double as they grow.
const VISIT_BYTES: usize = 160;
const ACTION_BYTES: usize = 8;

/// Returns how many of `games` games may be in progress at once without their trees taking more
/// than 8 GiB. The choice does not affect which games are played.
pub fn games_at_once(game: Game, settings: &SelfPlaySettings, games: usize) -> usize {
    let boards = settings.sizes.iter().filter_map(|entry| game.game_board(entry.size).ok());
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
        let threads = rayon::ThreadPoolBuilder::new().num_threads(workers);
        // WebAssembly without threads: the only one there is does the work. A second pool is refused.
        #[cfg(all(target_family = "wasm", not(target_feature = "atomics")))]
        let threads = threads.num_threads(1).use_current_thread();
        Ok(Self { threads: threads.build()? })
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::shards::GameStart;
    use hexzero_games::{EndReason, Outcome, default_game};
    use hexzero_nn::{Architecture, Metadata, NamedTensors};

    /// Finishes the games of an order one after another.
    #[derive(Debug)]
    struct OneByOne;

    impl GameSource for OneByOne {
        fn play(
            &self,
            order: &GameOrder<'_>,
            _: &StopSignal,
            keep: &KeepGames<'_>,
        ) -> Result<Option<PlayedGames>, GameSourceError> {
            let outcome = Outcome { winner: None, reason: EndReason(1) };
            let (turns, start) = (Vec::new(), GameStart::Empty);
            let record = GameRecord { size: 5, turns, outcome, evaluations: 0, played_out: true, start };
            for &number in order.numbers {
                keep(&[(number, &record)]);
            }
            Ok(Some(PlayedGames { records: vec![record; order.numbers.len()], cache_hits: None }))
        }
    }

    /// Wants the games 0 to 3, and cannot keep the first two that come.
    #[derive(Default)]
    struct FullAtFirst {
        stop: StopSignal,
        state: Mutex<SinkState>,
    }

    #[derive(Default)]
    struct SinkState {
        in_flight: Vec<u64>,
        kept: Vec<u64>,
        refused: usize,
    }

    impl GameSink for FullAtFirst {
        fn assign(&self) -> Vec<u64> {
            let mut state = self.state.lock().unwrap();
            if state.refused > 0 {
                self.stop.request();
                return Vec::new();
            }
            state.in_flight = (0..4).collect();
            state.in_flight.clone()
        }

        fn in_flight(&self) -> Vec<u64> {
            self.state.lock().unwrap().in_flight.clone()
        }

        fn assign_below(&self, _: u64) -> bool {
            false
        }

        fn take(&self, games: &[(u64, &GameRecord)]) -> Option<usize> {
            let mut state = self.state.lock().unwrap();
            if state.refused < 2 {
                state.refused += 1;
                return None;
            }
            for &(number, _) in games {
                state.in_flight.retain(|&other| other != number);
                state.kept.push(number);
            }
            Some(games.len())
        }
    }

    #[test]
    fn games_that_could_not_be_kept_are_played_again() {
        let game = default_game();
        let metadata = Metadata::untrained(game, Architecture::default());
        let checkpoint = Checkpoint { metadata, tensors: NamedTensors::new() };
        let settings = SelfPlaySettings::default();
        let job = SelfPlayJob { game, checkpoint: &checkpoint, settings: &settings, run_seed: 1 };
        let sink = FullAtFirst::default();
        OneByOne.stream(&StreamOrder { job, checkpoint_age: 1, games: 4 }, &sink.stop, &sink).unwrap();
        assert_eq!(sink.state.into_inner().unwrap().kept, [2, 3, 0, 1]);
    }
}
