//! Auxiliary heads, used only in training: they predict more about a game than who won it, from
//! which the tower learns (Wu 2019, *Accelerating Self-Play Learning in Go*, and *KataGoMethods*).
//!
//! Auxiliary heads are not part of a [`Network`](crate::Network) and its checkpoints.

use candle_core::{Device, Error, Result, Tensor};
use candle_nn::VarBuilder;
use rand::Rng;

use hexzero_games::NetworkView;
use hexzero_nn::{Architecture, CELL_CLASSES, NamedTensors};

use super::modules::Dense;
use crate::{Features, Parameters};

/// Number of forecasts for each cell, one class each: two future boards, the winning chain,
/// captures.
pub const CELL_FORECASTS: usize = 4;

/// Number of outcome forecasts with a horizon shorter than the end of the game.
pub const SHORT_TERMS: usize = 2;

/// The initial gain of the last layers, small so that they do not disturb a tower that is already
/// trained.
const GAIN: f32 = 0.1;

/// The auxiliary heads, one layer each.
#[derive(Debug, Clone)]
pub struct Auxiliary {
    cells: Dense,
    policy: Dense,
    /// The layer of the short-term outcomes and of the policy's global actions.
    position: Dense,
}

fn without_heads() -> Error {
    Error::Msg("the graph has no auxiliary heads".to_owned())
}

impl Auxiliary {
    /// The prefix of all parameter names.
    pub const PREFIX: &'static str = "auxiliary.";

    /// Creates heads with random parameters for the networks of an architecture.
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

    /// Creates heads with these parameters.
    ///
    /// # Errors
    /// If a parameter is missing, has the wrong shape, or does not belong to these heads.
    pub fn from_named(
        architecture: &Architecture,
        view: &NetworkView,
        tensors: &NamedTensors,
    ) -> Result<(Self, Parameters)> {
        Parameters::from_named(tensors, &Device::Cpu, |parameters| Self::build(architecture, view, &parameters))
    }

    /// Creates heads with these parameters for a network [`on_device`](crate::Network::on_device).
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

    /// Returns the layer after the policy's hidden layer.
    pub(crate) fn policy_head(&self) -> &Dense {
        &self.policy
    }

    /// Returns the layer after the tower.
    pub(crate) fn cell_head(&self) -> &Dense {
        &self.cells
    }

    /// Returns the logits of the classes forecast for each cell, `[cells × forecasts · 3]`.
    ///
    /// # Errors
    /// If the features are those of a graph without these heads.
    pub fn cells(&self, features: &Features) -> Result<Tensor> {
        features.forecasts.clone().ok_or_else(without_heads)
    }

    /// Returns the logits of a softer policy: those of the actions on cells,
    /// `[cells × policy planes]`, and those of the global actions, `[positions × global actions]`.
    ///
    /// # Errors
    /// If the features are those of a graph without these heads.
    pub fn soft_policy(&self, features: &Features) -> Result<(Tensor, Tensor)> {
        let (position, short_terms) = (features.position.apply(&self.position)?, SHORT_TERMS * 3);
        let globals = position.narrow(1, short_terms, position.dim(1)? - short_terms)?;
        Ok((features.soft_policy.clone().ok_or_else(without_heads)?, globals))
    }

    /// Returns the logits of win, draw and loss for the mover within each short term,
    /// `[positions × short terms · 3]`.
    ///
    /// # Errors
    /// If candle fails.
    pub fn short_terms(&self, features: &Features) -> Result<Tensor> {
        features.position.apply(&self.position)?.narrow(1, 0, SHORT_TERMS * 3)
    }
}
