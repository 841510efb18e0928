//! The network in candle, for training and as the reference for the optimised inference.
//!
//! Residual tower (He et al. 2016) of hexagonal convolutions with global pooling (Wu 2019, KataGo).
//! There are no normalisation layers: the second convolution of each block starts at zero and the
//! first is scaled by the depth (Zhang, Dauphin and Ma 2019, Fixup). That trains as well at this
//! size and leaves nothing to fold at inference.

use candle_core::{DType, Device, Result, Tensor};
use candle_nn::VarBuilder;
use rand::Rng;

use crate::device::{BlockLayers, TowerLayers};
use crate::tower::{TowerShape, Towers};
use crate::{Boards, Parameters};
use hexzero_games::NetworkView;
use hexzero_nn::kernels::{Kernel, TrainingPrecision};
use hexzero_nn::{Architecture, CELL_CLASSES, NamedTensors, TAPS, without_reply};

use super::modules::{Dense, layer, weights};

/// The outputs of the network for a batch.
#[derive(Debug, Clone)]
pub struct Heads {
    /// Logits of the actions on cells, `[cells × policy planes]`.
    pub cell_policy: Tensor,
    /// Logits of the global actions, `[positions × global actions]`.
    pub global_policy: Tensor,
    /// Logits of win, draw and loss for the mover, `[positions × 3]`.
    pub outcome: Tensor,
    /// Logits of the class of each cell at the end of the game, `[cells × 3]`.
    pub ownership: Tensor,
    /// The number of plies left, divided by the number of cells, `[positions]`.
    pub moves_left: Tensor,
}

/// The backend that computes a network's tower.
#[derive(Debug, Clone)]
pub(crate) enum Backend {
    /// Our kernels.
    Kernels(Towers),
    /// Candle's operations on the device of the parameters, in this precision.
    Operations(DType),
    /// Candle's operations for evaluation only, with the parameters of the tower rounded already
    /// rather than for each batch.
    Rounded,
}

/// A network as a candle graph.
#[derive(Debug, Clone)]
pub struct Network {
    pub(crate) view: NetworkView,
    pub(crate) channels: usize,
    pub(crate) tower: TowerLayers,
    pub(crate) backend: Backend,
    pub(crate) hidden: Dense,
    pub(crate) position_out: Dense,
}

impl Network {
    /// Creates a network with random parameters.
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

    /// Creates a network with these parameters, [`without_reply`].
    ///
    /// # Errors
    /// If a parameter is missing, has the wrong shape, or does not belong to this architecture.
    pub fn from_named(
        architecture: &Architecture,
        view: &NetworkView,
        tensors: &NamedTensors,
    ) -> Result<(Self, Parameters)> {
        Parameters::from_named(&without_reply(view, tensors), &Device::Cpu, |parameters| {
            Self::build(architecture, view, &parameters)
        })
    }

    /// Creates a network with these parameters that uses candle's operations on any device. The
    /// tower multiplies in the precision `dtype`, f32, f16 or bf16; parameters and outputs are
    /// 32-bit floats. Its batches must be [`Boards::put_on`] the device.
    ///
    /// # Errors
    /// As [`Network::from_named`], or if the device fails.
    pub fn on_device(
        architecture: &Architecture,
        view: &NetworkView,
        tensors: &NamedTensors,
        device: &Device,
        dtype: DType,
    ) -> Result<(Self, Parameters)> {
        let build = |parameters: VarBuilder<'_>| Self::build(architecture, view, &parameters);
        let (network, parameters) = Parameters::from_named(&without_reply(view, tensors), device, build)?;
        let [hidden, position_out] =
            [network.hidden, network.position_out].map(|dense| Dense { on_device: true, ..dense });
        Ok((Self { backend: Backend::Operations(dtype), hidden, position_out, ..network }, parameters))
    }

    /// Converts a network [`on_device`](Self::on_device) to one for evaluation only, whose results
    /// are in no graph.
    ///
    /// # Errors
    /// If the device fails.
    pub fn for_evaluation(self) -> Result<Self> {
        let Backend::Operations(dtype) = self.backend else { return Ok(self) };
        let tower = self.tower.rounded(|tensor| tensor.detach().to_dtype(dtype))?;
        let [hidden, position_out] = [self.hidden, self.position_out]
            .map(|dense| Dense { layer: dense.layer.map(|tensor| tensor.detach()), ..dense });
        Ok(Self { tower, backend: Backend::Rounded, hidden, position_out, ..self })
    }

    fn build(architecture: &Architecture, view: &NetworkView, parameters: &VarBuilder<'_>) -> Result<Self> {
        let Architecture { blocks: count, channels, policy_channels, value_channels, .. } = *architecture;
        let relu_gain = 2f32.sqrt();
        let in_stem = parameters.pp("stem");
        let stem = layer(&[TAPS, view.cell_inputs, channels], relu_gain, &in_stem)?;
        let globals = weights(&[view.global_inputs, channels], 1.0, "globals", &in_stem)?;
        // Fixup: with two layers per branch, the first is scaled by depth^(-1/2) and the last
        // starts at 0.
        let branch_gain = relu_gain / (count as f32).sqrt();
        let blocks = (0..count)
            .map(|block| {
                let parameters = parameters.pp("blocks").pp(block);
                let first = layer(&[TAPS, channels, channels], branch_gain, &parameters.pp("first"))?;
                let pool = || layer(&[2 * channels, channels], 0.5, &parameters.pp("pool"));
                let pool = architecture.pools(block).then(pool).transpose()?;
                let second = layer(&[TAPS, channels, channels], 0.0, &parameters.pp("second"))?;
                Ok(BlockLayers { first, pool, second })
            })
            .collect::<Result<_>>()?;
        let shape = TowerShape {
            cell_inputs: view.cell_inputs,
            global_inputs: view.global_inputs,
            channels,
            pools: (0..count).map(|block| architecture.pools(block)).collect(),
        };
        let (in_policy, in_position) = (parameters.pp("policy"), parameters.pp("position"));
        let global_outputs = 3 + 1 + view.global_actions;
        let policy = layer(&[channels, policy_channels], relu_gain, &in_policy)?;
        let policy_pool = weights(&[2 * channels, policy_channels], 0.5, "pool", &in_policy)?;
        let policy_out = layer(&[policy_channels, view.policy_planes], 0.5, &in_policy.pp("out"))?;
        let hidden = layer(&[2 * channels, value_channels], relu_gain, &in_position)?;
        let position_out = layer(&[value_channels, global_outputs], 0.5, &in_position.pp("out"))?;
        let cells = layer(&[channels, CELL_CLASSES], 0.5, &parameters.pp("ownership"))?;
        Ok(Self {
            view: view.clone(),
            channels,
            tower: TowerLayers { stem, globals, blocks, policy, policy_pool, policy_out, cells },
            backend: Backend::Kernels(Towers::new(shape, Kernel::best(), TrainingPrecision::F32)),
            hidden: Dense { layer: hidden, relu: true, on_device: false },
            position_out: Dense { layer: position_out, relu: false, on_device: false },
        })
    }

    /// Sets the kernel and the precision of the tower's products, if the kernels compute them.
    pub fn computed_by(self, kernel: Kernel, precision: TrainingPrecision) -> Self {
        match self.backend {
            Backend::Kernels(towers) => {
                Self { backend: Backend::Kernels(Towers::new(towers.shape, kernel, precision)), ..self }
            }
            Backend::Operations(_) | Backend::Rounded => self,
        }
    }

    /// Evaluates a batch. `cells` is `[cells × cell inputs]`, `globals` `[positions × global inputs]`.
    ///
    /// # Errors
    /// If the shapes do not fit the batch or the network.
    pub fn forward(&self, cells: &Tensor, globals: &Tensor, boards: &Boards) -> Result<Heads> {
        self.in_graph()?.forward(cells, globals, boards)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn sizes_are_read_off_the_tensors() {
        let game = hexzero_games::default_game();
        for (blocks, pool_every) in [(3, 1), (4, 2), (4, 3), (2, 0)] {
            let made = Architecture { blocks, channels: 48, pool_every, policy_channels: 32, value_channels: 64 };
            let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(0);
            let (_, parameters) = Network::random(&made, &game.view, &mut rng).unwrap();
            let mut tensors = parameters.to_named().unwrap();
            assert_eq!(Architecture::of_tensors(&tensors), Some(made));
            tensors.remove("stem.bias");
            assert_eq!(Architecture::of_tensors(&tensors), None);
        }
    }
}
