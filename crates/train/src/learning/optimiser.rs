//! AdamW and the running average of the weights, as an [`Optimizer`] of candle-nn.
//!
//! `candle_nn::AdamW` does not suffice: it keeps its moments private, and a run must be able to save them and resume
//! bit for bit. It also decays biases, does not clip the gradient and keeps no average.

use candle_core::backprop::GradStore;
use candle_core::{Device, Error, Result, Tensor, Var};
use candle_nn::Optimizer;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use hexzero_search::SettingsError;

use super::device_moments::{DeviceMoments, Update, length};

/// The constants of AdamW. Every field is a key of `[training.optimiser]`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdamWSettings {
    /// The step size.
    pub learning_rate: f64,
    /// Steps over which the step size rises from 0.
    pub warmup_steps: u64,
    /// The decay of the mean gradient.
    pub beta1: f64,
    /// The decay of the mean squared gradient.
    pub beta2: f64,
    /// Added to the root of the mean squared gradient.
    pub epsilon: f64,
    /// The decay of the weights (of matrices, not of biases), relative to the step size.
    pub weight_decay: f64,
    /// The maximum gradient norm; a gradient with a larger norm is scaled down to it.
    pub clip: f64,
}

impl Default for AdamWSettings {
    fn default() -> Self {
        Self {
            learning_rate: 2e-3,
            warmup_steps: 100,
            beta1: 0.9,
            beta2: 0.99,
            epsilon: 1e-8,
            weight_decay: 0.03,
            clip: 4.0,
        }
    }
}

impl AdamWSettings {
    /// Returns the step size at a step, from 1.
    fn rate(&self, step: u64) -> f64 {
        self.learning_rate * (step as f64 / self.warmup_steps.max(1) as f64).min(1.0)
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// If one is invalid: its key, its value and what is accepted.
    pub(crate) fn validate(&self) -> std::result::Result<(), SettingsError> {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        SettingsError::unless(positive(self.learning_rate), || {
            format!("learning_rate = {}; accepted: above 0", self.learning_rate)
        })?;
        SettingsError::unless(
            [self.beta1, self.beta2].iter().all(|beta| (0.0..1.0).contains(beta)),
            || "optimiser: accepted: beta1 and beta2 from 0 to below 1",
        )?;
        SettingsError::unless(
            positive(self.epsilon) && positive(self.clip),
            || "optimiser: accepted: epsilon and clip above 0",
        )?;
        SettingsError::unless(self.weight_decay >= 0.0 && self.weight_decay.is_finite(), || {
            format!("weight_decay = {}; accepted: 0 or more", self.weight_decay)
        })
    }
}

/// One parameter's part of the optimiser's state.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moments {
    pub mean: Vec<f32>,
    pub square: Vec<f32>,
    pub average: Vec<f32>,
}

/// Returns the decay of the average per step.
fn decay(half_life: f64) -> f64 {
    0.5f64.powf(1.0 / half_life)
}

/// AdamW (Loshchilov and Hutter 2019) with an exponential average of the weights beside it.
#[derive(Debug)]
pub struct AdamW {
    settings: AdamWSettings,
    average_decay: f64,
    pub(super) steps: u64,
    /// The step after which the moments began at zero: not 0 where a run goes on from a checkpoint.
    pub(super) start: u64,
    gradient_norm: f64,
    variables: Vec<Var>,
    /// The moments in the order of the variables; none if they are on a device.
    pub(super) moments: Vec<Moments>,
    /// The moments of variables on a device, in their order.
    on_device: Option<Vec<DeviceMoments>>,
}

impl AdamW {
    /// Continues with other settings.
    pub(super) fn set(&mut self, settings: AdamWSettings, average_half_life: f64) {
        (self.settings, self.average_decay) = (settings, decay(average_half_life));
    }

    /// Moves the optimiser to copies of its variables on a device.
    pub(crate) fn on_device(self, variables: Vec<Var>, device: &Device) -> Result<Self> {
        let moved = |(moments, var): (&Moments, &Var)| DeviceMoments::new(moments, var.shape(), device);
        let moments = self.all_moments()?.iter().zip(&variables).map(moved).collect::<Result<_>>()?;
        Ok(Self { variables, moments: Vec::new(), on_device: Some(moments), ..self })
    }

    /// Returns copies of all moments, in the order of the variables.
    pub(super) fn all_moments(&self) -> Result<Vec<Moments>> {
        match &self.on_device {
            Some(moments) => moments.iter().map(DeviceMoments::read).collect(),
            None => Ok(self.moments.clone()),
        }
    }

    /// Returns copies of the averages of all variables, in their order.
    pub(super) fn averages(&self) -> Result<Vec<Vec<f32>>> {
        match &self.on_device {
            Some(moments) => moments.iter().map(DeviceMoments::read_average).collect(),
            None => Ok(self.moments.iter().map(|moments| moments.average.clone()).collect()),
        }
    }

    /// Begins a step with this gradient norm; returns its factors.
    ///
    /// # Errors
    /// If the gradient is not finite.
    fn begin_step(&mut self, length: f64) -> Result<Update> {
        self.gradient_norm = length;
        if !length.is_finite() {
            return Err(Error::Msg(format!("the gradient of step {} is not finite", self.steps + 1)));
        }
        self.steps += 1;
        let AdamWSettings { beta1, beta2, epsilon, weight_decay, clip, .. } = self.settings;
        let age = self.steps - self.start;
        let rate = self.settings.rate(age);
        let exponent = age.min(1 << 30) as i32;
        Ok(Update {
            scale: if length > clip { clip / length } else { 1.0 } as f32,
            mean_correction: 1.0 / (1.0 - beta1.powi(exponent)) as f32,
            square_correction: 1.0 / (1.0 - beta2.powi(exponent)) as f32,
            // At first the average decays fast, so that the random initial weights do not hold it
            // back.
            decay: self.average_decay.min(age as f64 / (age as f64 + 10.0)) as f32,
            shrink: 1.0 - rate as f32 * weight_decay as f32,
            beta1: beta1 as f32,
            beta2: beta2 as f32,
            epsilon: epsilon as f32,
            rate: rate as f32,
        })
    }

    /// Returns the variables that the optimiser updates.
    pub(super) fn variables(&self) -> &[Var] {
        &self.variables
    }

    /// Returns the number of steps done.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the gradient norm of the last step, before clipping.
    pub fn gradient_norm(&self) -> f64 {
        self.gradient_norm
    }
}

fn values(tensor: &Tensor) -> Result<Vec<f32>> {
    tensor.flatten_all()?.to_vec1()
}

impl Optimizer for AdamW {
    /// The settings, and the half-life of the average in steps.
    type Config = (AdamWSettings, f64);

    /// Creates an optimiser at step 0; the average starts at the values of the variables.
    fn new(variables: Vec<Var>, (settings, average_half_life): Self::Config) -> Result<Self> {
        let moments = |var: &Var| {
            let average = values(var)?;
            Ok(Moments { mean: vec![0.0; average.len()], square: vec![0.0; average.len()], average })
        };
        Ok(Self {
            settings,
            average_decay: decay(average_half_life),
            steps: 0,
            start: 0,
            gradient_norm: 0.0,
            moments: variables.iter().map(moments).collect::<Result<_>>()?,
            on_device: None,
            variables,
        })
    }

    /// Updates the variables by their gradients, and then the average. A missing gradient counts as
    /// zeros: the variable's moments and value still decay.
    ///
    /// # Errors
    /// If candle fails, or if a gradient is not finite; the variables are then as they were.
    fn step(&mut self, gradients: &GradStore) -> Result<()> {
        if self.on_device.is_some() {
            let length = length(&self.variables, gradients)?;
            let update = self.begin_step(length)?;
            let moments = self.on_device.iter_mut().flatten();
            let mut pairs = self.variables.iter().zip(moments);
            return pairs.try_for_each(|(var, moments)| moments.update(&update, var, gradients.get(var)));
        }
        let gradient = |var: &Var| gradients.get(var).map_or_else(|| Ok(vec![0.0; var.elem_count()]), values);
        let gradients: Vec<Vec<f32>> = self.variables.par_iter().map(gradient).collect::<Result<_>>()?;
        let squares = |gradient: &Vec<f32>| gradient.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>();
        let squares: Vec<f64> = gradients.par_iter().map(squares).collect();
        let length = squares.iter().sum::<f64>().sqrt();
        let Update { scale, mean_correction, square_correction, decay, shrink, beta1, beta2, epsilon, rate } =
            self.begin_step(length)?;
        self.variables.par_iter().zip(&mut self.moments).zip(gradients).try_for_each(|((var, moments), gradient)| {
            let shrink = if var.rank() > 1 { shrink } else { 1.0 };
            let mut values = values(var)?;
            let Moments { mean, square, average } = moments;
            // Zipped, so that the compiler vectorises the loop.
            let moments = mean.iter_mut().zip(square).zip(average);
            for ((value, gradient), ((mean, square), average)) in values.iter_mut().zip(gradient).zip(moments) {
                let g = gradient * scale;
                *mean += (1.0 - beta1) * (g - *mean);
                *square += (1.0 - beta2) * (g * g - *square);
                let step = *mean * mean_correction / ((*square * square_correction).sqrt() + epsilon);
                *value = *value * shrink - rate * step;
                *average = decay * *average + (1.0 - decay) * *value;
            }
            var.set(&Tensor::from_vec(values, var.shape(), &Device::Cpu)?)
        })
    }

    /// Returns the step size of the last step.
    fn learning_rate(&self) -> f64 {
        self.settings.rate(self.steps - self.start)
    }

    /// Sets the step size after the warm-up.
    fn set_learning_rate(&mut self, rate: f64) {
        self.settings.learning_rate = rate;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_size_rises_during_warm_up() {
        let constant = AdamWSettings { learning_rate: 0.4, warmup_steps: 4, ..AdamWSettings::default() };
        assert_eq!([1, 2, 4, 1000].map(|step| constant.rate(step)), [0.1, 0.2, 0.4, 0.4]);
    }

    fn variable(shape: &[usize]) -> Var {
        let values: Vec<f32> = (0..shape.iter().product()).map(|i: usize| (i as f32).sin()).collect();
        Var::from_vec(values, shape, &Device::Cpu).unwrap()
    }

    #[test]
    fn first_step_by_hand() {
        let settings = AdamWSettings { learning_rate: 0.1, warmup_steps: 1, clip: 1e9, ..AdamWSettings::default() };
        let matrix = variable(&[3, 4]);
        let mut optimiser = AdamW::from_slice(&[&matrix], (settings, 100.0)).unwrap();
        let before = values(&matrix).unwrap();
        // Bias-corrected, the first step is rate · sign for any gradient.
        optimiser.backward_step(&(matrix.as_tensor() * 3.0).unwrap().sum_all().unwrap()).unwrap();
        assert!((optimiser.gradient_norm() - 3.0 * 12f64.sqrt()).abs() < 1e-9);
        let after = values(&matrix).unwrap();
        for ((before, after), average) in before.iter().zip(&after).zip(&optimiser.moments[0].average) {
            let expected = before * (1.0 - 0.1 * 0.03) - 0.1;
            assert!((after - expected).abs() < 1e-5);
            // Decay 1 / 11 at the first step.
            assert!((average - (before / 11.0 + after * 10.0 / 11.0)).abs() < 1e-5);
        }
    }

    /// Compares without clipping and warm-up, and on matrices, which both decay.
    #[test]
    fn steps_agree_with_candles_own_adamw() {
        let settings = AdamWSettings { warmup_steps: 1, clip: 1e9, ..AdamWSettings::default() };
        let AdamWSettings { learning_rate: lr, beta1, beta2, epsilon: eps, weight_decay, .. } = settings;
        let (ours, theirs) = (variable(&[5, 7]), variable(&[5, 7]));
        let mut our_optimiser = AdamW::from_slice(&[&ours], (settings, 100.0)).unwrap();
        let params = candle_nn::ParamsAdamW { lr, beta1, beta2, eps, weight_decay };
        let mut their_optimiser = candle_nn::AdamW::from_slice(&[&theirs], params).unwrap();
        let loss = |var: &Var| var.as_tensor().sin().unwrap().sqr().unwrap().sum_all().unwrap();
        for _ in 0..20 {
            our_optimiser.backward_step(&loss(&ours)).unwrap();
            their_optimiser.backward_step(&loss(&theirs)).unwrap();
        }
        for (a, b) in values(&ours).unwrap().iter().zip(values(&theirs).unwrap()) {
            assert!((a - b).abs() < 1e-5, "{a}, expected {b}");
        }
        assert_eq!(our_optimiser.learning_rate(), their_optimiser.learning_rate());
    }

    #[test]
    fn moments_that_begin_later_begin_alike() {
        let settings = AdamWSettings::default();
        let steps = |begun: u64| {
            let var = variable(&[5]);
            let mut optimiser = AdamW::from_slice(&[&var], (settings, 100.0)).unwrap();
            (optimiser.steps, optimiser.start) = (begun, begun);
            for _ in 0..3 {
                optimiser.backward_step(&var.as_tensor().sqr().unwrap().sum_all().unwrap()).unwrap();
            }
            (values(&var).unwrap(), optimiser.moments, optimiser.steps - begun)
        };
        assert_eq!(steps(5000), steps(0));
    }

    #[test]
    fn non_finite_gradient_changes_nothing() {
        let var = variable(&[4]);
        let mut optimiser = AdamW::from_slice(&[&var], (AdamWSettings::default(), 100.0)).unwrap();
        let before = (values(&var).unwrap(), optimiser.moments.clone());
        let error = optimiser.backward_step(&(var.as_tensor() * f64::NAN).unwrap().sum_all().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "the gradient of step 1 is not finite");
        assert_eq!((values(&var).unwrap(), optimiser.moments.clone()), before);
        assert_eq!(optimiser.steps(), 0);
    }
}
