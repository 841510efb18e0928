//! The settings of the optimiser.

use serde::{Deserialize, Serialize};

use hexzero_search::SettingsError;

/// The method that updates hidden matrices; AdamW updates all other parameters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OptimiserMethod {
    /// AdamW for these, too (Loshchilov and Hutter 2019).
    #[default]
    AdamW,
    /// Muon (Jordan et al. 2024), scaled so that AdamW's learning rate and weight decay fit (Liu et al. 2025).
    Muon,
}

/// The constants of the optimiser. Every field is a key of `[training.optimiser]`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OptimiserSettings {
    /// The method for hidden matrices.
    pub method: OptimiserMethod,
    /// The step size.
    pub learning_rate: f64,
    /// Steps over which the step size rises from 0.
    pub warmup_steps: u64,
    /// The decay of AdamW's mean gradient.
    pub beta1: f64,
    /// The decay of AdamW's mean squared gradient.
    pub beta2: f64,
    /// Added to the root of AdamW's mean squared gradient.
    pub epsilon: f64,
    /// The decay of Muon's mean gradient.
    pub momentum: f64,
    /// The decay of the weights (of matrices, not of biases), relative to the step size.
    pub weight_decay: f64,
    /// The maximum gradient norm, as a multiple of the usual one; a longer gradient is scaled down to it.
    pub clip: f64,
}

impl Default for OptimiserSettings {
    fn default() -> Self {
        Self {
            method: OptimiserMethod::AdamW,
            learning_rate: 2e-3,
            warmup_steps: 100,
            beta1: 0.9,
            beta2: 0.99,
            epsilon: 1e-8,
            momentum: 0.95,
            weight_decay: 0.03,
            clip: 3.0,
        }
    }
}

impl OptimiserSettings {
    /// Returns the step size at a step, from 1.
    pub(super) fn rate(&self, step: u64) -> f64 {
        self.learning_rate * (step as f64 / self.warmup_steps.max(1) as f64).min(1.0)
    }

    /// Checks the settings.
    pub(crate) fn validate(&self) -> Result<(), SettingsError> {
        for (name, value) in [("learning_rate", self.learning_rate), ("epsilon", self.epsilon)] {
            SettingsError::check(name, value, value > 0.0 && value.is_finite(), "above 0")?;
        }
        for (name, decay) in [("beta1", self.beta1), ("beta2", self.beta2), ("momentum", self.momentum)] {
            SettingsError::check(name, decay, (0.0..1.0).contains(&decay), "0 to below 1")?;
        }
        let Self { clip, weight_decay: decay, .. } = *self;
        let accepted = "above 1, as a multiple of the usual gradient norm";
        SettingsError::check("clip", clip, clip > 1.0 && clip.is_finite(), accepted)?;
        SettingsError::check("weight_decay", decay, decay >= 0.0 && decay.is_finite(), "0 or more")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_size_rises_during_warm_up() {
        let constant = OptimiserSettings { learning_rate: 0.4, warmup_steps: 4, ..OptimiserSettings::default() };
        assert_eq!([1, 2, 4, 1000].map(|step| constant.rate(step)), [0.1, 0.2, 0.4, 0.4]);
    }
}
