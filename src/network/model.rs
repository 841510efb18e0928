//! The network in candle, for training and as the reference of the fast path.
//!
//! Residual tower (He et al. 2016) of hexagonal convolutions with global pooling (Wu 2019, KataGo).
//! There is no normalisation layer: the second convolution of each block starts at zero and the first
//! is scaled by the depth (Zhang, Dauphin and Ma 2019, Fixup), which trains as well at this size and
//! leaves nothing to fold at inference.

use candle_core::{Result, Tensor};
use rand::Rng;

use crate::games::NetworkView;

use super::architecture::Architecture;
use super::boards::Boards;
use super::classes::CELL_CLASSES;
use super::elementwise::{add_relu, relu};
use super::layers::Activation;
use super::parameters::{Conv, Dense, Parameters, Source};
use super::segments::{add_to_cells, pool_segments};
use super::tensors::NamedTensors;

#[derive(Debug, Clone)]
struct Block {
    first: Conv,
    /// Turns the pooled first convolution into a bias of every cell.
    pool: Option<Dense>,
    second: Conv,
}

/// What the heads of the network are made from.
#[derive(Debug, Clone)]
pub struct Features {
    /// Of each cell, from the tower, `[cells × channels]`.
    pub cells: Tensor,
    /// Of each cell, for what is played there, `[cells × policy channels]`.
    pub policy: Tensor,
    /// Of the whole position, `[positions × value channels]`.
    pub position: Tensor,
}

/// What the network says of a batch.
#[derive(Debug, Clone)]
pub struct Heads {
    /// Logits of the actions on cells, `[cells × policy planes]`.
    pub cell_policy: Tensor,
    /// Logits of the global actions, `[positions × global actions]`.
    pub global_policy: Tensor,
    /// The same two for the reply of the opponent, in the frame of the mover.
    pub cell_reply: Tensor,
    /// See [`Heads::cell_reply`].
    pub global_reply: Tensor,
    /// Logits of win, draw and loss for the mover, `[positions × 3]`.
    pub outcome: Tensor,
    /// Logits of what each cell holds at the end, `[cells × 3]`.
    pub ownership: Tensor,
    /// The plies left, in units of the number of cells, `[positions]`.
    pub moves_left: Tensor,
}

/// A network as a candle graph.
#[derive(Debug, Clone)]
pub struct Network {
    view: NetworkView,
    stem: Conv,
    stem_globals: Dense,
    blocks: Vec<Block>,
    policy: Dense,
    policy_pool: Dense,
    policy_out: Dense,
    hidden: Dense,
    position_out: Dense,
    ownership: Dense,
}

impl Network {
    /// A network with random parameters.
    ///
    /// # Errors
    /// If candle fails.
    pub fn random(architecture: &Architecture, view: &NetworkView, rng: &mut impl Rng) -> Result<(Self, Parameters)> {
        Parameters::random(rng, |source| Self::build(architecture, view, source))
    }

    /// A network with these parameters.
    ///
    /// # Errors
    /// If one is missing, has another shape, or is not of this architecture.
    pub fn from_named(
        architecture: &Architecture,
        view: &NetworkView,
        tensors: &NamedTensors,
    ) -> Result<(Self, Parameters)> {
        Parameters::from_named(tensors, |source| Self::build(architecture, view, source))
    }

    fn build(architecture: &Architecture, view: &NetworkView, source: &mut Source<'_>) -> Result<Self> {
        let Architecture { blocks: count, channels, policy_channels, value_channels, .. } = *architecture;
        let relu_gain = 2f32.sqrt();
        let stem = Conv::new(source, "stem", view.cell_inputs, channels, relu_gain)?;
        let stem_globals = Dense::unbiased(source, "stem.globals", view.global_inputs, channels, 1.0)?;
        // Fixup: with two layers a branch, the first is scaled by depth^(-1/2), the last starts at 0.
        let branch_gain = relu_gain / (count as f32).sqrt();
        let blocks = (0..count)
            .map(|block| {
                let first = Conv::new(source, &format!("blocks.{block}.first"), channels, channels, branch_gain)?;
                let pool = architecture
                    .pools(block)
                    .then(|| Dense::new(source, &format!("blocks.{block}.pool"), 2 * channels, channels, 0.5))
                    .transpose()?;
                let second = Conv::new(source, &format!("blocks.{block}.second"), channels, channels, 0.0)?;
                Ok(Block { first, pool, second })
            })
            .collect::<Result<_>>()?;
        let global_outputs = 3 + 1 + 2 * view.global_actions;
        Ok(Self {
            view: view.clone(),
            stem,
            stem_globals,
            blocks,
            policy: Dense::new(source, "policy", channels, policy_channels, relu_gain)?,
            policy_pool: Dense::unbiased(source, "policy.pool", 2 * channels, policy_channels, 0.5)?,
            policy_out: Dense::new(source, "policy.out", policy_channels, 2 * view.policy_planes, 0.5)?,
            hidden: Dense::new(source, "position", 2 * channels, value_channels, relu_gain)?,
            position_out: Dense::new(source, "position.out", value_channels, global_outputs, 0.5)?,
            ownership: Dense::new(source, "ownership", channels, CELL_CLASSES, 0.5)?,
        })
    }

    /// Evaluates a batch. `cells` is `[cells × cell inputs]`, `globals` `[positions × global inputs]`.
    ///
    /// # Errors
    /// If the shapes do not fit the batch or the network.
    pub fn forward(&self, cells: &Tensor, globals: &Tensor, boards: &Boards) -> Result<Heads> {
        self.heads(&self.features(cells, globals, boards)?)
    }

    /// All of [`Network::forward`] but its last layers.
    ///
    /// # Errors
    /// As [`Network::forward`].
    pub fn features(&self, cells: &Tensor, globals: &Tensor, boards: &Boards) -> Result<Features> {
        use Activation::{Linear, Relu};
        let stem = self.stem.forward(cells, boards, Linear)?;
        let mut x = relu(&add_to_cells(&stem, &self.stem_globals.forward(globals, Linear)?, boards)?)?;
        for block in &self.blocks {
            let mut y = block.first.forward(&x, boards, Relu)?;
            if let Some(pool) = &block.pool {
                let pooled = pool_segments(&y, boards)?;
                y = add_to_cells(&y, &pool.forward(&pooled, Linear)?, boards)?;
            }
            x = add_relu(&x, &block.second.forward(&y, boards, Linear)?)?;
        }
        let pooled = pool_segments(&x, boards)?;
        let policy = self.policy.forward(&x, Linear)?;
        let policy = relu(&add_to_cells(&policy, &self.policy_pool.forward(&pooled, Linear)?, boards)?)?;
        Ok(Features { policy, position: self.hidden.forward(&pooled, Relu)?, cells: x })
    }

    /// The last layers of [`Network::forward`].
    ///
    /// # Errors
    /// If candle fails.
    pub fn heads(&self, features: &Features) -> Result<Heads> {
        let policy = self.policy_out.forward(&features.policy, Activation::Linear)?;
        let position = self.position_out.forward(&features.position, Activation::Linear)?;
        let planes = self.view.policy_planes;
        let actions = self.view.global_actions;
        Ok(Heads {
            cell_policy: policy.narrow(1, 0, planes)?,
            cell_reply: policy.narrow(1, planes, planes)?,
            outcome: position.narrow(1, 0, 3)?,
            moves_left: position.narrow(1, 3, 1)?.squeeze(1)?,
            global_policy: position.narrow(1, 4, actions)?,
            global_reply: position.narrow(1, 4 + actions, actions)?,
            ownership: self.ownership.forward(&features.cells, Activation::Linear)?,
        })
    }
}
