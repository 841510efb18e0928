//! The layers of the network as candle-nn modules around the operations in [`super::layers`].

use candle_core::{DType, Result, Tensor};
use candle_nn::{Init, Module, VarBuilder, init};

use super::layers::{Activation, dense};
use crate::device::dense_on_device;
use hexzero_nn::TAPS;

/// Returns a normal initialisation with variance `gain² / inputs`, or zeros if `gain` is 0.
/// `Init::Kaiming` would take the number of inputs from a shape whose first dimension is the
/// outputs, while ours has them last.
fn normal(gain: f32, inputs: usize) -> Init {
    match gain {
        0.0 => init::ZERO,
        _ => Init::Randn { mean: 0.0, stdev: f64::from(gain / (inputs as f32).sqrt()) },
    }
}

/// A dense layer, `x · weight + bias`.
///
/// `candle_nn::Linear` is not used because checkpoints hold weights of the shape
/// `[inputs × outputs]`, not its transpose. Also, [`dense`] is faster on small layers and applies
/// bias and ReLU in the same pass.
#[derive(Debug, Clone)]
pub(crate) struct Dense {
    weight: Tensor,
    bias: Tensor,
    then: Activation,
    on_device: bool,
}

impl Dense {
    pub fn new(inputs: usize, outputs: usize, gain: f32, parameters: VarBuilder<'_>) -> Result<Self> {
        let weight = parameters.get_with_hints((inputs, outputs), "weight", normal(gain, inputs))?;
        let bias = parameters.get_with_hints(outputs, "bias", init::ZERO)?;
        Ok(Self { weight, bias, then: Activation::Linear, on_device: false })
    }

    /// Creates a dense layer without a bias, to be added to a layer with one; its only parameter is
    /// called `name`.
    pub fn unbiased(inputs: usize, outputs: usize, gain: f32, name: &str, parameters: &VarBuilder<'_>) -> Result<Self> {
        let weight = parameters.get_with_hints((inputs, outputs), name, normal(gain, inputs))?;
        let bias = Tensor::zeros(outputs, DType::F32, parameters.device())?;
        Ok(Self { weight, bias, then: Activation::Linear, on_device: false })
    }

    /// Adds a ReLU after the layer.
    pub fn with_relu(self) -> Self {
        Self { then: Activation::Relu, ..self }
    }

    /// Makes candle's operations compute the layer on the device of its parameters, instead of the
    /// kernels.
    pub fn on_device(self) -> Self {
        Self { on_device: true, ..self }
    }

    /// Detaches the layer from all graphs.
    pub fn detached(self) -> Self {
        Self { weight: self.weight.detach(), bias: self.bias.detach(), ..self }
    }

    /// Returns the weights and the bias, which is zero for a layer without one.
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

/// A hexagonal convolution of the tower with weights `[7 × inputs × outputs]`. The first tap is the
/// cell itself, the others its neighbours in the order of [`hexzero_board::STEPS`].
#[derive(Debug, Clone)]
pub(crate) struct HexConv {
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

    /// Returns the weights and the bias.
    pub fn parameters(&self) -> [Tensor; 2] {
        [self.weight.clone(), self.bias.clone()]
    }

    /// Detaches the convolution from all graphs.
    pub fn detached(self) -> Self {
        Self { weight: self.weight.detach(), bias: self.bias.detach() }
    }
}
