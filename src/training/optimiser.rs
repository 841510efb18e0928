//! AdamW and the running average of the weights. Written here rather than taken from candle-nn because
//! a run must be able to save its moments and go on bit for bit.

use candle_core::{Device, Error, Result, Tensor};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::network::Parameters;

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
    /// The gradient is scaled down to this length if it is longer.
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
    /// The step size at a step, from 1.
    fn rate(&self, step: u64) -> f64 {
        self.learning_rate * (step as f64 / self.warmup_steps.max(1) as f64).min(1.0)
    }

    /// What is wrong with the settings, if anything: the key, its value and what is accepted.
    pub(super) fn problem(&self) -> Option<String> {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let checks = [
            (!positive(self.learning_rate), format!("learning_rate = {}; accepted: above 0", self.learning_rate)),
            (
                ![self.beta1, self.beta2].iter().all(|beta| (0.0..1.0).contains(beta)),
                "optimiser: accepted: beta1 and beta2 from 0 to below 1".to_owned(),
            ),
            (
                !positive(self.epsilon) || !positive(self.clip),
                "optimiser: accepted: epsilon and clip above 0".to_owned(),
            ),
            (
                !(self.weight_decay >= 0.0 && self.weight_decay.is_finite()),
                format!("weight_decay = {}; accepted: 0 or more", self.weight_decay),
            ),
        ];
        checks.into_iter().find(|check| check.0).map(|check| check.1)
    }
}

/// One parameter's part of the optimiser's state.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moments {
    pub mean: Vec<f32>,
    pub square: Vec<f32>,
    pub average: Vec<f32>,
}

/// What is left of a weight in the average after a step.
fn decay(half_life: f64) -> f64 {
    0.5f64.powf(1.0 / half_life)
}

/// AdamW (Loshchilov and Hutter 2019) with an exponential average of the weights beside it.
#[derive(Debug, Clone)]
pub struct AdamW {
    settings: AdamWSettings,
    average_decay: f64,
    pub(super) step: u64,
    /// In the order of the parameters.
    pub(super) moments: Vec<Moments>,
}

impl AdamW {
    /// An optimiser that has seen nothing; the average starts at the parameters' values.
    ///
    /// # Errors
    /// If candle fails.
    pub fn new(settings: AdamWSettings, average_half_life: f64, parameters: &Parameters) -> Result<Self> {
        let moments = |(_, var): (&str, &candle_core::Var)| {
            let average: Vec<f32> = var.as_tensor().flatten_all()?.to_vec1()?;
            Ok(Moments { mean: vec![0.0; average.len()], square: vec![0.0; average.len()], average })
        };
        Ok(Self {
            settings,
            average_decay: decay(average_half_life),
            step: 0,
            moments: parameters.iter().map(moments).collect::<Result<_>>()?,
        })
    }

    /// Goes on with other settings.
    pub(super) fn set(&mut self, settings: AdamWSettings, average_half_life: f64) {
        (self.settings, self.average_decay) = (settings, decay(average_half_life));
    }

    /// Steps done.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// The step size of the last step.
    pub fn rate(&self) -> f64 {
        self.settings.rate(self.step)
    }

    /// Moves the parameters by their gradients, one array for each in the same order, and takes them
    /// into the average. Gives the length of the gradient before it was clipped.
    ///
    /// # Errors
    /// If candle fails, or if a gradient is not finite; the parameters are then as they were.
    pub fn update(&mut self, parameters: &Parameters, gradients: &[Vec<f32>]) -> Result<f64> {
        let squares = |gradient: &Vec<f32>| gradient.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>();
        let squares: Vec<f64> = gradients.par_iter().map(squares).collect();
        let length = squares.iter().sum::<f64>().sqrt();
        if !length.is_finite() {
            return Err(Error::Msg(format!("the gradient of step {} is not finite", self.step + 1)));
        }
        self.step += 1;
        let AdamWSettings { beta1, beta2, epsilon, weight_decay, clip, .. } = self.settings;
        let rate = self.settings.rate(self.step);
        let scale = if length > clip { clip / length } else { 1.0 } as f32;
        let exponent = self.step.min(1 << 30) as i32;
        let mean_correction = 1.0 / (1.0 - beta1.powi(exponent)) as f32;
        let square_correction = 1.0 / (1.0 - beta2.powi(exponent)) as f32;
        // Early on the average forgets fast, so that it is not held back by the random start.
        let decay = self.average_decay.min(self.step as f64 / (self.step as f64 + 10.0)) as f32;
        let (beta1, beta2, epsilon, rate) = (beta1 as f32, beta2 as f32, epsilon as f32, rate as f32);

        let vars: Vec<_> = parameters.iter().map(|(_, var)| var).collect();
        vars.par_iter().zip(&mut self.moments).zip(gradients).try_for_each(|((var, moments), gradient)| {
            let shrink = if var.rank() > 1 { 1.0 - rate * weight_decay as f32 } else { 1.0 };
            let mut values: Vec<f32> = var.as_tensor().flatten_all()?.to_vec1()?;
            for (i, value) in values.iter_mut().enumerate() {
                let g = gradient[i] * scale;
                let (mean, square) = (&mut moments.mean[i], &mut moments.square[i]);
                *mean += (1.0 - beta1) * (g - *mean);
                *square += (1.0 - beta2) * (g * g - *square);
                let step = *mean * mean_correction / ((*square * square_correction).sqrt() + epsilon);
                *value = *value * shrink - rate * step;
                moments.average[i] = decay * moments.average[i] + (1.0 - decay) * *value;
            }
            var.set(&Tensor::from_vec(values, var.shape(), &Device::Cpu)?)
        })?;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::NetworkView;
    use crate::network::{Architecture, Network};
    use rand::SeedableRng;

    #[test]
    fn the_step_size_rises() {
        let constant = AdamWSettings { learning_rate: 0.4, warmup_steps: 4, ..AdamWSettings::default() };
        assert_eq!([1, 2, 4, 1000].map(|step| constant.rate(step)), [0.1, 0.2, 0.4, 0.4]);
    }

    #[test]
    fn the_first_step_by_hand() {
        let view = NetworkView { version: 1, cell_inputs: 1, global_inputs: 1, policy_planes: 1, global_actions: 1 };
        let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
        let (_, parameters) = Network::random(&Architecture::default(), &view, &mut rng).unwrap();
        let settings = AdamWSettings { learning_rate: 0.1, warmup_steps: 1, clip: 1e9, ..AdamWSettings::default() };
        let mut optimiser = AdamW::new(settings, 100.0, &parameters).unwrap();
        let (_, var) = parameters.iter().next().unwrap();
        let before: Vec<f32> = var.as_tensor().flatten_all().unwrap().to_vec1().unwrap();
        // Bias-corrected, the first step is rate · sign whatever the gradient.
        let gradients: Vec<Vec<f32>> = parameters.iter().map(|(_, var)| vec![3.0; var.elem_count()]).collect();
        optimiser.update(&parameters, &gradients).unwrap();
        let after: Vec<f32> = var.as_tensor().flatten_all().unwrap().to_vec1().unwrap();
        for ((before, after), average) in before.iter().zip(&after).zip(&optimiser.moments[0].average) {
            let expected = before * (1.0 - 0.1 * 0.03) - 0.1;
            assert!((after - expected).abs() < 1e-5);
            // Decay 1 / 11 at the first step.
            assert!((average - (before / 11.0 + after * 10.0 / 11.0)).abs() < 1e-5);
        }
    }
}
