//! The policy and value network. Built from a game's [`crate::games::NetworkView`] and nothing else,
//! so that it never learns which game it serves.

mod architecture;
mod auxiliary;
mod boards;
mod cell_order;
mod checkpoint;
mod checksum;
mod classes;
mod device;
mod elementwise;
mod evaluation_cache;
mod evaluator;
mod inference;
pub mod kernels;
mod layers;
mod many_arguments;
mod model;
mod modules;
mod parameters;
mod segments;
mod tensors;
mod tower;
mod tower_heads;
mod tower_operation;
mod tower_pool;

pub use architecture::{Architecture, ArchitectureError};
pub use auxiliary::{Auxiliary, CELL_FORECASTS, SHORT_TERMS};
pub use boards::{Boards, TAPS};
pub use checkpoint::{Checkpoint, CheckpointError, FORMAT_VERSION, Metadata};
pub use classes::{CELL_CLASSES, UNKNOWN_CLASS, class_cross_entropy};
pub use device::{
    Card, CardPrecision, CardPrecisionError, CardUse, ClassTargets, Computing, DeviceChoice, DeviceError, Segments,
};
pub use evaluation_cache::{CacheUse, EvaluationCache};
pub use evaluator::NetworkEvaluator;
pub use inference::{Inference, Workspace};
pub use kernels::{Precision, TrainingPrecision};
pub use layers::{Activation, dense};
pub use model::{Features, Heads, Network, NetworkInGraph};
pub use parameters::Parameters;
pub use segments::log_softmax_segments;
pub(crate) use tensors::add_values;
pub use tensors::{
    NamedTensors, TensorData, check_safetensors, read_safetensors, read_safetensors_text, write_safetensors,
};
