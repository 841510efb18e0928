//! The network in candle, for training and as the reference of the fast path.
//!
//! Residual tower (He et al. 2016) of hexagonal convolutions with global pooling (Wu 2019, KataGo).
//! There is no normalisation layer: the second convolution of each block starts at zero and the first
//! is scaled by the depth (Zhang, Dauphin and Ma 2019, Fixup), which trains as well at this size and
//! leaves nothing to fold at inference.

use candle_core::{DType, Device, Error, Result, Tensor, Var};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::games::NetworkView;

use super::architecture::Architecture;
use super::boards::{Boards, TAPS};
use super::elementwise::{add_relu, relu};
use super::layers::{self, Activation, hex_conv};
use super::segments::{add_to_cells, pool_segments};
use super::tensors::{NamedTensors, TensorData};

/// What a cell holds at the end of the game, to the mover: own stone, enemy stone, nothing.
pub const OWNERSHIP_CLASSES: usize = 3;

/// How a parameter begins.
#[derive(Debug, Clone, Copy)]
enum Start {
    Zero,
    /// Normal with variance `gain² / inputs`.
    Normal {
        gain: f32,
        inputs: usize,
    },
}

/// The parameters of a network by name, each a variable of the optimiser.
#[derive(Debug, Clone, Default)]
pub struct Parameters(Vec<(String, Var)>);

impl Parameters {
    /// Names and variables, always in the same order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Var)> {
        self.0.iter().map(|(name, var)| (name.as_str(), var))
    }

    /// Copies of the values.
    ///
    /// # Errors
    /// If candle fails.
    pub fn to_named(&self) -> Result<NamedTensors> {
        self.iter().map(|(name, var)| Ok((name.to_owned(), TensorData::from_candle(var)?))).collect()
    }

    /// The number of values of all parameters.
    pub fn count(&self) -> usize {
        self.iter().map(|(_, var)| var.elem_count()).sum()
    }
}

/// `x · weight + bias`.
#[derive(Debug, Clone)]
struct Dense {
    weight: Tensor,
    bias: Tensor,
}

impl Dense {
    fn forward(&self, x: &Tensor, then: Activation) -> Result<Tensor> {
        layers::dense(x, &self.weight, &self.bias, then)
    }
}

/// A hexagonal convolution.
#[derive(Debug, Clone)]
struct Conv {
    weight: Tensor,
    bias: Tensor,
}

impl Conv {
    fn forward(&self, x: &Tensor, boards: &Boards, then: Activation) -> Result<Tensor> {
        hex_conv(x, &self.weight, &self.bias, boards, then)
    }
}

#[derive(Debug, Clone)]
struct Block {
    first: Conv,
    /// Turns the pooled first convolution into a bias of every cell.
    pool: Option<Dense>,
    second: Conv,
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

/// What is wrong with somebody's file, which needs no backtrace as candle's `bail` would add one.
fn misfit(what: String) -> Error {
    Error::Msg(what)
}

/// Makes or finds parameters by name while a network is put together.
type Source<'a> = dyn FnMut(&str, &[usize], Start) -> Result<Tensor> + 'a;

fn dense(source: &mut Source<'_>, name: &str, inputs: usize, outputs: usize, gain: f32) -> Result<Dense> {
    Ok(Dense {
        weight: source(&format!("{name}.weight"), &[inputs, outputs], Start::Normal { gain, inputs })?,
        bias: source(&format!("{name}.bias"), &[outputs], Start::Zero)?,
    })
}

/// A dense layer beside a layer that has a bias.
fn unbiased(source: &mut Source<'_>, name: &str, inputs: usize, outputs: usize, gain: f32) -> Result<Dense> {
    Ok(Dense {
        weight: source(name, &[inputs, outputs], Start::Normal { gain, inputs })?,
        bias: Tensor::zeros(outputs, DType::F32, &Device::Cpu)?,
    })
}

fn conv(source: &mut Source<'_>, name: &str, inputs: usize, outputs: usize, gain: f32) -> Result<Conv> {
    let start = if gain == 0.0 { Start::Zero } else { Start::Normal { gain, inputs: TAPS * inputs } };
    Ok(Conv {
        weight: source(&format!("{name}.weight"), &[TAPS, inputs, outputs], start)?,
        bias: source(&format!("{name}.bias"), &[outputs], Start::Zero)?,
    })
}

impl Network {
    /// A network with random parameters.
    ///
    /// # Errors
    /// If candle fails.
    pub fn random(architecture: &Architecture, view: &NetworkView, rng: &mut impl Rng) -> Result<(Self, Parameters)> {
        let mut parameters = Parameters::default();
        let network = Self::build(architecture, view, &mut |name, shape, start| {
            let count = shape.iter().product();
            let values: Vec<f32> = match start {
                Start::Zero => vec![0.0; count],
                Start::Normal { gain, inputs } => {
                    let deviation = gain / (inputs as f32).sqrt();
                    (0..count).map(|_| deviation * Distribution::<f32>::sample(&StandardNormal, rng)).collect()
                }
            };
            let var = Var::from_vec(values, shape, &Device::Cpu)?;
            parameters.0.push((name.to_owned(), var.clone()));
            Ok(var.as_tensor().clone())
        })?;
        Ok((network, parameters))
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
        let mut parameters = Parameters::default();
        let network = Self::build(architecture, view, &mut |name, shape, _| {
            let Some(tensor) = tensors.get(name) else { return Err(misfit(format!("tensor '{name}' is missing"))) };
            if tensor.shape != shape {
                return Err(misfit(format!("tensor '{name}' has shape {:?}, expected {shape:?}", tensor.shape)));
            }
            let var = Var::from_tensor(&tensor.to_candle()?)?;
            parameters.0.push((name.to_owned(), var.clone()));
            Ok(var.as_tensor().clone())
        })?;
        if let Some(name) = tensors.keys().find(|name| !parameters.0.iter().any(|(known, _)| known == *name)) {
            return Err(misfit(format!("tensor '{name}' is not part of this architecture")));
        }
        Ok((network, parameters))
    }

    fn build(architecture: &Architecture, view: &NetworkView, source: &mut Source<'_>) -> Result<Self> {
        let Architecture { blocks: count, channels, policy_channels, value_channels, .. } = *architecture;
        let relu_gain = 2f32.sqrt();
        let stem = conv(source, "stem", view.cell_inputs, channels, relu_gain)?;
        let stem_globals = unbiased(source, "stem.globals", view.global_inputs, channels, 1.0)?;
        // Fixup: with two layers a branch, the first is scaled by depth^(-1/2), the last starts at 0.
        let branch_gain = relu_gain / (count as f32).sqrt();
        let blocks = (0..count)
            .map(|block| {
                let first = conv(source, &format!("blocks.{block}.first"), channels, channels, branch_gain)?;
                let pool = architecture
                    .pools(block)
                    .then(|| dense(source, &format!("blocks.{block}.pool"), 2 * channels, channels, 0.5))
                    .transpose()?;
                let second = conv(source, &format!("blocks.{block}.second"), channels, channels, 0.0)?;
                Ok(Block { first, pool, second })
            })
            .collect::<Result<_>>()?;
        let global_outputs = 3 + 1 + 2 * view.global_actions;
        Ok(Self {
            view: view.clone(),
            stem,
            stem_globals,
            blocks,
            policy: dense(source, "policy", channels, policy_channels, relu_gain)?,
            policy_pool: unbiased(source, "policy.pool", 2 * channels, policy_channels, 0.5)?,
            policy_out: dense(source, "policy.out", policy_channels, 2 * view.policy_planes, 0.5)?,
            hidden: dense(source, "position", 2 * channels, value_channels, relu_gain)?,
            position_out: dense(source, "position.out", value_channels, global_outputs, 0.5)?,
            ownership: dense(source, "ownership", channels, OWNERSHIP_CLASSES, 0.5)?,
        })
    }

    /// Evaluates a batch. `cells` is `[cells × cell inputs]`, `globals` `[positions × global inputs]`.
    ///
    /// # Errors
    /// If the shapes do not fit the batch or the network.
    pub fn forward(&self, cells: &Tensor, globals: &Tensor, boards: &Boards) -> Result<Heads> {
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
        let policy = self.policy_out.forward(&policy, Linear)?;
        let position = self.position_out.forward(&self.hidden.forward(&pooled, Relu)?, Linear)?;
        let planes = self.view.policy_planes;
        let actions = self.view.global_actions;
        Ok(Heads {
            cell_policy: policy.narrow(1, 0, planes)?,
            cell_reply: policy.narrow(1, planes, planes)?,
            outcome: position.narrow(1, 0, 3)?,
            moves_left: position.narrow(1, 3, 1)?.squeeze(1)?,
            global_policy: position.narrow(1, 4, actions)?,
            global_reply: position.narrow(1, 4 + actions, actions)?,
            ownership: self.ownership.forward(&x, Linear)?,
        })
    }
}
