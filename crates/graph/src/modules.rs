//! The parameters of the layers, and a dense layer as a candle-nn module around the operation in [`super::layers`].

use candle_core::{Result, Tensor};
use candle_nn::{Init, Module, VarBuilder, init};

use super::layers::dense;
use crate::device::{Layer, dense_on_device};

/// Returns a normal initialisation with variance `gain² / inputs`, or zeros if `gain` is 0.
/// `Init::Kaiming` would take the number of inputs from a shape whose first dimension is the
/// outputs, while ours has them last.
fn normal(gain: f32, inputs: usize) -> Init {
    match gain {
        0.0 => init::ZERO,
        _ => Init::Randn { mean: 0.0, stdev: f64::from(gain / (inputs as f32).sqrt()) },
    }
}

/// Returns a tensor of parameters, whose last dimension is the outputs and the others the inputs.
pub(crate) fn weights(shape: &[usize], gain: f32, name: &str, parameters: &VarBuilder<'_>) -> Result<Tensor> {
    let inputs = shape[..shape.len() - 1].iter().product();
    parameters.get_with_hints(shape, name, normal(gain, inputs))
}

/// Returns the weights and the bias of a layer: a dense one of the shape `[inputs × outputs]`, or a hexagonal
/// convolution of `[7 × inputs × outputs]`. The first tap of a convolution is the cell itself, the others its
/// neighbours in the order of [`hexzero_board::STEPS`].
pub(crate) fn layer(shape: &[usize], gain: f32, parameters: &VarBuilder<'_>) -> Result<Layer> {
    let weights = weights(shape, gain, "weight", parameters)?;
    Ok([weights, parameters.get_with_hints(shape[shape.len() - 1], "bias", init::ZERO)?])
}

/// A dense layer, `x · weights + bias`, as a module.
///
/// `candle_nn::Linear` is not used because checkpoints hold weights of the shape
/// `[inputs × outputs]`, not its transpose. Also, [`dense`] is faster on small layers and applies
/// bias and ReLU in the same pass.
#[derive(Debug, Clone)]
pub(crate) struct Dense {
    pub layer: Layer,
    pub relu: bool,
    /// Candle's operations compute the layer on the device of its parameters, instead of the kernels.
    pub on_device: bool,
}

impl Module for Dense {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        if self.on_device {
            return dense_on_device(x, &self.layer, self.relu);
        }
        let [weights, bias] = &self.layer;
        dense(x, weights, bias, self.relu)
    }
}
