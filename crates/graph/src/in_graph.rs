//! A network in a graph: its parameters gathered as the operation that computes its tower takes them.

use candle_core::backprop::GradStore;
use candle_core::{Result, Tensor, bail};

use hexzero_nn::CELL_CLASSES;

use crate::device::TowerLayers;
use crate::many_arguments::{Arguments, Part};
use crate::model::Backend;
use crate::tower::Towers;
use crate::{Boards, Features, Heads, Network};

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
    /// Evaluates a batch up to the final layers over positions: [`Network::features`].
    ///
    /// # Errors
    /// As [`Network::forward`].
    pub fn features(&self, cells: &Tensor, globals: &Tensor, boards: &Boards) -> Result<Features> {
        let planes = self.network.view.policy_planes;
        let [policy, ownership, pooled] = match &self.tower {
            TowerInGraph::Operations(layers) => layers.forward(cells, globals, boards.on_device()?)?,
            TowerInGraph::Kernels { towers, parameters } => {
                let (rows, channels) = (boards.cells(), 2 * self.network.channels);
                let policy = Part { start: 0, rows, columns: planes };
                let start = rows * planes;
                let ownership = Part { start, rows, columns: CELL_CLASSES };
                let (start, rows) = (start + rows * CELL_CLASSES, boards.positions());
                let pooled = Part { start, rows, columns: channels };
                let parts = [policy, ownership, pooled];
                let parts = towers.results(cells, globals, boards, parameters, parts)?;
                let Ok(parts) = <[Tensor; 3]>::try_from(parts) else { bail!("a tower has three results") };
                parts
            }
        };
        Ok(Features { policy, ownership, position: pooled.apply(&self.network.hidden)? })
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
