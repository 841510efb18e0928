//! Networks on other devices than our kernels', by candle's operations: cards, and for checks the processor.

mod any_device;
mod boards;
mod choice;
mod computing;
mod gathering;
mod operations;
mod segments;
mod tower;

use candle_core::{Result, Tensor};

use crate::network::graph::Activation;

pub(in crate::network) use boards::DeviceBoards;
pub(in crate::network) use choice::first_line;
pub use choice::{DeviceChoice, DeviceError};
pub use computing::{Card, CardPrecision, CardPrecisionError};
pub(in crate::network) use gathering::CardEvaluator;
pub use gathering::CardUse;
pub use segments::{ClassTargets, Segments};
pub(in crate::network) use tower::{BlockLayers, TowerLayers};

/// Applies a dense layer on the device of its parameters.
pub(super) fn dense_on_device(x: &Tensor, weights: &Tensor, bias: &Tensor, then: Activation) -> Result<Tensor> {
    let sums = operations::with_bias(&operations::matmul(x, weights)?, bias)?;
    match then {
        Activation::Linear => Ok(sums),
        Activation::Relu => operations::relu(&sums),
    }
}
