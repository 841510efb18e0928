//! The network in training, its optimiser, and a training step.

use candle_core::backprop::GradStore;
use candle_core::{DType, Error, Result, Tensor, Var};
use candle_nn::Optimizer;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use crate::examples::{Batch, StepParts};
use crate::folder::TrainingState;
use crate::loss::{LossWeights, Losses, Shares, Totals, losses};
use crate::recipe::{Recipe, TrainingSettings};
use hexzero_games::Game;
use hexzero_graph::{CandleDevice, Network, Parameters, add_values, tensor_data};
use hexzero_nn::kernels::Kernel;
use hexzero_nn::{NamedTensors, TensorData, TrainingPrecision};

use super::moments::Moments;
use super::muon;
use super::optimiser::{Optimiser, TRAINED};

/// The number of graphs of a step that share its batches. Each has gradients of all parameters,
/// which cost time and memory. It does not depend on the number of threads, so the result does not
/// either.
const MAX_GRAPHS: usize = 16;

/// The prefixes of the state's tensors.
const WEIGHTS: &str = "weights/";
const AVERAGE: &str = "average/";
const MEAN: &str = "mean/";
const SQUARE: &str = "square/";
/// The state's tensor of three numbers: the usual gradient norm, the steps that the moments had counted before the optimiser began,
/// and those that the average counts.
const OPTIMISER: &str = "optimiser";

/// The network in training, and its optimiser.
#[derive(Debug)]
pub struct Trainer {
    network: Network,
    parameters: Parameters,
    pub(super) optimiser: Optimiser,
    losses: LossWeights,
    device: Option<CandleDevice>,
}

impl Trainer {
    /// Creates a random network for a game.
    ///
    /// # Errors
    /// If candle fails.
    pub fn new(game: Game, recipe: &Recipe) -> Result<Self> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(recipe.seed);
        Self::with(Network::random(&recipe.network, &game.view, &mut rng)?, recipe)
    }

    /// Creates a network with these trained parameters and a new optimiser. The average of the weights starts from them.
    ///
    /// # Errors
    /// If they are not of the recipe's architecture.
    pub fn from_parameters(game: Game, recipe: &Recipe, tensors: &NamedTensors) -> Result<Self> {
        let mut trainer = Self::with(Network::from_named(&recipe.network, &game.view, tensors)?, recipe)?;
        trainer.optimiser.averaged = TRAINED;
        Ok(trainer)
    }

    /// Begins a run with the last network of another run, and with its moments; steps count from 0. Returns none if `tensors`
    /// are not that network.
    pub(crate) fn continuing(game: Game, recipe: &Recipe, of: &TrainingState, tensors: &NamedTensors) -> Option<Self> {
        let played = |name: &String| of.tensors.get(&format!("{AVERAGE}{name}"));
        if !tensors.iter().all(|(name, tensor)| played(name) == Some(tensor)) {
            return None;
        }
        let mut state = of.tensors.clone();
        for (name, average) in &of.tensors {
            let Some(name) = name.strip_prefix(AVERAGE) else { continue };
            state.insert(format!("{WEIGHTS}{name}"), average.clone());
        }
        let mut trainer = Self::from_state(game, recipe, &state, 0).ok()?;
        trainer.optimiser.earlier += of.counters.step - of.optimiser_start.min(of.counters.step);
        trainer.optimiser.averaged = TRAINED;
        Some(trainer)
    }

    /// Continues the count of steps from `step`, for a run that goes on with other parameters: the
    /// optimiser starts afresh.
    pub(crate) fn at_step(mut self, step: u64) -> Self {
        (self.optimiser.steps, self.optimiser.start) = (step, step);
        self
    }

    /// Returns the step after which the optimiser began with moments of zero.
    pub(crate) fn optimiser_start(&self) -> u64 {
        self.optimiser.start
    }

    /// Returns the same trainer, whose optimiser began after step `start`.
    pub(crate) fn started_at(mut self, start: u64) -> Self {
        self.optimiser.start = start.min(self.optimiser.steps);
        self
    }

    /// Returns true if training has diverged: the last gradient, a weight or an average of weights is not finite.
    pub(crate) fn has_diverged(&self) -> bool {
        !self.gradient_norm().is_finite() || self.check_finite().is_err()
    }

    fn with((network, parameters): (Network, Parameters), recipe: &Recipe) -> Result<Self> {
        let network = network.computed_by(Kernel::best(), TrainingPrecision::best());
        let training = &recipe.training;
        let optimiser = Optimiser::new(parameters.variables(), (training.optimiser, training.average_half_life))?;
        let hidden = parameters.iter().map(|(name, var)| var.rank() > 1 && muon::is_hidden(name)).collect();
        let optimiser = optimiser.with_hidden(hidden);
        Ok(Self { network, parameters, optimiser, losses: training.losses, device: None })
    }

    /// Sets the kernel and the precision of the tower's products, if the kernels compute them.
    pub fn computed_by(self, kernel: Kernel, precision: TrainingPrecision) -> Self {
        Self { network: self.network.computed_by(kernel, precision), ..self }
    }

    /// Moves the trainer to a device with its weights, average and moments. Candle's operations train the network there.
    ///
    /// # Errors
    /// If the recipe is not that of this trainer, or the device fails.
    pub fn on_device(self, game: Game, recipe: &Recipe, device: CandleDevice) -> Result<Self> {
        let (candle, dtype) = (&device.device, device.precision.of_training());
        let named = self.parameters.to_named()?;
        let (network, parameters) = Network::on_device(&recipe.network, &game.view, &named, candle, dtype)?;
        let optimiser = self.optimiser.on_device(parameters.variables(), candle)?;
        Ok(Self { network, parameters, optimiser, device: Some(device), ..self })
    }

    /// Moves the trainer to a device, if there is one.
    pub(crate) fn moved_to(self, device: Option<CandleDevice>, game: Game, recipe: &Recipe) -> Result<Self> {
        match device {
            Some(device) => self.on_device(game, recipe, device),
            None => Ok(self),
        }
    }

    /// Returns the device that it trains on, if any. [`StepParts::draw`] puts the batches there.
    pub fn device(&self) -> Option<&CandleDevice> {
        self.device.as_ref()
    }

    /// Continues with other settings of the optimiser, the average and the losses.
    pub fn set(&mut self, training: &TrainingSettings) {
        self.optimiser.set(training.optimiser, training.average_half_life);
        self.losses = training.losses;
    }

    /// Returns the number of steps done.
    pub fn step(&self) -> u64 {
        self.optimiser.steps
    }

    /// Returns the step size of the last step.
    pub fn learning_rate(&self) -> f64 {
        self.optimiser.learning_rate()
    }

    /// Returns the gradient norm of the last step, before clipping.
    pub fn gradient_norm(&self) -> f64 {
        self.optimiser.gradient_norm
    }

    /// Returns the number of the network's parameters.
    pub fn parameters(&self) -> usize {
        self.parameters.count()
    }

    /// Returns the averaged weights of the network, with which games are played.
    ///
    /// # Errors
    /// If the device fails.
    pub fn averaged(&self) -> Result<NamedTensors> {
        let named = |((name, var), data): ((&str, Var), Vec<f32>)| {
            (name.to_owned(), TensorData { shape: var.dims().to_vec(), data })
        };
        let averages = self.optimiser.averages()?;
        Ok(self.parameters.iter().zip(averages).map(named).collect())
    }

    /// Checks that training has not diverged.
    ///
    /// # Errors
    /// If a weight or an average of weights is not finite, or candle fails.
    pub fn check_finite(&self) -> Result<()> {
        let mut finite = self.optimiser.averages()?.iter().flatten().all(|value| value.is_finite());
        for (_, var) in self.parameters.iter() {
            finite &= var.flatten_all()?.to_vec1::<f32>()?.iter().all(|value| value.is_finite());
        }
        let diverged = || format!("the weights after step {} are not finite", self.step());
        if finite { Ok(()) } else { Err(Error::Msg(diverged())) }
    }

    /// Trains one step; returns the losses before it. Returns none for an empty batch.
    ///
    /// # Errors
    /// If candle fails.
    pub fn train_step(&mut self, parts: &StepParts) -> Result<Option<Losses>> {
        let StepParts(batches) = parts;
        if batches.is_empty() {
            return Ok(None);
        }
        let totals = Totals::of(batches);
        if self.device.is_some() {
            return self.train_on_device(batches, &totals).map(Some);
        }
        let graphs = batches.par_chunks(batches.len().div_ceil(MAX_GRAPHS)).with_max_len(1);
        let parts = graphs.map(|batches| self.part_gradients(batches, &totals));
        let parts: Vec<(Losses, GradStore)> = parts.collect::<Result<_>>()?;
        // Always summed in the same order, regardless of which thread was first.
        let mut losses = Losses::default();
        parts.iter().for_each(|part| losses.add(&part.0));
        // `GradStore::extend` would sum on one thread, which takes some per cent of a step.
        let sum = |var: &Var| {
            let mut sum = vec![0.0; var.elem_count()];
            parts.iter().filter_map(|part| part.1.get(var)).try_for_each(|part| add_values(&mut sum, part))?;
            Tensor::from_vec(sum, var.shape(), var.device())
        };
        let variables = &self.optimiser.variables;
        let sums: Vec<Tensor> = variables.par_iter().map(sum).collect::<Result<_>>()?;
        // candle makes no empty `GradStore`; the first part's takes the sums.
        let Some((_, mut gradients)) = parts.into_iter().next() else { return Ok(Some(losses)) };
        for (var, sum) in variables.iter().zip(sums) {
            gradients.insert(var, sum);
        }
        self.optimiser.step(&gradients)?;
        Ok(Some(losses))
    }

    /// Trains one step part by part: a device computes one at a time.
    fn train_on_device(&mut self, batches: &[Batch], totals: &Totals) -> Result<Losses> {
        let Some((first, others)) = batches.split_first() else { return Ok(Losses::default()) };
        let (mut losses, mut sums) = self.part_gradients(std::slice::from_ref(first), totals)?;
        for batch in others {
            let (share, gradients) = self.part_gradients(std::slice::from_ref(batch), totals)?;
            losses.add(&share);
            for var in &self.optimiser.variables {
                let Some(part) = gradients.get(var) else { continue };
                let sum = match sums.get(var) {
                    Some(sum) => (sum + part)?,
                    None => part.clone(),
                };
                sums.insert(var, sum);
            }
        }
        self.optimiser.step(&sums)?;
        Ok(losses)
    }

    /// Returns a part's share of the losses and of the gradients.
    fn part_gradients(&self, batches: &[Batch], totals: &Totals) -> Result<(Losses, GradStore)> {
        let network = self.network.in_graph()?;
        let mut total = Tensor::zeros((), DType::F32, batches[0].cells.device())?;
        let mut shares: Vec<Shares> = Vec::with_capacity(batches.len());
        for batch in batches {
            let share = losses(&network, batch, &self.losses, totals)?;
            total = (total + &share.total)?;
            shares.push(share);
        }
        let gradients = network.backward(&total)?;
        // Read last, so that the device can compute gradients instead of waiting for this thread to
        // read a loss.
        let mut sum = Losses::default();
        for share in &shares {
            sum.add(&share.values()?);
        }
        Ok((sum, gradients))
    }

    /// Returns the state to resume from: weights, average, moments and the usual gradient norm.
    ///
    /// # Errors
    /// If candle fails.
    pub fn state(&self) -> Result<NamedTensors> {
        let mut state = NamedTensors::new();
        let Optimiser { clip, earlier, averaged, .. } = &self.optimiser;
        let counted = vec![clip.usual, *earlier as f32, *averaged as f32];
        state.insert(OPTIMISER.to_owned(), TensorData { shape: vec![3], data: counted });
        for ((name, var), moments) in self.parameters.iter().zip(self.optimiser.all_moments()?) {
            let weights = tensor_data(&var)?;
            for (prefix, data) in [(AVERAGE, moments.average), (MEAN, moments.mean), (SQUARE, moments.square)] {
                let tensor = TensorData { shape: weights.shape.clone(), data };
                state.insert(format!("{prefix}{name}"), tensor);
            }
            state.insert(format!("{WEIGHTS}{name}"), weights);
        }
        Ok(state)
    }

    /// Resumes from a state.
    ///
    /// # Errors
    /// If the state is not of the recipe's architecture, or incomplete.
    pub fn from_state(game: Game, recipe: &Recipe, state: &NamedTensors, step: u64) -> Result<Self> {
        let part = |prefix: &str| -> NamedTensors {
            let named = state.iter().filter_map(|(name, tensor)| Some((name.strip_prefix(prefix)?, tensor)));
            named.map(|(name, tensor)| (name.to_owned(), tensor.clone())).collect()
        };
        let mut trainer = Self::with(Network::from_named(&recipe.network, &game.view, &part(WEIGHTS))?, recipe)?;
        let (average, mean, square) = (part(AVERAGE), part(MEAN), part(SQUARE));
        for ((name, var), moments) in trainer.parameters.iter().zip(&mut trainer.optimiser.moments) {
            let find = |tensors: &NamedTensors| match tensors.get(name) {
                Some(tensor) if tensor.data.len() == var.elem_count() => Ok(tensor.data.clone()),
                _ => Err(Error::Msg(format!("the state of '{name}' is missing or of another size"))),
            };
            *moments = Moments { mean: find(&mean)?, square: find(&square)?, average: find(&average)? };
        }
        let optimiser = &mut trainer.optimiser;
        (optimiser.steps, optimiser.averaged) = (step, step);
        // The states of earlier versions lack the last number or all of them.
        if let Some([usual, earlier, averaged @ ..]) = state.get(OPTIMISER).map(|tensor| &tensor.data[..]) {
            (optimiser.clip.usual, optimiser.earlier) = (*usual, *earlier as u64);
            optimiser.averaged = averaged.first().map_or(step + optimiser.earlier, |&averaged| averaged as u64);
        }
        Ok(trainer)
    }
}
