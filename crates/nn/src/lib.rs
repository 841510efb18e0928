//! Networks for play, built from a game's [`hexzero_games::NetworkView`] alone: a network never learns which game it
//! serves. No candle: the crate builds for WebAssembly.
//!
//! | module | contents |
//! |---|---|
//! | [`kernels`] | the operations of a network by SIMD, and their dispatch |
//! | `architecture` | the shape of a network |
//! | `checkpoint` | files of named parameters with metadata |
//! | `tensors` | named arrays, safetensors files |
//! | `inference` | packed weights that evaluate without allocation |
//! | `evaluation_cache` | evaluations of positions that were reached before |
//! | `evaluator` | evaluates the positions of a game |
//! | `opinion` | what a network thinks of a position, for people |
//! | `backend` | evaluates on the CPU or on a device |

mod architecture;
mod backend;
mod cell_order;
mod checkpoint;
mod checksum;
mod evaluation_cache;
mod evaluator;
mod inference;
pub mod kernels;
mod opinion;
mod tensors;

pub use architecture::{
    Architecture, ArchitectureError, CELL_CLASSES, LAST_VERSION_WITH_RETIRED, RETIRED, without_reply,
};
pub use backend::{Backend, Device, DeviceEvaluator, DeviceStats};
pub use cell_order::{CellOrder, TAPS};
pub use checkpoint::{Checkpoint, CheckpointError, FORMAT_VERSION, MAX_CHECKPOINT_BYTES, Metadata};
pub use evaluation_cache::{CacheUse, EvaluationCache};
pub use evaluator::NetworkEvaluator;
pub use inference::{Inference, Stage, Workspace};
pub use kernels::{Precision, TrainingPrecision};
pub use opinion::{Opinion, first_place};
pub use tensors::{
    NamedTensors, TensorData, check_safetensors, read_safetensors, read_safetensors_text, write_safetensors,
};
