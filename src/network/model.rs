//! The network in candle, for training and as the reference of the fast path.
//!
//! Residual tower (He et al. 2016) of hexagonal convolutions with global pooling (Wu 2019, KataGo).
//! There is no normalisation layer: the second convolution of each block starts at zero and the first
//! is scaled by the depth (Zhang, Dauphin and Ma 2019, Fixup), which trains as well at this size and
//! leaves nothing to fold at inference.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;
use rand::Rng;

use crate::games::NetworkView;

use super::architecture::Architecture;
use super::boards::Boards;
use super::classes::CELL_CLASSES;
use super::elementwise::relu;
use super::kernels::TrainingPrecision;
use super::many_arguments::Arguments;
use super::modules::{Dense, HexConv};
use super::parameters::Parameters;
use super::segments::{add_to_cells, pool_segments};
use super::tensors::NamedTensors;
use super::tower::TowerShape;
use super::tower_operation::Towers;

#[derive(Debug, Clone)]
struct Block {
    first: HexConv,
    /// Turns the pooled first convolution into a bias of every cell.
    pool: Option<Dense>,
    second: HexConv,
}

impl Block {
    fn parameters(&self) -> impl Iterator<Item = Tensor> {
        let pool = self.pool.iter().flat_map(Dense::parameters);
        self.first.parameters().into_iter().chain(pool).chain(self.second.parameters())
    }
}

/// The inputs of the heads.
#[derive(Debug, Clone)]
pub struct Features {
    /// Features of each cell, from the tower, `[cells × channels]`.
    pub cells: Tensor,
    /// Features of each cell for the policy, `[cells × policy channels]`.
    pub policy: Tensor,
    /// Features of the whole position, `[positions × value channels]`.
    pub position: Tensor,
}

/// The outputs of the network for a batch.
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
    /// Logits of the class of each cell at the end of the game, `[cells × 3]`.
    pub ownership: Tensor,
    /// The plies left, in units of the number of cells, `[positions]`.
    pub moves_left: Tensor,
}

/// A network whose parameters are part of a graph.
pub struct NetworkInGraph<'a> {
    network: &'a Network,
    tower: Arguments,
}

impl NetworkInGraph<'_> {
    /// As [`Network::features`].
    ///
    /// # Errors
    /// As [`Network::forward`].
    pub fn features(&self, cells: &Tensor, globals: &Tensor, boards: &Boards) -> Result<Features> {
        self.network.features_of_tower(self.network.towers.features(cells, globals, boards, &self.tower)?, boards)
    }

    /// As [`Network::heads`].
    ///
    /// # Errors
    /// If candle fails.
    pub fn heads(&self, features: &Features) -> Result<Heads> {
        self.network.heads(features)
    }
}

/// A network as a candle graph.
#[derive(Debug, Clone)]
pub struct Network {
    view: NetworkView,
    stem: HexConv,
    stem_globals: Dense,
    blocks: Vec<Block>,
    towers: Towers,
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
    pub fn random(
        architecture: &Architecture,
        view: &NetworkView,
        rng: &mut (impl Rng + Send),
    ) -> Result<(Self, Parameters)> {
        Parameters::random(rng, |parameters| Self::build(architecture, view, &parameters))
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
        Parameters::from_named(tensors, |parameters| Self::build(architecture, view, &parameters))
    }

    fn build(architecture: &Architecture, view: &NetworkView, parameters: &VarBuilder<'_>) -> Result<Self> {
        let Architecture { blocks: count, channels, policy_channels, value_channels, .. } = *architecture;
        let relu_gain = 2f32.sqrt();
        let in_stem = parameters.pp("stem");
        let stem = HexConv::new(view.cell_inputs, channels, relu_gain, in_stem.clone())?;
        let stem_globals = Dense::unbiased(view.global_inputs, channels, 1.0, "globals", &in_stem)?;
        // Fixup: with two layers a branch, the first is scaled by depth^(-1/2), the last starts at 0.
        let branch_gain = relu_gain / (count as f32).sqrt();
        let blocks = (0..count)
            .map(|block| {
                let parameters = parameters.pp("blocks").pp(block);
                let first = HexConv::new(channels, channels, branch_gain, parameters.pp("first"))?;
                let pool = architecture
                    .pools(block)
                    .then(|| Dense::new(2 * channels, channels, 0.5, parameters.pp("pool")))
                    .transpose()?;
                let second = HexConv::new(channels, channels, 0.0, parameters.pp("second"))?;
                Ok(Block { first, pool, second })
            })
            .collect::<Result<_>>()?;
        let shape = TowerShape {
            cell_inputs: view.cell_inputs,
            global_inputs: view.global_inputs,
            channels,
            pools: (0..count).map(|block| architecture.pools(block)).collect(),
        };
        let (in_policy, in_position) = (parameters.pp("policy"), parameters.pp("position"));
        let global_outputs = 3 + 1 + 2 * view.global_actions;
        Ok(Self {
            view: view.clone(),
            stem,
            stem_globals,
            blocks,
            towers: Towers::new(shape, TrainingPrecision::F32),
            policy: Dense::new(channels, policy_channels, relu_gain, in_policy.clone())?,
            policy_pool: Dense::unbiased(2 * channels, policy_channels, 0.5, "pool", &in_policy)?,
            policy_out: Dense::new(policy_channels, 2 * view.policy_planes, 0.5, in_policy.pp("out"))?,
            hidden: Dense::new(2 * channels, value_channels, relu_gain, in_position.clone())?.with_relu(),
            position_out: Dense::new(value_channels, global_outputs, 0.5, in_position.pp("out"))?,
            ownership: Dense::new(channels, CELL_CLASSES, 0.5, parameters.pp("ownership"))?,
        })
    }

    /// The network with the products of its tower in another precision than floats.
    pub fn with_precision(self, precision: TrainingPrecision) -> Self {
        Self { towers: self.towers.with_precision(precision), ..self }
    }

    /// Evaluates a batch. `cells` is `[cells × cell inputs]`, `globals` `[positions × global inputs]`.
    ///
    /// # Errors
    /// If the shapes do not fit the batch or the network.
    pub fn forward(&self, cells: &Tensor, globals: &Tensor, boards: &Boards) -> Result<Heads> {
        self.heads(&self.features(cells, globals, boards)?)
    }

    /// All of [`Network::forward`] but its last layers. The inputs get no gradient.
    ///
    /// # Errors
    /// As [`Network::forward`].
    pub fn features(&self, cells: &Tensor, globals: &Tensor, boards: &Boards) -> Result<Features> {
        self.in_graph()?.features(cells, globals, boards)
    }

    /// Joins the parameters of the tower to a graph, in which several batches may share them. candle then sums up their
    /// gradients once and not once a batch.
    ///
    /// # Errors
    /// If candle fails.
    pub fn in_graph(&self) -> Result<NetworkInGraph<'_>> {
        let [stem_globals, _] = self.stem_globals.parameters();
        let stem = self.stem.parameters().into_iter().chain([stem_globals]);
        let tower = Arguments::new(stem.chain(self.blocks.iter().flat_map(Block::parameters)))?;
        Ok(NetworkInGraph { network: self, tower })
    }

    fn features_of_tower(&self, x: Tensor, boards: &Boards) -> Result<Features> {
        let pooled = pool_segments(&x, boards)?;
        let policy = add_to_cells(&x.apply(&self.policy)?, &pooled.apply(&self.policy_pool)?, boards)?;
        Ok(Features { policy: relu(&policy)?, position: pooled.apply(&self.hidden)?, cells: x })
    }

    /// The last layers of [`Network::forward`].
    ///
    /// # Errors
    /// If candle fails.
    pub fn heads(&self, features: &Features) -> Result<Heads> {
        let policy = features.policy.apply(&self.policy_out)?;
        let position = features.position.apply(&self.position_out)?;
        let planes = self.view.policy_planes;
        let actions = self.view.global_actions;
        Ok(Heads {
            cell_policy: policy.narrow(1, 0, planes)?,
            cell_reply: policy.narrow(1, planes, planes)?,
            outcome: position.narrow(1, 0, 3)?,
            moves_left: position.narrow(1, 3, 1)?.squeeze(1)?,
            global_policy: position.narrow(1, 4, actions)?,
            global_reply: position.narrow(1, 4 + actions, actions)?,
            ownership: features.cells.apply(&self.ownership)?,
        })
    }
}
