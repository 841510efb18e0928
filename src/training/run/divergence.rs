//! What can be done about a run that has diverged.

use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::network::CheckpointError;
use crate::selfplay::GameSourceError;
use crate::training::loss::Losses;
use crate::training::metrics::Metrics;

use super::coordinator::Run;
use super::run_error::RunError;

/// A network that knows nothing has a policy loss of the logarithm of the number of moves, less than this on any board …
const MAX_POLICY_LOSS: f64 = 10.0;
/// … and an outcome loss of ln 3.
const MAX_OUTCOME_LOSS: f64 = 4.0;
/// Beyond this a mean loss of an iteration is not that of a network that learns, whatever its recipe.
const MAX_LOSS: f64 = 1000.0;
/// An iteration is sound if its loss is at most this many times the lowest one.
const MAX_RISE: f64 = 2.0;

impl Run {
    /// Says that a run has diverged where that is the reason of an error; returns other errors as they are.
    pub(super) fn explained(&self, error: RunError) -> RunError {
        let diverged = match &error {
            RunError::Network(_) => self.learner.trainer().has_diverged(),
            RunError::Checkpoint(found) | RunError::Games(GameSourceError::Checkpoint(found)) => {
                matches!(found, CheckpointError::NotFinite { .. })
            }
            _ => false,
        };
        if !diverged {
            return error;
        }
        match error {
            RunError::Network(error) => self.diverged(error.to_string()),
            _ => self.diverged("the answers of the network are not finite".to_owned()),
        }
    }

    /// Checks the mean losses of an iteration.
    ///
    /// # Errors
    /// If training has diverged, though all weights are finite.
    pub(super) fn check_losses(&self, losses: &Losses) -> Result<(), RunError> {
        let mut checked =
            ["policy", "outcome"].into_iter().filter_map(|name| Some((name, f64::from(losses.get(name)?))));
        match checked.find(|(_, loss)| !(loss.is_finite() && *loss <= MAX_LOSS)) {
            Some((name, loss)) => Err(self.diverged(format!("the {name} loss of the iteration is {loss:.0}"))),
            None => Ok(()),
        }
    }

    fn diverged(&self, problem: String) -> RunError {
        RunError::Diverged {
            problem,
            learning_rate: self.recipe.at(&self.counters).training.optimiser.learning_rate,
            is_first: self.counters.iteration == 0,
            checkpoint: self.last_sound_checkpoint(),
        }
    }

    /// Returns the latest checkpoint of an iteration whose losses were sound, if one is left.
    fn last_sound_checkpoint(&self) -> Option<PathBuf> {
        let iterations = Metrics::read(&self.folder).iterations;
        let sound: Vec<(&Map<String, Value>, f64)> =
            iterations.iter().filter_map(|figures| Some((figures, sound_loss(figures)?))).collect();
        let lowest = sound.iter().map(|(_, loss)| *loss).reduce(f64::min)?;
        let checkpoints = sound.into_iter().rev().filter(|(_, loss)| *loss <= MAX_RISE * lowest);
        let named = |figures: &Map<String, Value>| {
            let step = figures.get("step")?.as_u64()?;
            Some(self.folder.checkpoint(step)).filter(|path| path.exists())
        };
        checkpoints.filter_map(|(figures, _)| named(figures)).next()
    }
}

/// Returns the loss of an iteration; none if a part of it is above that of a network that knows nothing.
fn sound_loss(figures: &Map<String, Value>) -> Option<f64> {
    let loss = |name: &str| Metrics::figure(figures, name).and_then(Value::as_f64);
    let is_sound = loss("losses/policy")? <= MAX_POLICY_LOSS && loss("losses/outcome")? <= MAX_OUTCOME_LOSS;
    loss("losses/total").filter(|_| is_sound)
}
