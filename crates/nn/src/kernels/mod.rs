//! The arithmetic of the network: gathered matrix products, from one source for every instruction
//! set.
//!
//! All tensors are channels last: a tensor over cells is `[cells × channels]`. A *tap* is an input
//! row that a cell reads: a hexagonal convolution has seven (the cell itself and its neighbours in
//! the order of [`hexzero_board::STEPS`]), a dense layer has one. A tap off the board reads zeros.
//! Weights are `[taps × inputs × outputs]`.
//!
//! The kernel keeps a tile of cells × outputs in registers while it loops over taps and inputs: for
//! each input channel it loads the weights of the tile's outputs once, and multiplies them with one
//! broadcast input of each cell. [`Kernel`] names the instruction set; all of them run the same generic
//! code over the vectors of `lanes`. Where the processor has a tile unit, `tiles` multiplies bytes and
//! bf16: on boards that can be laid `flat` it reads the inputs of a cell in place, on others it gathers
//! them first. Evaluation multiplies floats or bytes ([`Precision`]), training floats or pairs of bf16
//! ([`TrainingPrecision`]).

mod activations;
mod dispatch;
mod flat;
mod gradient;
mod kernel;
mod lanes;
mod layer;
#[cfg(target_arch = "aarch64")]
mod neon;
mod operand;
mod operations;
mod packed;
mod panels;
mod portable;
mod precision;
mod quantise;
mod rows;
mod sparse;
mod taps;
#[cfg(test)]
mod tests;
mod tile;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, unused_imports))]
mod tiles;
#[cfg(target_feature = "simd128")]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use activations::{Activations, Aligned};
pub use gradient::Gathered;
pub use kernel::{KERNEL_VARIABLE, Kernel, KernelError};
pub use lanes::OUTPUT_MULTIPLE;
pub use layer::{Layer, LayerWeights, PackedWeights};
pub use operand::{Operand, pack};
pub(crate) use operations::{add_to_rows, pool_rows};
pub use operations::{add_weight_gradient, relu_gradient};
pub use packed::{Finish, PackedLayer};
pub use panels::NO_TAP;
pub use precision::{
    PRECISION_VARIABLE, Precision, PrecisionError, TRAINING_PRECISION_VARIABLE, TrainingPrecision,
    TrainingPrecisionError,
};
pub use quantise::Quantised;
pub use rows::ReluGradientJob;
pub use sparse::KnownRows;
pub use taps::Taps;
