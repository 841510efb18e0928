//! Networks for play: checkpoints, kernels, inference, the evaluation cache. Built from a game's [`hexzero_games::NetworkView`] and
//! nothing else, so that a network never learns which game it serves. No candle: the crate builds for WebAssembly.
//!
//! | module | contents |
//! |---|---|
//! | [`kernels`] | the operations of a network by SIMD, and their dispatch |
//! | `file` | architecture, checkpoints, safetensors |
//! | `inference` | packed weights that evaluate without allocation |
//! | `evaluation_cache` | evaluations of positions that were reached before |
//! | `evaluator` | evaluates the positions of a game |
//! | `backend` | evaluates on the CPU or on a device |

mod backend;
mod cell_order;
mod evaluation_cache;
mod evaluator;
mod file;
mod inference;
pub mod kernels;

pub use backend::{Backend, Device, DeviceEvaluator, DeviceStats};
pub use cell_order::{CellOrder, TAPS};
pub use evaluation_cache::{CacheUse, EvaluationCache};
pub use evaluator::NetworkEvaluator;
pub use file::{
    Architecture, ArchitectureError, CELL_CLASSES, Checkpoint, CheckpointError, FORMAT_VERSION, MAX_CHECKPOINT_BYTES,
    Metadata, NamedTensors, TensorData, check_safetensors, read_safetensors, read_safetensors_text, write_safetensors,
};
pub use inference::{Inference, Workspace};
pub use kernels::{Precision, TrainingPrecision};
