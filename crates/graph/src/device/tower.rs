//! The tower of the network and its heads over the cells as candle operations.

use candle_core::{DType, Result, Tensor};

use super::DeviceBoards;
use super::operations::{matmul, with_bias};

/// The weights and bias of a layer. Once [`rounded`](TowerLayers::rounded), the weights of a convolution are
/// `[taps · inputs + 1 × outputs]`, with the bias as their last row, as the kernels of GPUs take
/// them.
pub(crate) type Layer = [Tensor; 2];

/// The layers of a block.
#[derive(Debug, Clone)]
pub(crate) struct BlockLayers {
    pub first: Layer,
    /// The layer from a pool to an addend of every cell.
    pub pool: Option<Layer>,
    pub second: Layer,
}

/// All layers of the tower and of the heads over the cells.
#[derive(Debug, Clone)]
pub(crate) struct TowerLayers {
    pub stem: Layer,
    /// The weights from the global inputs to an addend of every cell.
    pub globals: Tensor,
    pub blocks: Vec<BlockLayers>,
    pub policy: Layer,
    pub policy_pool: Tensor,
    pub policy_out: Layer,
    pub cells: Layer,
}

fn dense(x: &Tensor, [weights, bias]: &Layer) -> Result<Tensor> {
    with_bias(&matmul(x, weights)?, bias)
}

impl TowerLayers {
    /// Lists all parameters, in the order in which our kernels take them.
    pub fn parameters(self) -> impl Iterator<Item = Tensor> {
        let of_block =
            |block: BlockLayers| block.first.into_iter().chain(block.pool.into_iter().flatten()).chain(block.second);
        let tower = self.stem.into_iter().chain([self.globals]).chain(self.blocks.into_iter().flat_map(of_block));
        tower.chain(self.policy).chain([self.policy_pool]).chain(self.policy_out).chain(self.cells)
    }

    /// Rounds the layers to the precision of their products, with `round` for each tensor.
    pub fn rounded(self, round: impl Fn(Tensor) -> Result<Tensor>) -> Result<Self> {
        let layer = |[weights, bias]: Layer| Ok::<_, candle_core::Error>([round(weights)?, round(bias)?]);
        let flat = |[weights, bias]: Layer| {
            let [weights, bias] = layer([weights.flatten(0, 1)?, bias])?;
            Ok::<_, candle_core::Error>([Tensor::cat(&[&weights, &bias.unsqueeze(0)?], 0)?, bias])
        };
        let block = |block: BlockLayers| {
            let pool = block.pool.map(layer).transpose()?;
            Ok(BlockLayers { first: flat(block.first)?, pool, second: flat(block.second)? })
        };
        Ok(Self {
            stem: flat(self.stem)?,
            globals: round(self.globals)?,
            blocks: self.blocks.into_iter().map(block).collect::<Result<_>>()?,
            policy: layer(self.policy)?,
            policy_pool: round(self.policy_pool)?,
            policy_out: layer(self.policy_out)?,
            cells: layer(self.cells)?,
        })
    }

    /// Evaluates `cells`, `[cells × cell inputs]`, and `globals`, `[positions × global inputs]`. Returns as 32-bit floats
    /// the policy, `[cells × policy outputs]`, the classes of cells, `[cells × outputs]`, and the pool, `[positions × 2 ·
    /// channels]`.
    pub fn forward(&self, cells: &Tensor, globals: &Tensor, boards: &DeviceBoards) -> Result<[Tensor; 3]> {
        let dtype = self.globals.dtype();
        let stem = boards.convolve(&cells.to_dtype(dtype)?, &self.stem, None, false)?;
        let mut x = boards.add(&stem, &matmul(&globals.to_dtype(dtype)?, &self.globals)?, true)?;
        for block in &self.blocks {
            let mut y = boards.convolve(&x, &block.first, None, true)?;
            if let Some(pool) = &block.pool {
                y = boards.add(&y, &dense(&boards.pool(&y)?, pool)?, false)?;
            }
            x = boards.convolve(&y, &block.second, Some(&x), true)?;
        }
        let pooled = boards.pool(&x)?;
        let hidden = boards.add(&dense(&x, &self.policy)?, &matmul(&pooled, &self.policy_pool)?, true)?;
        let (policy, cells) = (dense(&hidden, &self.policy_out)?, dense(&x, &self.cells)?);
        Ok([policy.to_dtype(DType::F32)?, cells.to_dtype(DType::F32)?, pooled.to_dtype(DType::F32)?])
    }
}
