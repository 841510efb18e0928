//! The training of an iteration.

use std::sync::atomic::{AtomicBool, Ordering};

use candle_core::Result;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::Game;
use crate::replay::Window;
use crate::selfplay::Pool;

use super::exact_targets::ExactTargets;
use super::loss_values::Losses;
use super::progress::Progress;
use super::recipe::Recipe;
use super::step_parts::StepParts;
use super::trainer::Trainer;

/// The inputs of an iteration's training steps.
#[derive(Debug)]
pub(super) struct TrainingRound<'a> {
    pub game: Game,
    /// The recipe in this iteration.
    pub recipe: &'a Recipe,
    pub window: &'a Window,
    pub exact: &'a ExactTargets,
    /// The positions that this iteration has added, which decide the number of steps.
    pub new_positions: u64,
    /// The seed of the steps' draws.
    pub seed: u64,
}

/// Means over the steps.
#[derive(Debug, Default)]
pub(super) struct Learnt {
    pub losses: Losses,
    pub gradient_length: f64,
}

impl TrainingRound<'_> {
    /// Trains. None if `stop` was set before the last step.
    ///
    /// # Errors
    /// If candle fails.
    pub fn train(
        &self,
        trainer: &mut Trainer,
        pool: &Pool,
        stop: &AtomicBool,
        progress: &impl Progress,
    ) -> Result<Option<Learnt>> {
        let training = &self.recipe.training;
        let steps = (self.new_positions as f64 * training.reuse / training.batch as f64).ceil() as u64;
        progress.training_begins(steps);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let device = trainer.card().map(|card| card.device.clone());
        let mut draw = || match &device {
            None => StepParts::draw(self.game, self.recipe, self.window, self.exact, &mut rng),
            Some(device) => StepParts::draw_on(device, self.game, self.recipe, self.window, self.exact, &mut rng),
        };
        let mut next = pool.install(&mut draw)?;
        let mut learnt = Learnt::default();
        for left in (0..steps).rev() {
            if stop.load(Ordering::Relaxed) {
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
                learnt.gradient_length += trainer.gradient_length() / steps as f64;
            }
        }
        learnt.losses.divide(steps.max(1) as f32);
        Ok(Some(learnt))
    }
}
