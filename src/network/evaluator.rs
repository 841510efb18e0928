//! Evaluates the positions of a game with a network.

use std::sync::Arc;

use crate::board::Topology;
use crate::games::{Action, CellForecast, Evaluation, Evaluator, Game, Position};
#[cfg(feature = "learn")]
use crate::network::device::{CardEvaluator, CardUse, first_line};
use crate::network::file::{Checkpoint, CheckpointError};
use crate::network::kernels::Kernel;
#[cfg(feature = "learn")]
use crate::network::kernels::Precision;
use crate::network::play::{CacheUse, EvaluationCache, Inference, Workspace};

use super::computing::Computing;

/// The positions that a network is tried on before it is used.
const PLIES_TRIED: usize = 3;

/// Evaluates positions with a network. A clone shares the weights and the cache, and has buffers of its
/// own.
#[derive(Debug, Clone)]
pub struct NetworkEvaluator {
    inference: Arc<Inference>,
    /// The card that evaluates positions in place of `inference`, if any.
    #[cfg(feature = "learn")]
    card: Option<CardEvaluator>,
    cache: Option<Arc<EvaluationCache>>,
    workspace: Workspace,
}

impl NetworkEvaluator {
    /// Creates an evaluator of a game's positions, by our kernels in a [`Precision`] or on a card; `name` is what errors
    /// call the checkpoint.
    ///
    /// # Errors
    /// If the checkpoint is not a network for this game, its answers to the first positions of one are not finite, or the
    /// card fails.
    pub fn new(
        game: Game,
        checkpoint: &Checkpoint,
        name: &str,
        computing: impl Into<Computing>,
    ) -> Result<Self, CheckpointError> {
        checkpoint.check_game(game, name)?;
        let (metadata, tensors) = (&checkpoint.metadata, &checkpoint.tensors);
        let computing = computing.into();
        let precision = match &computing {
            Computing::Kernels(precision) => *precision,
            #[cfg(feature = "learn")]
            Computing::Card(_) => Precision::F32,
        };
        let inference = Inference::new(&metadata.architecture, &metadata.view, tensors, Kernel::best(), precision);
        let mut evaluator = Self::from(inference);
        if !evaluator.is_finite(game) {
            return Err(CheckpointError::NotFinite { name: name.to_owned() });
        }
        #[cfg(feature = "learn")]
        if let Computing::Card(card) = computing {
            let started = CardEvaluator::start(&metadata.architecture, &metadata.view, tensors, &card);
            evaluator.card = Some(started.map_err(|error| CheckpointError::Device {
                name: name.to_owned(),
                device: card.name.clone(),
                reason: first_line(&error),
            })?);
            // By a clone: an evaluator that has asked a card counts as one that asks.
            if !evaluator.clone().is_finite(game) {
                return Err(CheckpointError::NotFinite { name: name.to_owned() });
            }
        }
        Ok(evaluator)
    }

    /// Returns true if its answers to the first positions of a game on the smallest board are finite.
    fn is_finite(&mut self, game: Game) -> bool {
        let Ok(mut position) = game.start(*game.boards.sizes.start()) else { return true };
        let mut legal = Vec::new();
        for _ in 0..PLIES_TRIED {
            position.legal_actions(&mut legal);
            let Some(&action) = legal.get(legal.len() / 2) else { break };
            let topology = position.topology();
            self.inference.prepare(&mut self.workspace, topology);
            position.encode(&mut self.workspace.cells, &mut self.workspace.globals);
            self.compute(topology);
            let answers = self.workspace.policy.iter().chain(&self.workspace.outcome);
            if !answers.copied().all(f32::is_finite) {
                return false;
            }
            position.play(action);
        }
        true
    }

    /// Writes the network's answer into the workspace.
    fn infer(&mut self, position: &Position) {
        let topology = position.topology();
        self.inference.prepare(&mut self.workspace, topology);
        position.encode(&mut self.workspace.cells, &mut self.workspace.globals);
        self.inference.evaluate(&mut self.workspace, topology);
    }

    /// Replaces the cache by a new one of `mebibytes`, or by none if 0.
    pub fn with_cache(self, mebibytes: u32) -> Self {
        Self { cache: (mebibytes > 0).then(|| Arc::new(EvaluationCache::new(mebibytes))), ..self }
    }

    /// Returns the usage of its cache by all that share it; none if it has no cache.
    pub fn cache_use(&self) -> Option<CacheUse> {
        self.cache.as_ref().map(|cache| cache.usage())
    }
}

#[cfg(feature = "learn")]
impl NetworkEvaluator {
    /// Returns the counts of its card's evaluations for all that share it; none if it has no card.
    pub fn card_use(&self) -> Option<CardUse> {
        self.card.as_ref().map(CardEvaluator::usage)
    }
}

impl From<Inference> for NetworkEvaluator {
    /// Creates an evaluator without a cache.
    fn from(inference: Inference) -> Self {
        Self {
            inference: Arc::new(inference),
            #[cfg(feature = "learn")]
            card: None,
            cache: None,
            workspace: Workspace::default(),
        }
    }
}

impl NetworkEvaluator {
    /// Evaluates the inputs of the workspace. A card that has failed is left alone from then on: the kernels answer.
    fn compute(&mut self, topology: &'static Topology) {
        #[cfg(feature = "learn")]
        if let Some(card) = &mut self.card {
            let workspace = &mut self.workspace;
            if let Some(answer) = card.evaluate(topology, &workspace.cells, &workspace.globals) {
                let (outcome, policy) = answer.split_at(workspace.outcome.len());
                workspace.outcome.copy_from_slice(outcome);
                workspace.policy.copy_from_slice(policy);
                return;
            }
            self.card = None;
        }
        self.inference.evaluate(&mut self.workspace, topology);
    }
}

impl Evaluator for NetworkEvaluator {
    fn evaluate(&mut self, position: &Position, legal: &[Action]) -> Evaluation {
        let topology = position.topology();
        self.inference.prepare(&mut self.workspace, topology);
        position.encode(&mut self.workspace.cells, &mut self.workspace.globals);
        match self.cache.clone() {
            None => self.compute(topology),
            Some(cache) => {
                let key = EvaluationCache::key(&self.workspace, topology);
                if !cache.recall(key, &mut self.workspace) {
                    self.compute(topology);
                    cache.remember(key, &self.workspace);
                }
            }
        }
        Evaluation::from_logits(position, legal, &self.workspace.policy, &self.workspace.outcome)
    }

    fn forecast(&mut self, position: &Position) -> Option<Vec<CellForecast>> {
        let topology = position.topology();
        self.infer(position);
        let owners = self.inference.ownership(&mut self.workspace);
        let frame = position.frame();
        let forecast = |cell| CellForecast::from_logits(owners[frame.cells.apply(cell)], position.to_move());
        Some((0..topology.cells()).map(forecast).collect())
    }
}
