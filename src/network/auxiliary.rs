//! Heads that only training has: what the network could say beside what plays, so that its tower learns from
//! more of a game than who won it (Wu 2019, *Accelerating Self-Play Learning in Go*, and *KataGoMethods*).
//!
//! They are no part of a [`Network`](super::Network) and of its checkpoints.

use candle_core::{Result, Tensor};
use rand::Rng;

use crate::games::NetworkView;

use super::architecture::Architecture;
use super::classes::CELL_CLASSES;
use super::layers::Activation::Linear;
use super::model::Features;
use super::parameters::{Dense, Parameters, Source};
use super::tensors::NamedTensors;

/// What is forecast of each cell, a class each: two boards to come, the winning chain, captures.
pub const CELL_FORECASTS: usize = 4;

/// Forecasts of the outcome that look less far ahead than to the end of the game.
pub const SHORT_TERMS: usize = 2;

/// How large the last layers begin. Small, so that they do not disturb a tower that has learnt already.
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
    /// What the names of all parameters begin with.
    pub const PREFIX: &'static str = "auxiliary.";

    /// Heads with random parameters for the networks of an architecture.
    ///
    /// # Errors
    /// If candle fails.
    pub fn random(architecture: &Architecture, view: &NetworkView, rng: &mut impl Rng) -> Result<(Self, Parameters)> {
        Parameters::random(rng, |source| Self::build(architecture, view, source))
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
        Parameters::from_named(tensors, |source| Self::build(architecture, view, source))
    }

    fn build(architecture: &Architecture, view: &NetworkView, source: &mut Source<'_>) -> Result<Self> {
        let Architecture { channels, policy_channels, value_channels, .. } = *architecture;
        let mut head = |name: &str, inputs: usize, outputs: usize| {
            Dense::new(source, &format!("{}{name}", Self::PREFIX), inputs, outputs, GAIN)
        };
        Ok(Self {
            cells: head("cells", channels, CELL_FORECASTS * CELL_CLASSES)?,
            policy: head("policy", policy_channels, view.policy_planes)?,
            position: head("position", value_channels, SHORT_TERMS * 3 + view.global_actions)?,
        })
    }

    /// Logits of the classes of what is forecast of each cell, `[cells × forecasts · 3]`.
    ///
    /// # Errors
    /// If candle fails.
    pub fn cells(&self, features: &Features) -> Result<Tensor> {
        self.cells.forward(&features.cells, Linear)
    }

    /// Logits of a softer policy: those of the actions on cells, `[cells × policy planes]`, and those of the
    /// global actions, `[positions × global actions]`.
    ///
    /// # Errors
    /// If candle fails.
    pub fn soft_policy(&self, features: &Features) -> Result<(Tensor, Tensor)> {
        let (position, short_terms) = (self.position.forward(&features.position, Linear)?, SHORT_TERMS * 3);
        let globals = position.narrow(1, short_terms, position.dim(1)? - short_terms)?;
        Ok((self.policy.forward(&features.policy, Linear)?, globals))
    }

    /// Logits of win, draw and loss for the mover within each short term, `[positions × short terms · 3]`.
    ///
    /// # Errors
    /// If candle fails.
    pub fn short_terms(&self, features: &Features) -> Result<Tensor> {
        self.position.forward(&features.position, Linear)?.narrow(1, 0, SHORT_TERMS * 3)
    }
}
