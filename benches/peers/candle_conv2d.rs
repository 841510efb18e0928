//! Peer of the training step: the same network from candle's own operations, with `conv2d` for the
//! hexagonal convolution. Positions must be of one size.

use std::collections::HashMap;

use candle_core::{D, DType, Device, Result, Tensor, Var};
use candle_nn::Optimizer;
use hexzero::games::default_game;
use hexzero::network::{Architecture, Parameters};
use hexzero::training::{Batch, LossWeights, Optimiser};

/// Where in a 3 × 3 window the taps of a hexagonal convolution are, row by row; none for the two
/// corners that are no neighbours.
const WINDOW: [Option<usize>; 9] = [None, Some(5), Some(4), Some(6), Some(0), Some(3), Some(1), Some(2), None];

/// Logits of cells `[positions × cells × channels]` and of whole positions `[positions × channels]`.
pub struct Logits {
    pub policy: Tensor,
    pub ownership: Tensor,
    pub position: Tensor,
}

pub struct Conv2dNetwork<'a> {
    architecture: &'a Architecture,
    parameters: HashMap<&'a str, Var>,
    size: usize,
}

impl<'a> Conv2dNetwork<'a> {
    pub fn new(architecture: &'a Architecture, parameters: &'a Parameters, size: usize) -> Self {
        let parameters = parameters.iter().collect();
        Self { architecture, parameters, size }
    }

    fn dense(&self, x: &Tensor, name: &str) -> Result<Tensor> {
        let (weight, bias) = (format!("{name}.weight"), format!("{name}.bias"));
        x.broadcast_matmul(&self.parameters[weight.as_str()])?.broadcast_add(&self.parameters[bias.as_str()])
    }

    /// `x` is `[positions × inputs × size × size]`.
    fn conv(&self, x: &Tensor, name: &str) -> Result<Tensor> {
        let weight = &self.parameters[format!("{name}.weight").as_str()];
        let (_, inputs, outputs) = weight.dims3()?;
        let zero = Tensor::zeros((inputs, outputs), DType::F32, &Device::Cpu)?;
        let window: Vec<Tensor> =
            WINDOW.iter().map(|tap| tap.map_or(Ok(zero.clone()), |tap| weight.get(tap))).collect::<Result<_>>()?;
        let kernel = Tensor::stack(&window, 2)?.permute((1, 0, 2))?.reshape((outputs, inputs, 3, 3))?;
        let bias = self.parameters[format!("{name}.bias").as_str()].reshape((1, outputs, 1, 1))?;
        x.conv2d(&kernel, 1, 1, 1, 1)?.broadcast_add(&bias)
    }

    /// Mean and maximum over the cells.
    fn pool(&self, x: &Tensor) -> Result<Tensor> {
        let cells = x.flatten_from(2)?;
        Tensor::cat(&[cells.mean(2)?, cells.max(2)?], 1)
    }

    pub fn forward(&self, batch: &Batch) -> Result<Logits> {
        let to_cells = |x: Tensor| x.unsqueeze(2)?.unsqueeze(3);
        let (positions, size) = (batch.positions(), self.size);
        let cells = batch.cells.reshape((positions, size, size, default_game().view.cell_inputs))?;
        let cells = cells.permute((0, 3, 1, 2))?.contiguous()?;
        let globals = batch.globals.matmul(&self.parameters["stem.globals"])?;
        let mut x = self.conv(&cells, "stem")?.broadcast_add(&to_cells(globals)?)?.relu()?;
        for block in 0..self.architecture.blocks {
            let mut y = self.conv(&x, &format!("blocks.{block}.first"))?.relu()?;
            if self.architecture.pools(block) {
                let pooled = self.dense(&self.pool(&y)?, &format!("blocks.{block}.pool"))?;
                y = y.broadcast_add(&to_cells(pooled)?)?;
            }
            x = (&x + self.conv(&y, &format!("blocks.{block}.second"))?)?.relu()?;
        }
        let pooled = self.pool(&x)?;
        let cells = x.flatten_from(2)?.transpose(1, 2)?.contiguous()?;
        let policy_pool = pooled.matmul(&self.parameters["policy.pool"])?.unsqueeze(1)?;
        let policy = self.dense(&cells, "policy")?.broadcast_add(&policy_pool)?.relu()?;
        Ok(Logits {
            policy: self.dense(&policy, "policy.out")?,
            ownership: self.dense(&cells, "ownership")?,
            position: self.dense(&self.dense(&pooled, "position")?.relu()?, "position.out")?,
        })
    }
}

fn log_softmax(logits: &Tensor) -> Result<Tensor> {
    let shifted = logits.broadcast_sub(&logits.max_keepdim(D::Minus1)?.detach())?;
    shifted.broadcast_sub(&shifted.exp()?.sum_keepdim(D::Minus1)?.log()?)
}

/// The mean over all rows of the cross entropy.
fn cross_entropy(logits: &Tensor, target: &Tensor) -> Result<Tensor> {
    let rows = logits.elem_count() / logits.dim(D::Minus1)?;
    (log_softmax(logits)? * target.reshape(logits.shape())?)?.sum_all()? * (-1.0 / rows as f64)
}

fn loss(logits: &Logits, batch: &Batch) -> Result<Tensor> {
    let on_cells = logits.policy.squeeze(2)?;
    let actions = Tensor::cat(&[on_cells, logits.position.narrow(1, 4, 1)?], 1)?;
    let weight = |name: &str| LossWeights::default().get(name).expect("a loss");
    // The targets are of the legal actions; as many as there are actions cost the same.
    let policy = (cross_entropy(&actions, &actions.zeros_like()?)? * weight("policy"))?;
    let outcome = (cross_entropy(&logits.position.narrow(1, 0, 3)?, &batch.outcome)? * weight("outcome"))?;
    let owners = Tensor::from_iter(batch.ownership.iter().map(|&class| u32::from(class)), &Device::Cpu)?;
    let owners = Tensor::eye(3, DType::F32, &Device::Cpu)?.index_select(&owners, 0)?;
    let ownership = (cross_entropy(&logits.ownership, &owners)? * weight("ownership"))?;
    let moves_left = logits.position.narrow(1, 3, 1)?.squeeze(1)?;
    let moves_left = ((moves_left - &batch.moves_left)?.sqr()?.mean_all()? * weight("moves_left"))?;
    policy + outcome + ownership + moves_left
}

/// Forward, backward and optimiser.
pub fn train_step(network: &Conv2dNetwork, batch: &Batch, optimiser: &mut Optimiser) -> Result<()> {
    optimiser.backward_step(&loss(&network.forward(batch)?, batch)?)
}
