//! A network as the judge of a game's positions.

use std::sync::Arc;

use crate::games::{Action, Evaluation, Evaluator, Game, WinDrawLoss};

use super::checkpoint::{Checkpoint, CheckpointError};
use super::inference::{Inference, Workspace};
use super::kernels::{Kernel, Precision};

/// Evaluates positions with a network. A clone shares the weights and has buffers of its own.
#[derive(Debug, Clone)]
pub struct NetworkEvaluator {
    inference: Arc<Inference>,
    workspace: Workspace,
}

impl NetworkEvaluator {
    /// An evaluator of a game's positions; `name` is what errors call the checkpoint.
    ///
    /// # Errors
    /// If the checkpoint is not a network for this game.
    pub fn new<G: Game>(checkpoint: &Checkpoint, name: &str, precision: Precision) -> Result<Self, CheckpointError> {
        checkpoint.check_game::<G>(name)?;
        let metadata = &checkpoint.metadata;
        let inference =
            Inference::new(&metadata.architecture, &metadata.view, &checkpoint.tensors, Kernel::best(), precision);
        Ok(inference.into())
    }
}

impl From<Inference> for NetworkEvaluator {
    fn from(inference: Inference) -> Self {
        Self { inference: Arc::new(inference), workspace: Workspace::default() }
    }
}

/// Turns logits into probabilities (softmax).
fn softmax(logits: &mut [f32]) {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|logit| *logit = (*logit - max).exp());
    let sum: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|share| *share /= sum);
}

impl<G: Game> Evaluator<G> for NetworkEvaluator {
    fn evaluate(&mut self, game: &G, legal: &[Action]) -> Evaluation {
        let topology = game.topology();
        self.inference.prepare(&mut self.workspace, topology);
        game.encode(&mut self.workspace.cells, &mut self.workspace.globals);
        self.inference.evaluate(&mut self.workspace, topology);
        let policy = &self.workspace.policy;
        let mut priors: Vec<f32> = legal.iter().map(|&action| policy[game.network_action(action, 0)]).collect();
        softmax(&mut priors);
        let mut outcome = self.workspace.outcome;
        softmax(&mut outcome);
        Evaluation { priors, outcome: WinDrawLoss { win: outcome[0], draw: outcome[1], loss: outcome[2] } }
    }
}
