//! A network in a graph: its parameters gathered as the operation that computes its tower takes them.

use candle_core::{Result, Tensor, bail};

use crate::device::{BlockLayers, TowerLayers};
use crate::many_arguments::Arguments;
use crate::modules::Dense;
use crate::tower::Towers;
use crate::{Auxiliary, Boards};

use super::{Backend, Block, Features, Heads, Network};

/// A network whose parameters are part of a graph.
pub struct NetworkInGraph<'a> {
    network: &'a Network,
    pub(super) tower: TowerInGraph<'a>,
}

pub(super) enum TowerInGraph<'a> {
    Kernels { towers: &'a Towers, parameters: Arguments, policy_outputs: usize, cell_outputs: usize },
    Operations(TowerLayers),
}

impl NetworkInGraph<'_> {
    /// Evaluates a batch up to the final layers over positions: [`Network::features`].
    ///
    /// # Errors
    /// As [`Network::forward`].
    pub fn features(&self, cells: &Tensor, globals: &Tensor, boards: &Boards) -> Result<Features> {
        let hidden = &self.network.hidden;
        let (towers, parameters, policy_outputs, cell_outputs) = match &self.tower {
            TowerInGraph::Kernels { towers, parameters, policy_outputs, cell_outputs } => {
                (*towers, parameters, *policy_outputs, *cell_outputs)
            }
            TowerInGraph::Operations(layers) => {
                let results = layers.forward(cells, globals, boards.on_device()?)?;
                let position = results.pooled.apply(hidden)?;
                return Ok(Features { policy: results.policy, cells: results.cells, position });
            }
        };
        let results = towers.results(cells, globals, boards, parameters)?;
        let mut start = 0;
        let mut part = |rows: usize, columns: usize| {
            let part = results.narrow(0, start, rows * columns)?.reshape((rows, columns));
            start += rows * columns;
            part
        };
        let policy = part(boards.cells(), policy_outputs)?;
        let cells = part(boards.cells(), cell_outputs)?;
        let pooled = part(boards.positions(), 2 * self.network.channels)?;
        Ok(Features { policy, cells, position: pooled.apply(hidden)? })
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
