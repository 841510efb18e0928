//! Sources of the games that a run learns from.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use crate::games::Game;
use crate::network::{Card, Checkpoint, CheckpointError, Computing, NetworkEvaluator};
use crate::replay::GameRecord;
use crate::stop::StopSignal;

use super::pool::{Pool, games_at_once};
use super::settings::SelfPlaySettings;

/// The wait for a sink to want more games.
const PAUSE: Duration = Duration::from_millis(5);

/// Games to be played: a range of numbers of a run, with a checkpoint. A game depends on these alone, so it does not
/// matter who plays it.
#[derive(Debug)]
pub struct GameOrder<'a> {
    /// The game.
    pub game: Game,
    /// The network to play with.
    pub checkpoint: &'a Checkpoint,
    /// The settings of self-play.
    pub settings: &'a SelfPlaySettings,
    /// The run's seed.
    pub run_seed: u64,
    /// The numbers of the games.
    pub numbers: &'a [u64],
}

/// The games of an order.
#[derive(Debug)]
pub struct PlayedGames {
    /// One for each number, in their order.
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
    /// A failure between here and the machines that play.
    #[error("{0}")]
    Elsewhere(Box<dyn std::error::Error + Send + Sync>),
}

/// Keeps finished games with their numbers, all of them or none; returns false if it could not. Called from any thread.
pub type KeepGames<'a> = dyn Fn(&[(u64, &GameRecord)]) -> bool + Sync + 'a;

/// An endless stream of games, each with the newest checkpoint that its player knows of.
#[derive(Debug)]
pub struct StreamOrder<'a> {
    /// The game.
    pub game: Game,
    /// The newest network.
    pub checkpoint: &'a Checkpoint,
    /// The settings of self-play.
    pub settings: &'a SelfPlaySettings,
    /// The run's seed.
    pub run_seed: u64,
    /// Games of this many checkpoints before are taken too.
    pub checkpoint_age: usize,
    /// The games of an iteration.
    pub games: u64,
}

/// The receiver of a stream's games, which says how many more are wanted.
pub trait GameSink: Sync {
    /// Returns the numbers of further games that are wanted, which from then on count as dealt out; none if they are
    /// fewer than a fair share.
    fn deal(&self) -> Vec<u64>;

    /// Returns the numbers that were dealt out and whose games have not come.
    fn out(&self) -> Vec<u64>;

    /// Counts all numbers below this one as dealt out, perhaps by a process that died. Returns false and changes nothing if
    /// that cannot be.
    fn dealt_below(&self, number: u64) -> bool;

    /// Takes finished games and returns how many of them are new; none if they cannot be kept now.
    fn take(&self, games: &[(u64, &GameRecord)]) -> Option<usize>;
}

/// Plays games to order: the threads of this process, or other machines.
pub trait GameSource: Debug + Send + Sync {
    /// Plays the games of an order. None if `stop` was requested before all were finished. `keep` is called once for
    /// each game.
    ///
    /// # Errors
    /// If the checkpoint is not a network for the game, or the machines that play cannot be reached any more.
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
        let StreamOrder { game, checkpoint, settings, run_seed, .. } = *order;
        let mut numbers = sink.out();
        while !stop.is_requested() {
            if numbers.is_empty() {
                stop.sleep(PAUSE);
            }
            let order = GameOrder { game, checkpoint, settings, run_seed, numbers: &numbers };
            self.play(&order, stop, &|games| sink.take(games).is_some())?;
            numbers = sink.deal();
        }
        Ok(())
    }
}

/// Plays on the threads of this process, by our kernels or on a card.
#[derive(Debug, Clone)]
pub struct LocalGames {
    pool: Arc<Pool>,
    card: Option<Card>,
}

impl LocalGames {
    /// Plays on the threads of this pool, or on the card that the user has chosen.
    pub fn new(pool: Arc<Pool>) -> Self {
        Self { pool, card: Computing::card() }
    }

    /// Plays on this card. Each game has a thread of its own, which waits while the card evaluates.
    pub fn on_card(self, card: Card) -> Self {
        Self { card: Some(card), ..self }
    }
}

impl GameSource for LocalGames {
    fn play(
        &self,
        order: &GameOrder<'_>,
        stop: &StopSignal,
        keep: &KeepGames<'_>,
    ) -> Result<Option<PlayedGames>, GameSourceError> {
        let on_game = |number: u64, record: &GameRecord| {
            // Games that cannot be kept are played again if the process dies.
            keep(&[(number, record)]);
        };
        let GameOrder { game, checkpoint, settings, run_seed, numbers } = *order;
        let (computing, pool) = match &self.card {
            None => (Computing::best(), self.pool.clone()),
            Some(card) => {
                let games = games_at_once(game, settings, card.games.min(numbers.len()));
                (card.clone().repeatable().into(), Arc::new(Pool::new(games)?))
            }
        };
        let evaluator =
            NetworkEvaluator::new(game, checkpoint, "of this run", computing)?.with_cache(settings.evaluation_cache);
        let played = pool.play(game, &evaluator, settings, run_seed, numbers.iter().copied(), stop, on_game);
        let cache_hits = evaluator.cache_use().map(|usage| usage.hit_rate());
        Ok(played.map(|records| PlayedGames { records, cache_hits }))
    }
}
