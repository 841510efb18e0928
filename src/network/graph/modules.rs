//! The layers of the network as modules of candle-nn around the operations in [`super::layers`].

use candle_core::{DType, Result, Tensor};
use candle_nn::{Init, Module, VarBuilder, init};

use crate::network::batch::TAPS;
use crate::network::device::dense_on_device;

use super::layers::{Activation, dense};

/// Returns a normal initialisation with variance `gain² / inputs`; zeros if `gain` is 0. `Init::Kaiming` would take the
/// number of inputs from a shape that begins with the outputs, and ours end with them.
fn normal(gain: f32, inputs: usize) -> Init {
    match gain {
        0.0 => init::ZERO,
        _ => Init::Randn { mean: 0.0, stdev: f64::from(gain / (inputs as f32).sqrt()) },
    }
}

/// A dense layer, `x · weight + bias`.
///
/// It is no `candle_nn::Linear`: checkpoints hold weights of the shape `[inputs × outputs]`, not the transposed, and
/// [`dense`] is faster on small layers and adds the bias and applies the ReLU in the same pass.
#[derive(Debug, Clone)]
pub(in crate::network) struct Dense {
    weight: Tensor,
    bias: Tensor,
    then: Activation,
    on_device: bool,
}

impl Dense {
    pub fn new(inputs: usize, outputs: usize, gain: f32, parameters: VarBuilder<'_>) -> Result<Self> {
        Ok(Self {
            weight: parameters.get_with_hints((inputs, outputs), "weight", normal(gain, inputs))?,
            bias: parameters.get_with_hints(outputs, "bias", init::ZERO)?,
            then: Activation::Linear,
            on_device: false,
        })
    }

    /// Makes a dense layer that is added to a layer with a bias, of one parameter called `name`.
    pub fn unbiased(inputs: usize, outputs: usize, gain: f32, name: &str, parameters: &VarBuilder<'_>) -> Result<Self> {
        Ok(Self {
            weight: parameters.get_with_hints((inputs, outputs), name, normal(gain, inputs))?,
            bias: Tensor::zeros(outputs, DType::F32, parameters.device())?,
            then: Activation::Linear,
            on_device: false,
        })
    }

    /// Adds a ReLU after the layer.
    pub fn with_relu(self) -> Self {
        Self { then: Activation::Relu, ..self }
    }

    /// Computes the layer by candle's operations on the device of its parameters, instead of by the kernels.
    pub fn on_device(self) -> Self {
        Self { on_device: true, ..self }
    }

    /// Detaches the layer from all graphs.
    pub fn detached(self) -> Self {
        Self { weight: self.weight.detach(), bias: self.bias.detach(), ..self }
    }

    /// Weights and bias, of which a layer without a bias has zeros.
    pub fn parameters(&self) -> [Tensor; 2] {
        [self.weight.clone(), self.bias.clone()]
    }
}

impl Module for Dense {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        if self.on_device {
            return dense_on_device(x, &self.weight, &self.bias, self.then);
        }
        dense(x, &self.weight, &self.bias, self.then)
    }
}

/// A hexagonal convolution of the tower, weights `[7 × inputs × outputs]`. The first tap is the cell itself, the others its
/// neighbours in the order of [`crate::board::STEPS`].
#[derive(Debug, Clone)]
pub(in crate::network) struct HexConv {
    weight: Tensor,
    bias: Tensor,
}

impl HexConv {
    pub fn new(inputs: usize, outputs: usize, gain: f32, parameters: VarBuilder<'_>) -> Result<Self> {
        Ok(Self {
            weight: parameters.get_with_hints((TAPS, inputs, outputs), "weight", normal(gain, TAPS * inputs))?,
            bias: parameters.get_with_hints(outputs, "bias", init::ZERO)?,
        })
    }

    /// Weights and bias.
    pub fn parameters(&self) -> [Tensor; 2] {
        [self.weight.clone(), self.bias.clone()]
    }

    /// Detaches the convolution from all graphs.
    pub fn detached(self) -> Self {
        Self { weight: self.weight.detach(), bias: self.bias.detach() }
    }
}
