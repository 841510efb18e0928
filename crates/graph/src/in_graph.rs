//! A network in a graph: its parameters gathered as the operation that computes its tower takes them.

use candle_core::backprop::GradStore;
use candle_core::{Result, Tensor};

use hexzero_nn::CELL_CLASSES;

use crate::device::TowerLayers;
use crate::many_arguments::Arguments;
use crate::model::Backend;
use crate::tower::Towers;
use crate::{Boards, Heads, Network};

/// A network whose parameters are part of a graph.
pub struct NetworkInGraph<'a> {
    network: &'a Network,
    tower: TowerInGraph<'a>,
}

enum TowerInGraph<'a> {
    Kernels { towers: &'a Towers, parameters: Arguments },
    Operations(TowerLayers),
}

impl NetworkInGraph<'_> {
    /// Evaluates a batch as [`Network::forward`] does. The inputs get no gradient.
    ///
    /// # Errors
    /// As [`Network::forward`].
    pub fn forward(&self, cells: &Tensor, globals: &Tensor, boards: &Boards) -> Result<Heads> {
        let planes = self.network.view.policy_planes;
        let [cell_policy, ownership, pooled] = match &self.tower {
            TowerInGraph::Operations(layers) => layers.forward(cells, globals, boards.on_device()?)?,
            TowerInGraph::Kernels { towers, parameters } => {
                let (rows, positions) = (boards.cells(), boards.positions());
                let shapes = [(rows, planes), (rows, CELL_CLASSES), (positions, 2 * self.network.channels)];
                towers.results(cells, globals, boards, parameters, shapes)?
            }
        };
        let position = pooled.apply(&self.network.hidden)?.apply(&self.network.position_out)?;
        Ok(Heads {
            cell_policy,
            outcome: position.narrow(1, 0, 3)?,
            moves_left: position.narrow(1, 3, 1)?.squeeze(1)?,
            global_policy: position.narrow(1, 4, self.network.view.global_actions)?,
            ownership,
        })
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
}

impl Network {
    /// Adds the parameters to a graph. Several batches may share them there; candle then sums their
    /// gradients once instead of once per batch.
    ///
    /// # Errors
    /// If candle fails.
    pub fn in_graph(&self) -> Result<NetworkInGraph<'_>> {
        let tower = match &self.backend {
            Backend::Kernels(towers) => {
                TowerInGraph::Kernels { towers, parameters: Arguments::new(self.tower.clone().parameters())? }
            }
            // Gradients flow through the rounding to the parameters.
            Backend::Operations(dtype) => {
                TowerInGraph::Operations(self.tower.clone().rounded(|tensor| tensor.to_dtype(*dtype))?)
            }
            Backend::Rounded => TowerInGraph::Operations(self.tower.clone()),
        };
        Ok(NetworkInGraph { network: self, tower })
    }
}
