//! Heads that only training has: what the network could say beside what plays, so that its tower learns from
//! more of a game than who won it (Wu 2019, *Accelerating Self-Play Learning in Go*, and *KataGoMethods*).
//!
//! They are no part of a [`Network`](crate::network::Network) and of its checkpoints.

use candle_core::{Device, Result, Tensor};
use candle_nn::VarBuilder;
use rand::Rng;

use crate::games::NetworkView;
use crate::network::file::{Architecture, CELL_CLASSES, NamedTensors};

use super::model::Features;
use super::modules::Dense;
use super::parameters::Parameters;

/// Forecasts of each cell, a class each: two boards to come, the winning chain, captures.
pub const CELL_FORECASTS: usize = 4;

/// Forecasts of the outcome that look less far ahead than to the end of the game.
pub const SHORT_TERMS: usize = 2;

/// The gain of the last layers at first. Small, so that they do not disturb a tower that has learnt already.
const GAIN: f32 = 0.1;

/// The auxiliary heads, a layer each.
#[derive(Debug, Clone)]
pub struct Auxiliary {
    cells: Dense,
    policy: Dense,
    /// The short terms, and the global actions of the policy.
    position: Dense,
}

impl Auxiliary {
    /// The prefix of all parameter names.
    pub const PREFIX: &'static str = "auxiliary.";

    /// Heads with random parameters for the networks of an architecture.
    ///
    /// # Errors
    /// If candle fails.
    pub fn random(
        architecture: &Architecture,
        view: &NetworkView,
        rng: &mut (impl Rng + Send),
    ) -> Result<(Self, Parameters)> {
        Parameters::random(rng, |parameters| Self::build(architecture, view, &parameters))
    }

    /// Heads with these parameters.
    ///
    /// # Errors
    /// If one is missing, has another shape, or is not of these heads.
    pub fn from_named(
        architecture: &Architecture,
        view: &NetworkView,
        tensors: &NamedTensors,
    ) -> Result<(Self, Parameters)> {
        Parameters::from_named(tensors, &Device::Cpu, |parameters| Self::build(architecture, view, &parameters))
    }

    /// Creates heads with these parameters for a network [`on_device`](crate::network::Network::on_device).
    ///
    /// # Errors
    /// As [`Auxiliary::from_named`], or if the device fails.
    pub fn on_device(
        architecture: &Architecture,
        view: &NetworkView,
        tensors: &NamedTensors,
        device: &Device,
    ) -> Result<(Self, Parameters)> {
        let (heads, parameters) =
            Parameters::from_named(tensors, device, |parameters| Self::build(architecture, view, &parameters))?;
        Ok((Self { position: heads.position.on_device(), ..heads }, parameters))
    }

    fn build(architecture: &Architecture, view: &NetworkView, parameters: &VarBuilder<'_>) -> Result<Self> {
        let Architecture { channels, policy_channels, value_channels, .. } = *architecture;
        let parameters = parameters.pp(Self::PREFIX.trim_end_matches('.'));
        let head = |name: &str, inputs, outputs| Dense::new(inputs, outputs, GAIN, parameters.pp(name));
        Ok(Self {
            cells: head("cells", channels, CELL_FORECASTS * CELL_CLASSES)?,
            policy: head("policy", policy_channels, view.policy_planes)?,
            position: head("position", value_channels, SHORT_TERMS * 3 + view.global_actions)?,
        })
    }

    /// Returns the layer behind the policy's hidden layer.
    pub(in crate::network) fn policy_head(&self) -> &Dense {
        &self.policy
    }

    /// Returns the layer behind the tower.
    pub(in crate::network) fn cell_head(&self) -> &Dense {
        &self.cells
    }

    /// Logits of the classes of what is forecast of each cell, `[cells × forecasts · 3]`.
    ///
    /// # Errors
    /// If the features are those of a graph without these heads.
    pub fn cells(&self, features: &Features) -> Result<Tensor> {
        features.cells.narrow(1, CELL_CLASSES, CELL_FORECASTS * CELL_CLASSES)
    }

    /// Logits of a softer policy: those of the actions on cells, `[cells × policy planes]`, and those of the
    /// global actions, `[positions × global actions]`.
    ///
    /// # Errors
    /// If the features are those of a graph without these heads.
    pub fn soft_policy(&self, features: &Features) -> Result<(Tensor, Tensor)> {
        let (position, short_terms) = (features.position.apply(&self.position)?, SHORT_TERMS * 3);
        let globals = position.narrow(1, short_terms, position.dim(1)? - short_terms)?;
        // After the policy and the reply.
        let planes = features.policy.dim(1)? / 3;
        Ok((features.policy.narrow(1, 2 * planes, planes)?, globals))
    }

    /// Logits of win, draw and loss for the mover within each short term, `[positions × short terms · 3]`.
    ///
    /// # Errors
    /// If candle fails.
    pub fn short_terms(&self, features: &Features) -> Result<Tensor> {
        features.position.apply(&self.position)?.narrow(1, 0, SHORT_TERMS * 3)
    }
}
