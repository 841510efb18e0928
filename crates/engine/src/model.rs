//! Models that the engine evaluates positions with.

use hexzero_games::{Action, Evaluation, Evaluator, Game, Position};
use hexzero_nn::{Backend, Checkpoint, CheckpointError, NetworkEvaluator};
use hexzero_search::{PLAYOUT_PUCT, RandomPlayouts, SearchSettings};

/// Mebibytes of the evaluation cache of a network in one game: move orders transpose.
const PLAY_CACHE: u32 = 16;

/// Describes a model without a network.
pub const PLAYOUTS: &str = "random playouts, no network";

/// An evaluator that can be duplicated for each thread.
pub trait SharedEvaluator: Evaluator + Send {
    /// Returns another evaluator with the same results.
    fn fork(&self) -> BoxedEvaluator;
}

impl<E: Evaluator + Clone + Send + 'static> SharedEvaluator for E {
    fn fork(&self) -> BoxedEvaluator {
        Box::new(self.clone())
    }
}

/// An evaluator for an engine.
pub type BoxedEvaluator = Box<dyn SharedEvaluator>;

/// An evaluator and its description.
pub struct LoadedModel {
    /// A short description for the user.
    pub description: String,
    /// The evaluator.
    pub evaluator: BoxedEvaluator,
    /// The search settings that suit the evaluator.
    pub search: SearchSettings,
}

impl LoadedModel {
    /// Pairs an evaluator with the search settings that suit a network.
    pub fn new(description: impl Into<String>, evaluator: BoxedEvaluator) -> Self {
        Self { description: description.into(), evaluator, search: SearchSettings::default() }
    }

    /// Evaluates by random games, which work for any game.
    pub fn playouts() -> Self {
        let evaluator = Box::new(RandomPlayouts::new(0));
        Self { search: PLAYOUT_PUCT.into(), ..Self::new(PLAYOUTS, evaluator) }
    }

    /// Returns a model with a uniform policy and even values, for tests.
    pub fn uniform() -> Self {
        Self::new("uniform", Box::new(|_: &Position, legal: &[Action]| Evaluation::uniform(legal.len())))
    }

    /// Returns another model with the same evaluations.
    pub fn fork(&self) -> Self {
        Self { description: self.description.clone(), evaluator: self.evaluator.fork(), search: self.search }
    }

    /// Prepares a network for play; `name` is what errors and the description call it.
    ///
    /// # Errors
    /// If the checkpoint is not a network for this game.
    pub fn of_checkpoint(
        game: Game,
        checkpoint: &Checkpoint,
        name: &str,
        backend: impl Into<Backend>,
    ) -> Result<Self, CheckpointError> {
        let evaluator = NetworkEvaluator::new(game, checkpoint, name, backend)?;
        Ok(Self::new(format!("the network '{name}'"), Box::new(evaluator.with_cache(PLAY_CACHE))))
    }
}
