//! The training of an iteration.

use candle_core::Result;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::Game;
use crate::replay::Window;
use crate::selfplay::Pool;
use crate::stop::StopSignal;
use crate::training::examples::{ExactTargets, StepParts};
use crate::training::loss::Losses;
use crate::training::recipe::Recipe;
use crate::training::run::Progress;

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

/// Mean losses over the steps of a round.
#[derive(Debug, Default)]
pub(in crate::training) struct RoundLosses {
    pub losses: Losses,
    pub gradient_length: f64,
}

impl TrainingRound<'_> {
    /// Trains all steps. Returns none if `stop` was requested before the last one.
    ///
    /// # Errors
    /// If candle fails.
    pub fn train(
        &self,
        trainer: &mut Trainer,
        pool: &Pool,
        stop: &StopSignal,
        progress: &impl Progress,
    ) -> Result<Option<RoundLosses>> {
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
                learnt.gradient_length += trainer.gradient_length() / steps as f64;
            }
        }
        learnt.losses.divide(steps.max(1) as f32);
        Ok(Some(learnt))
    }
}
