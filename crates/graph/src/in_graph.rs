//! A network in a graph: its parameters gathered as the operation that computes its tower takes them.

use candle_core::backprop::GradStore;
use candle_core::{Result, Tensor, bail};

use hexzero_nn::CELL_CLASSES;

use crate::device::{BlockLayers, TowerLayers};
use crate::many_arguments::{Arguments, Part};
use crate::model::{Backend, Block};
use crate::modules::Dense;
use crate::tower::Towers;
use crate::{Auxiliary, Boards, Features, Heads, Network};

/// A network whose parameters are part of a graph.
pub struct NetworkInGraph<'a> {
    network: &'a Network,
    pub(crate) tower: TowerInGraph<'a>,
}

pub(crate) enum TowerInGraph<'a> {
    Kernels { towers: &'a Towers, parameters: Arguments, policy_outputs: usize, cell_outputs: usize },
    Operations(TowerLayers),
}

impl NetworkInGraph<'_> {
    /// Evaluates a batch up to the final layers over positions: [`Network::features`].
    ///
    /// # Errors
    /// As [`Network::forward`].
    pub fn features(&self, cells: &Tensor, globals: &Tensor, boards: &Boards) -> Result<Features> {
        let (planes, hidden) = (self.network.view.policy_planes, &self.network.hidden);
        match &self.tower {
            TowerInGraph::Operations(layers) => {
                let results = layers.forward(cells, globals, boards.on_device()?)?;
                let policy = |number: usize| results.policy.narrow(1, number * planes, planes);
                let more = results.cells.dim(1)? - CELL_CLASSES;
                Ok(Features {
                    policy: policy(0)?,
                    reply: policy(1)?,
                    soft_policy: (results.policy.dim(1)? > 2 * planes).then(|| policy(2)).transpose()?,
                    ownership: results.cells.narrow(1, 0, CELL_CLASSES)?,
                    forecasts: (more > 0).then(|| results.cells.narrow(1, CELL_CLASSES, more)).transpose()?,
                    position: results.pooled.apply(hidden)?,
                })
            }
            TowerInGraph::Kernels { towers, parameters, policy_outputs, cell_outputs } => {
                let (rows, channels) = (boards.cells(), 2 * self.network.channels);
                let policy =
                    |number: usize| Part { start: number * planes, rows, columns: planes, stride: *policy_outputs };
                let start = rows * policy_outputs;
                let cells_part =
                    |first: usize, columns: usize| Part { start: start + first, rows, columns, stride: *cell_outputs };
                let pooled = Part {
                    start: start + rows * cell_outputs,
                    rows: boards.positions(),
                    columns: channels,
                    stride: channels,
                };
                let mut parts = vec![policy(0), policy(1), cells_part(0, CELL_CLASSES), pooled];
                if *policy_outputs > 2 * planes {
                    parts.extend([policy(2), cells_part(CELL_CLASSES, cell_outputs - CELL_CLASSES)]);
                }
                let mut parts = towers.results(cells, globals, boards, parameters, parts)?;
                let mut auxiliary = parts.split_off(4).into_iter();
                let (soft_policy, forecasts) = (auxiliary.next(), auxiliary.next());
                let Ok([policy, reply, ownership, pooled]) = <[Tensor; 4]>::try_from(parts) else {
                    bail!("a tower has four results")
                };
                Ok(Features { policy, reply, soft_policy, ownership, forecasts, position: pooled.apply(hidden)? })
            }
        }
    }

    /// Computes the gradients of a loss of this graph, faster than [`Tensor::backward`].
    ///
    /// # Errors
    /// If candle fails.
    pub fn backward(&self, loss: &Tensor) -> Result<GradStore> {
        match &self.tower {
            TowerInGraph::Kernels { parameters, .. } => parameters.backward(loss),
            TowerInGraph::Operations(_) => loss.backward(),
        }
    }

    /// Applies the final layers over positions: [`Network::heads`].
    ///
    /// # Errors
    /// If candle fails.
    pub fn heads(&self, features: &Features) -> Result<Heads> {
        self.network.heads(features)
    }
}

/// Returns the parameters of a layer with the outputs of `second` after its own.
fn with_outputs_of(first: &Dense, second: Option<&Dense>) -> Result<[Tensor; 2]> {
    let [weight, bias] = first.parameters();
    let Some(second) = second else { return Ok([weight, bias]) };
    let [more_weight, more_bias] = second.parameters();
    Ok([Tensor::cat(&[weight, more_weight], 1)?, Tensor::cat(&[bias, more_bias], 0)?])
}

impl Network {
    /// Adds the parameters to a graph, with or without auxiliary heads. Several batches may share
    /// them there; candle then sums their gradients once instead of once per batch.
    ///
    /// # Errors
    /// If candle fails.
    pub fn in_graph(&self, auxiliary: Option<&Auxiliary>) -> Result<NetworkInGraph<'_>> {
        let policy_out = with_outputs_of(&self.policy_out, auxiliary.map(Auxiliary::policy_head))?;
        let cells = with_outputs_of(&self.ownership, auxiliary.map(Auxiliary::cell_head))?;
        let [policy_outputs, cell_outputs] = [policy_out[1].dim(0)?, cells[1].dim(0)?];
        let [globals, _] = self.stem_globals.parameters();
        let [policy_pool, _] = self.policy_pool.parameters();
        let towers = match &self.backend {
            Backend::Kernels(towers) => towers,
            Backend::Rounded(_) if auxiliary.is_some() => bail!("a network for evaluation takes no auxiliary heads"),
            Backend::Rounded(layers) => {
                let tower = TowerInGraph::Operations(TowerLayers::clone(layers));
                return Ok(NetworkInGraph { network: self, tower });
            }
            Backend::Operations(dtype) => {
                let block = |block: &Block| BlockLayers {
                    first: block.first.parameters(),
                    pool: block.pool.as_ref().map(Dense::parameters),
                    second: block.second.parameters(),
                };
                let layers = TowerLayers {
                    stem: self.stem.parameters(),
                    globals,
                    blocks: self.blocks.iter().map(block).collect(),
                    policy: self.policy.parameters(),
                    policy_pool,
                    policy_out,
                    cells,
                };
                return Ok(NetworkInGraph { network: self, tower: TowerInGraph::Operations(layers.rounded(*dtype)?) });
            }
        };
        let tower = self.stem.parameters().into_iter().chain([globals]);
        let tower = tower.chain(self.blocks.iter().flat_map(Block::parameters));
        let heads = self.policy.parameters().into_iter().chain([policy_pool]).chain(policy_out).chain(cells);
        let parameters = Arguments::new(tower.chain(heads))?;
        let tower = TowerInGraph::Kernels { towers, parameters, policy_outputs, cell_outputs };
        Ok(NetworkInGraph { network: self, tower })
    }
}
