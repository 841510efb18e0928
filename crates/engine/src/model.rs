//! Models that the engine evaluates positions with, and their forecast of the board at the end of the game.

use crate::Engine;
use hexzero_games::{Action, CellForecast, Evaluation, Evaluator, Game, Position};
use hexzero_nn::{Backend, Checkpoint, CheckpointError, NetworkEvaluator};
use hexzero_search::{Limits, PLAYOUT_PUCT, RandomPlayouts, RootMove, Search, SearchSettings};

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

    /// Returns `count` such models, one for each thread.
    pub(crate) fn forks(&self, count: usize) -> Vec<Self> {
        (0..count).map(|_| self.fork()).collect()
    }

    /// Continues a search until it has this many visits.
    pub(crate) fn run(&mut self, search: &mut Search, visits: u32) {
        let mut judge = |position: &Position, legal: &[Action]| self.evaluator.evaluate(position, legal);
        search.run(&mut judge, &Limits::visits(visits));
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

/// The number of best moves whose lines are followed for the forecast.
const FORECAST_MOVES: usize = 8;

impl Engine {
    /// Predicts what each cell holds at the end, if the model does; call [`Engine::think`] first. Averages the model's
    /// prediction for the position with those at the ends of the best moves' lines, weighted by visits: in recorded
    /// games that was more accurate than the position alone.
    pub fn forecast(&mut self) -> Option<Vec<CellForecast>> {
        let position = self.search.position();
        if position.outcome().is_some() {
            return None;
        }
        let of_position = self.evaluators[0].forecast(position)?;
        let moves = self.search.root_moves().into_iter().take(FORECAST_MOVES).filter(|candidate| candidate.visits > 0);
        let moves: Vec<RootMove> = moves.collect();
        let visits: f32 = moves.iter().map(|candidate| candidate.visits as f32).sum();
        if moves.is_empty() {
            return Some(of_position);
        }
        let mut mean = vec![CellForecast::default(); of_position.len()];
        let mut add = |cells: Vec<CellForecast>, share: f32| {
            mean.iter_mut().zip(cells).for_each(|(mean, cell)| mean.add(cell, share));
        };
        add(of_position, 0.5);
        for candidate in moves {
            add(self.forecast_after(candidate.action)?, 0.5 * candidate.visits as f32 / visits);
        }
        Some(mean)
    }

    /// Predicts the board in the same way, but from the end of the line of a root move.
    pub fn forecast_after(&mut self, action: Action) -> Option<Vec<CellForecast>> {
        let mut end = self.search.position().clone();
        self.search.variation_from(action).into_iter().for_each(|action| end.play(action));
        match end.outcome() {
            Some(_) => Some((0..end.topology().cells()).map(|cell| CellForecast::certain(end.owner(cell))).collect()),
            None => self.evaluators[0].forecast(&end),
        }
    }
}
