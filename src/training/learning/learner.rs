//! The learner: a network in training and its window of games.

use std::sync::Arc;

use candle_core::Result;

use crate::games::Game;
use crate::network::NamedTensors;
use crate::replay::{GameRecord, Window};
use crate::selfplay::{Pool, ResignationCheck, game_seed};
use crate::stop::StopSignal;
use crate::training::examples::ExactTargets;
use crate::training::folder::Counters;
use crate::training::recipe::Recipe;
use crate::training::run::Progress;

use super::trainer::Trainer;
use super::training_round::{RoundLosses, TrainingRound};

/// Takes finished games and returns better weights. Independent of players and storage.
#[derive(Debug)]
pub struct Learner {
    game: Game,
    trainer: Trainer,
    window: Window,
    exact: ExactTargets,
    pool: Arc<Pool>,
}

impl Learner {
    /// Creates a learner with an empty window, which computes on the threads of a pool.
    pub(in crate::training) fn new(game: Game, trainer: Trainer, recipe: &Recipe, pool: Arc<Pool>) -> Self {
        let solved = recipe.all_sizes().into_iter().filter(|&size| size <= recipe.training.exact_size);
        let solved: Vec<usize> = solved.collect();
        let exact = pool.install(|| ExactTargets::of_boards(game, solved));
        Self { game, trainer, window: Window::new(recipe.training.window_least), exact, pool }
    }

    /// Fills the window with the games of a resumed run, the oldest first.
    pub(in crate::training) fn fill_window(&mut self, capacity: usize, games: impl IntoIterator<Item = GameRecord>) {
        // The games found are those of the old window: the capacity never grew by more than the new positions.
        self.window.set_capacity(capacity);
        games.into_iter().for_each(|record| {
            self.window.add(record);
        });
    }

    /// Returns the resignation threshold that the games in the window suggest, if the recipe lets sides resign.
    pub(in crate::training) fn check_resignation(&self, recipe: &Recipe) -> Option<ResignationCheck> {
        let resignation = &recipe.selfplay.resignation;
        (resignation.chance > 0.0).then(|| resignation.check(self.game, self.window.games().rev()))
    }

    /// Adds the games of an iteration to the window and trains for the number of steps of the recipe, with stages
    /// applied. `before` are the counters of the run before these games, `after` with them. None if `stop` was
    /// requested before the last step; the learner is then unchanged.
    ///
    /// # Errors
    /// If candle fails.
    pub(in crate::training) fn learn(
        &mut self,
        recipe: &Recipe,
        (before, after): (&Counters, &Counters),
        games: Vec<GameRecord>,
        stop: &StopSignal,
        progress: &impl Progress,
    ) -> Result<Option<RoundLosses>> {
        self.trainer.set(&recipe.training);
        let mut window = self.window.clone();
        window.set_capacity(recipe.training.window_capacity(after.positions));
        window.set_surprise_weight(recipe.training.surprise_weight);
        games.into_iter().for_each(|record| {
            window.add(record);
        });
        let round = TrainingRound {
            game: self.game,
            recipe,
            window: &window,
            exact: &self.exact,
            new_positions: after.positions - before.positions,
            seed: game_seed(!recipe.seed, before.iteration),
        };
        let saved = self.trainer.state()?;
        let learnt = round.train(&mut self.trainer, &self.pool, stop, progress)?;
        if learnt.is_some() {
            self.window = window;
        } else {
            let card = self.trainer.card().cloned();
            let start = self.trainer.optimiser_start();
            let restored = Trainer::from_state(self.game, recipe, &saved, before.step)?.started_at(start);
            self.trainer = match card.filter(|_| restored.card().is_none()) {
                Some(card) => restored.on_card(self.game, recipe, card)?,
                None => restored,
            };
        }
        Ok(learnt)
    }

    /// Returns the network in training.
    pub fn trainer(&self) -> &Trainer {
        &self.trainer
    }

    /// Returns the number of positions in the window.
    pub fn window_positions(&self) -> usize {
        self.window.len()
    }

    /// Returns the averaged weights, which play.
    ///
    /// # Errors
    /// If the card fails.
    pub fn averaged(&self) -> Result<NamedTensors> {
        self.trainer.averaged()
    }
}
