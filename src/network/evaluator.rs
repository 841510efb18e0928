//! A network as the judge of a game's positions.

use std::sync::Arc;

use crate::games::{Action, Evaluation, Evaluator, Game};

use super::checkpoint::{Checkpoint, CheckpointError};
use super::inference::{Inference, Workspace};
use super::kernels::Kernel;

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
    pub fn new<G: Game>(checkpoint: &Checkpoint, name: &str) -> Result<Self, CheckpointError> {
        checkpoint.check_game::<G>(name)?;
        let metadata = &checkpoint.metadata;
        let inference = Inference::new(&metadata.architecture, &metadata.view, &checkpoint.tensors, Kernel::best());
        Ok(Self { inference: Arc::new(inference), workspace: Workspace::default() })
    }
}

impl<G: Game> Evaluator<G> for NetworkEvaluator {
    fn evaluate(&mut self, game: &G, legal: &[Action]) -> Evaluation {
        let topology = game.topology();
        self.inference.prepare(&mut self.workspace, topology);
        game.encode(&mut self.workspace.cells, &mut self.workspace.globals);
        self.inference.evaluate(&mut self.workspace, topology);
        Evaluation::from_logits(game, legal, &self.workspace.policy, &self.workspace.outcome)
    }
}
