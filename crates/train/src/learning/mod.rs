//! The network in training: the learner with its window of games, training steps, optimiser.

mod clip;
mod moments;
mod muon;
mod optimiser;
mod settings;
mod trainer;

use std::sync::Arc;

use candle_core::Result;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::examples::{ExactTargets, StepParts};
use crate::folder::Counters;
use crate::loss::Losses;
use crate::recipe::Recipe;
use crate::run::Progress;
use hexzero_games::Game;
use hexzero_selfplay::shards::{GameRecord, Window};
use hexzero_selfplay::{Pool, ResignationCheck, game_seed};
use hexzero_system::stop::StopSignal;

pub use optimiser::Optimiser;
pub use settings::{OptimiserMethod, OptimiserSettings};
pub use trainer::Trainer;

/// Takes finished games and returns better weights. Independent of players and storage.
#[derive(Debug)]
pub(crate) struct Learner {
    game: Game,
    /// The network in training.
    pub trainer: Trainer,
    /// The games that it learns from.
    pub window: Window,
    exact: ExactTargets,
    pool: Arc<Pool>,
}

impl Learner {
    /// Creates a learner with an empty window, which computes on the threads of a pool.
    pub(crate) fn new(game: Game, trainer: Trainer, recipe: &Recipe, pool: Arc<Pool>) -> Self {
        let solved = recipe.all_sizes().into_iter().filter(|&size| size <= recipe.training.exact_size);
        let solved: Vec<usize> = solved.collect();
        let exact = pool.install(|| ExactTargets::of_boards(game, solved));
        Self { game, trainer, window: Window::new(recipe.training.window_least), exact, pool }
    }

    /// Fills the replay window with the games of a resumed run, the oldest first.
    pub(crate) fn fill_window(&mut self, capacity: usize, games: impl IntoIterator<Item = GameRecord>) {
        // The games found are those of the old window: the capacity never grew by more than the new positions.
        self.window.set_capacity(capacity);
        games.into_iter().for_each(|record| self.window.add(record));
    }

    /// Returns the resignation threshold that the games in the window suggest, if the recipe lets sides resign.
    pub(crate) fn check_resignation(&self, recipe: &Recipe) -> Option<ResignationCheck> {
        let resignation = &recipe.selfplay.resignation;
        (resignation.chance > 0.0).then(|| resignation.check(self.game, self.window.games().rev()))
    }

    /// Adds the games of an iteration to the replay window and trains for the number of steps of
    /// the recipe, with stages applied. `before` are the counters of the run before these games,
    /// `after` with them. Returns none if `stop` was requested before the last step; the learner is
    /// then unchanged.
    pub(crate) fn learn(
        &mut self,
        recipe: &Recipe,
        before: &Counters,
        after: &Counters,
        games: Vec<GameRecord>,
        stop: &StopSignal,
        progress: &impl Progress,
    ) -> Result<Option<RoundLosses>> {
        self.trainer.set(&recipe.training);
        let mut window = self.window.clone();
        window.set_capacity(recipe.training.window_capacity(after.positions));
        window.set_surprise_weight(recipe.training.surprise_weight);
        games.into_iter().for_each(|record| window.add(record));
        let saved = self.trainer.state()?;
        let (new_positions, seed) = (after.positions - before.positions, game_seed(!recipe.seed, before.iteration));
        let learnt = self.train(recipe, &window, new_positions, seed, stop, progress)?;
        if learnt.is_some() {
            self.window = window;
        } else {
            let device = self.trainer.device().cloned();
            let start = self.trainer.optimiser_start();
            let restored = Trainer::from_state(self.game, recipe, &saved, before.step)?.started_at(start);
            self.trainer = restored.moved_to(device, self.game, recipe)?;
        }
        Ok(learnt)
    }

    /// Takes `new_positions` × reuse / batch training steps. Returns none if `stop` was requested before the last one.
    fn train(
        &mut self,
        recipe: &Recipe,
        window: &Window,
        new_positions: u64,
        seed: u64,
        stop: &StopSignal,
        progress: &impl Progress,
    ) -> Result<Option<RoundLosses>> {
        let (game, exact, pool, trainer) = (self.game, &self.exact, &self.pool, &mut self.trainer);
        let training = &recipe.training;
        let steps = (new_positions as f64 * training.reuse / training.batch as f64).ceil() as u64;
        progress.training_begins(steps);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let device = trainer.device().map(|device| device.device.clone());
        let mut draw = || StepParts::draw(game, recipe, window, exact, device.as_ref(), &mut rng);
        let mut next = pool.install(&mut draw)?;
        let mut learnt = RoundLosses::default();
        for left in (0..steps).rev() {
            if stop.is_requested() {
                return Ok(None);
            }
            // The inputs of the next step are made while this one trains.
            let (parts, draw) = (next, &mut draw);
            let step = || rayon::join(|| trainer.train_step(&parts), || (left > 0).then(draw).transpose());
            let (losses, drawn) = pool.install(step);
            next = drawn?.unwrap_or_default();
            if let Some(losses) = losses? {
                progress.step_finished(&losses);
                learnt.losses.add(&losses);
                learnt.gradient_norm += trainer.gradient_norm() / steps as f64;
                learnt.clipped += f64::from(u8::from(trainer.optimiser.clip.clipped)) / steps as f64;
            }
        }
        learnt.losses.divide(steps.max(1) as f32);
        Ok(Some(learnt))
    }
}

/// Mean losses over the steps of a round.
#[derive(Debug, Default)]
pub(crate) struct RoundLosses {
    pub losses: Losses,
    pub gradient_norm: f64,
    /// The share of the steps whose gradients were clipped.
    pub clipped: f64,
}
