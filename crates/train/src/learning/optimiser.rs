//! AdamW, Muon and the running average of the weights, as an [`Optimizer`] of candle-nn.
//!
//! `candle_nn::AdamW` does not suffice: it keeps its moments private, and a run must be able to save them and resume
//! bit for bit. It also decays biases, does not clip the gradient and keeps no average.

use candle_core::backprop::GradStore;
use candle_core::{Device, Error, Result, Var};
use candle_nn::Optimizer;
use rayon::prelude::*;

use super::clip::Clip;
use super::moments::{DeviceMoments, Moments, Update, length, values};
use super::settings::{OptimiserMethod, OptimiserSettings};

/// The step count with which the average of a trained network starts: high enough for the configured decay from
/// the first step on.
pub(super) const TRAINED: u64 = 1 << 20;

/// Returns the decay of the average per step.
fn decay(half_life: f64) -> f64 {
    0.5f64.powf(1.0 / half_life)
}

/// The optimiser of the settings' method, with an exponential average of the weights beside it.
#[derive(Debug)]
pub struct Optimiser {
    settings: OptimiserSettings,
    average_decay: f64,
    /// The number of steps done.
    pub(super) steps: u64,
    /// The step after which the optimiser began: not 0 where a run goes on from a checkpoint.
    pub(super) start: u64,
    /// The steps that the moments had counted when it began.
    pub(super) earlier: u64,
    /// The steps that the average counts.
    pub(super) averaged: u64,
    /// The gradient norm of the last step, before clipping.
    pub(super) gradient_norm: f64,
    pub(super) clip: Clip,
    pub(super) variables: Vec<Var>,
    /// Whether each variable is a hidden matrix.
    hidden: Vec<bool>,
    /// The moments in the order of the variables; none if they are on a device.
    pub(super) moments: Vec<Moments>,
    /// The moments of variables on a device, in their order.
    on_device: Option<Vec<DeviceMoments>>,
}

impl Optimiser {
    /// Continues with other settings.
    pub(super) fn set(&mut self, settings: OptimiserSettings, average_half_life: f64) {
        (self.settings, self.average_decay) = (settings, decay(average_half_life));
    }

    /// Sets which variables are hidden matrices, none by default. Muon updates these if it is the method.
    pub fn with_hidden(self, hidden: Vec<bool>) -> Self {
        Self { hidden, ..self }
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
            Some(moments) => moments.iter().map(|moments| values(&moments.average)).collect(),
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
        self.averaged += 1;
        let OptimiserSettings { method, beta1, beta2, epsilon, momentum, weight_decay, clip, .. } = self.settings;
        let age = self.steps - self.start;
        let rate = self.settings.rate(age);
        let counted = age + self.earlier;
        let averaged = self.averaged as f64;
        let exponent = counted.min(1 << 30) as i32;
        Ok(Update {
            scale: self.clip.factor(length, clip, counted) as f32,
            mean_correction: 1.0 / (1.0 - beta1.powi(exponent)) as f32,
            square_correction: 1.0 / (1.0 - beta2.powi(exponent)) as f32,
            // At first the average decays fast, so that random initial weights do not hold it back.
            decay: self.average_decay.min(averaged / (averaged + 10.0)) as f32,
            shrink: 1.0 - rate as f32 * weight_decay as f32,
            beta1: beta1 as f32,
            beta2: beta2 as f32,
            epsilon: epsilon as f32,
            momentum: (method == OptimiserMethod::Muon).then_some(momentum as f32),
            rate: rate as f32,
        })
    }
}

impl Optimizer for Optimiser {
    /// The settings, and the half-life of the average in steps.
    type Config = (OptimiserSettings, f64);

    /// Creates an optimiser at step 0; the average starts at the values of the variables.
    fn new(variables: Vec<Var>, (settings, average_half_life): Self::Config) -> Result<Self> {
        Ok(Self {
            settings,
            average_decay: decay(average_half_life),
            steps: 0,
            start: 0,
            earlier: 0,
            averaged: 0,
            gradient_norm: 0.0,
            clip: Clip::default(),
            hidden: vec![false; variables.len()],
            moments: variables.iter().map(Moments::new).collect::<Result<_>>()?,
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
            let mut all = self.variables.iter().zip(&self.hidden).zip(moments);
            return all.try_for_each(|((var, &hidden), moments)| {
                moments.update(&update, update.momentum.filter(|_| hidden), var, gradients.get(var))
            });
        }
        let gradient = |var: &Var| gradients.get(var).map_or_else(|| Ok(vec![0.0; var.elem_count()]), values);
        let gradients: Vec<Vec<f32>> = self.variables.par_iter().map(gradient).collect::<Result<_>>()?;
        let squares = |gradient: &Vec<f32>| gradient.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>();
        let squares: Vec<f64> = gradients.par_iter().map(squares).collect();
        let length = squares.iter().sum::<f64>().sqrt();
        let update = self.begin_step(length)?;
        let all = self.variables.par_iter().zip(&self.hidden).zip(&mut self.moments).zip(gradients);
        all.try_for_each(|(((var, &hidden), moments), gradient)| {
            moments.update(&update, update.momentum.filter(|_| hidden), var, gradient)
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

    fn variable(shape: &[usize]) -> Var {
        let values: Vec<f32> = (0..shape.iter().product()).map(|i: usize| (i as f32).sin()).collect();
        Var::from_vec(values, shape, &Device::Cpu).unwrap()
    }

    #[test]
    fn first_step_by_hand() {
        let settings =
            OptimiserSettings { learning_rate: 0.1, warmup_steps: 1, clip: 1e9, ..OptimiserSettings::default() };
        let matrix = variable(&[3, 4]);
        let mut optimiser = Optimiser::from_slice(&[&matrix], (settings, 100.0)).unwrap();
        let before = values(&matrix).unwrap();
        // Bias-corrected, the first step is rate · sign for any gradient.
        optimiser.backward_step(&(matrix.as_tensor() * 3.0).unwrap().sum_all().unwrap()).unwrap();
        assert!((optimiser.gradient_norm - 3.0 * 12f64.sqrt()).abs() < 1e-9);
        let after = values(&matrix).unwrap();
        for ((before, after), average) in before.iter().zip(&after).zip(&optimiser.moments[0].average) {
            let expected = before * (1.0 - 0.1 * 0.03) - 0.1;
            assert!((after - expected).abs() < 1e-5);
            // Decay 1 / 11 at the first step.
            assert!((average - (before / 11.0 + after * 10.0 / 11.0)).abs() < 1e-5);
        }
    }

    #[test]
    fn average_keeps_trained_weights() {
        let after_three_steps = |is_trained: bool| {
            let var = variable(&[1]);
            let config = (OptimiserSettings::default(), 100.0);
            let mut optimiser = Optimiser::from_slice(&[&var], config).unwrap();
            optimiser.averaged = if is_trained { TRAINED } else { 0 };
            // The initial weight is 0, so the average is the share that is not of it.
            for _ in 0..3 {
                var.set(&candle_core::Tensor::ones(1, candle_core::DType::F32, &Device::Cpu).unwrap()).unwrap();
                optimiser.backward_step(&(var.as_tensor() * 0.0).unwrap().sum_all().unwrap()).unwrap();
            }
            optimiser.moments[0].average[0]
        };
        let (random, trained) = (after_three_steps(false), after_three_steps(true));
        // Three steps of a half-life of a hundred, and decays of 1/11, 2/12 and 3/13.
        assert!((trained - (1.0 - 0.5f32.powf(0.03))).abs() < 1e-6, "{trained}");
        assert!((random - (1.0 - 6.0 / 1716.0)).abs() < 1e-6, "{random}");
    }

    /// Compares without clipping and warm-up, and on matrices, which both decay.
    #[test]
    fn steps_agree_with_candles_own_adamw() {
        let settings = OptimiserSettings { warmup_steps: 1, clip: 1e9, ..OptimiserSettings::default() };
        let OptimiserSettings { learning_rate: lr, beta1, beta2, epsilon: eps, weight_decay, .. } = settings;
        let (ours, theirs) = (variable(&[5, 7]), variable(&[5, 7]));
        let mut our_optimiser = Optimiser::from_slice(&[&ours], (settings, 100.0)).unwrap();
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
        let settings = OptimiserSettings::default();
        let steps = |begun: u64| {
            let var = variable(&[5]);
            let mut optimiser = Optimiser::from_slice(&[&var], (settings, 100.0)).unwrap();
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
        let mut optimiser = Optimiser::from_slice(&[&var], (OptimiserSettings::default(), 100.0)).unwrap();
        let before = (values(&var).unwrap(), optimiser.moments.clone());
        let error = optimiser.backward_step(&(var.as_tensor() * f64::NAN).unwrap().sum_all().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "the gradient of step 1 is not finite");
        assert_eq!((values(&var).unwrap(), optimiser.moments.clone()), before);
        assert_eq!(optimiser.steps, 0);
    }

    #[test]
    fn muon_steps_agree_with_the_published_form() {
        let adamw = OptimiserSettings { warmup_steps: 1, ..OptimiserSettings::default() };
        let settings = OptimiserSettings { method: OptimiserMethod::Muon, ..adamw };
        let loss = |var: &Var| var.as_tensor().sin().unwrap().sqr().unwrap().sum_all().unwrap();
        let (hidden, other, alone) = (variable(&[2, 3, 4]), variable(&[5, 7]), variable(&[5, 7]));
        let mut muon = Optimiser::from_slice(&[&hidden, &other], (settings, 100.0)).unwrap();
        muon = muon.with_hidden(vec![true, false]);
        let mut adamw = Optimiser::from_slice(&[&alone], (adamw, 100.0)).unwrap();
        let mut expected: Vec<f64> = values(&hidden).unwrap().into_iter().map(f64::from).collect();
        let mut mean = vec![0.0; expected.len()];
        for _ in 0..3 {
            muon.backward_step(&(loss(&hidden) + loss(&other)).unwrap()).unwrap();
            adamw.backward_step(&loss(&alone)).unwrap();
            let gradient: Vec<f64> = expected.iter().map(|value| (2.0 * value).sin()).collect();
            mean.iter_mut().zip(&gradient).for_each(|(mean, gradient)| *mean = 0.95 * *mean + 0.05 * gradient);
            let ahead: Vec<f64> = mean.iter().zip(&gradient).map(|(mean, g)| 0.95 * mean + 0.05 * g).collect();
            let step = super::super::muon::tests::reference(&ahead, 4);
            expected.iter_mut().zip(step).for_each(|(value, step)| *value -= 0.002 * (0.03 * *value + step));
        }
        for (found, expected) in values(&hidden).unwrap().into_iter().zip(expected) {
            assert!((f64::from(found) - expected).abs() < 1e-5, "{found}, expected {expected}");
        }
        assert_eq!(values(&other).unwrap(), values(&alone).unwrap());
    }
}
