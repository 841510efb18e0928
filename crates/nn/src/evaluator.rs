//! Evaluates the positions of a game with a network.

use std::sync::Arc;

use crate::kernels::Kernel;
use crate::{
    Backend, CacheUse, Checkpoint, CheckpointError, DeviceEvaluator, DeviceStats, EvaluationCache, Inference,
    Precision, Workspace,
};
use hexzero_board::Topology;
use hexzero_games::{Action, CellForecast, Evaluation, Evaluator, Game, Position};

/// Plies of the sanity check on load.
const PLIES_TRIED: usize = 3;

/// Evaluates positions with a network. A clone shares the weights and the cache, but has its own
/// buffers.
#[derive(Debug, Clone)]
pub struct NetworkEvaluator {
    inference: Arc<Inference>,
    /// The positions of a batch of the device that was asked for; `None` on the CPU.
    device_batch: Option<usize>,
    /// The network on a device, which evaluates in place of `inference`, if any.
    device: Option<Box<dyn DeviceEvaluator>>,
    cache: Option<Arc<EvaluationCache>>,
    workspace: Workspace,
}

impl NetworkEvaluator {
    /// Creates an evaluator of a game's positions, by our kernels in a [`Precision`] or on a device. Errors call the
    /// checkpoint `name`.
    ///
    /// # Errors
    /// If the checkpoint is not a network for this game, its answers to the first positions are not finite, or the
    /// device fails.
    pub fn new(
        game: Game,
        checkpoint: &Checkpoint,
        name: &str,
        backend: impl Into<Backend>,
    ) -> Result<Self, CheckpointError> {
        checkpoint.check_game(game, name)?;
        let (metadata, tensors) = (&checkpoint.metadata, &checkpoint.tensors);
        let backend = backend.into();
        let precision = match &backend {
            Backend::Cpu(precision) => *precision,
            Backend::Device(_) => Precision::F32,
        };
        let inference = Inference::new(&metadata.architecture, &metadata.view, tensors, Kernel::best(), precision);
        let mut evaluator = Self { device_batch: backend.device_batch(), ..Self::from(inference) };
        let not_finite = || CheckpointError::NotFinite { name: name.to_owned() };
        // Our kernels do not fail.
        if evaluator.is_finite(game) == Ok(false) {
            return Err(not_finite());
        }
        if let Backend::Device(device) = backend {
            let failed =
                |reason| CheckpointError::Device { name: name.to_owned(), device: device.name().to_owned(), reason };
            let loaded = device.load(&metadata.architecture, &metadata.view, tensors);
            evaluator.device = Some(loaded.map_err(failed)?);
            // On a clone: batches wait for every evaluator that has sent a request.
            if !evaluator.clone().is_finite(game).map_err(failed)? {
                return Err(not_finite());
            }
        }
        Ok(evaluator)
    }

    /// Returns true if the answers to the first positions of a game on the smallest board are
    /// finite.
    fn is_finite(&mut self, game: Game) -> Result<bool, String> {
        let Ok(mut position) = game.start(*game.boards.sizes.start()) else { return Ok(true) };
        let mut legal = Vec::new();
        for _ in 0..PLIES_TRIED {
            position.legal_actions(&mut legal);
            let Some(&action) = legal.get(legal.len() / 2) else { break };
            let topology = self.encode(&position);
            self.try_compute(topology)?;
            let answers = self.workspace.policy.iter().chain(&self.workspace.outcome);
            if !answers.copied().all(f32::is_finite) {
                return Ok(false);
            }
            position.play(action);
        }
        Ok(true)
    }

    /// Writes the inputs of a position into the workspace; returns its board.
    fn encode(&mut self, position: &Position) -> &'static Topology {
        let topology = position.topology();
        self.inference.prepare(&mut self.workspace, topology);
        position.encode(&mut self.workspace.cells, &mut self.workspace.globals);
        topology
    }

    /// Writes the answer of the kernels into the workspace.
    fn infer(&mut self, position: &Position) {
        let topology = self.encode(position);
        self.inference.evaluate(&mut self.workspace, topology);
    }

    /// Replaces the cache by a new one of `mebibytes`, or removes it if 0.
    pub fn with_cache(self, mebibytes: u32) -> Self {
        Self { cache: (mebibytes > 0).then(|| Arc::new(EvaluationCache::new(mebibytes))), ..self }
    }

    /// Returns the usage of the cache by all evaluators that share it, or `None` without a cache.
    pub fn cache_use(&self) -> Option<CacheUse> {
        self.cache.as_ref().map(|cache| cache.usage())
    }

    /// Returns the counts of the device's evaluations for all that share the network; `None` without a device.
    pub fn device_stats(&self) -> Option<DeviceStats> {
        self.device.as_ref().map(|device| device.stats())
    }

    /// Evaluates the inputs of the workspace. After a failure of the device the kernels answer.
    fn compute(&mut self, topology: &'static Topology) {
        if self.try_compute(topology).is_err() {
            self.device = None;
            self.inference.evaluate(&mut self.workspace, topology);
        }
    }

    /// Evaluates the inputs of the workspace on the device, or by the kernels if there is none.
    fn try_compute(&mut self, topology: &'static Topology) -> Result<(), String> {
        let workspace = &mut self.workspace;
        let Some(device) = &mut self.device else {
            self.inference.evaluate(workspace, topology);
            return Ok(());
        };
        let answer = device.evaluate(topology, &workspace.cells, &workspace.globals)?;
        let (outcome, policy) = answer.split_at(workspace.outcome.len());
        workspace.outcome.copy_from_slice(outcome);
        workspace.policy.copy_from_slice(policy);
        Ok(())
    }
}

impl From<Inference> for NetworkEvaluator {
    /// Creates an evaluator without a cache.
    fn from(inference: Inference) -> Self {
        Self {
            inference: Arc::new(inference),
            device: None,
            device_batch: None,
            cache: None,
            workspace: Workspace::default(),
        }
    }
}

impl Evaluator for NetworkEvaluator {
    fn evaluate(&mut self, position: &Position, legal: &[Action]) -> Evaluation {
        let topology = self.encode(position);
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

    fn plies_left(&mut self, position: &Position) -> Option<f32> {
        self.infer(position);
        Some(self.workspace.moves_left * position.topology().cells() as f32)
    }

    fn batch_size(&self) -> Option<usize> {
        self.device_batch
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
