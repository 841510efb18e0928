//! The policy and value network. Built from a game's [`crate::games::NetworkView`] and nothing else,
//! so that it never learns which game it serves.
//!
//! `kernels`, `batch`, `file` and `play` are all that play needs; they know nothing of candle. `graph`, `tower` and `device`
//! are the network in candle, for training and for cards (feature `learn`).

mod batch;
mod computing;
#[cfg(feature = "learn")]
mod device;
mod evaluator;
mod file;
#[cfg(feature = "learn")]
mod graph;
pub mod kernels;
mod play;
#[cfg(feature = "learn")]
mod tower;

pub use batch::TAPS;
pub use computing::Computing;
#[cfg(feature = "learn")]
pub use device::{Card, CardPrecision, CardPrecisionError, CardUse, ClassTargets, DeviceChoice, DeviceError, Segments};
pub use evaluator::NetworkEvaluator;
pub use file::{
    Architecture, ArchitectureError, CELL_CLASSES, Checkpoint, CheckpointError, FORMAT_VERSION, LONGEST_CHECKPOINT,
    Metadata, NamedTensors, TensorData, check_safetensors, read_safetensors, read_safetensors_text, write_safetensors,
};
#[cfg(feature = "learn")]
pub(crate) use graph::add_values;
#[cfg(feature = "learn")]
pub use graph::{
    Activation, Auxiliary, Boards, CELL_FORECASTS, Features, Heads, Network, NetworkInGraph, Parameters, SHORT_TERMS,
    UNKNOWN_CLASS, class_cross_entropy, dense, log_softmax_segments,
};
pub use kernels::{Precision, TrainingPrecision};
pub use play::{CacheUse, EvaluationCache, Inference, Workspace};
