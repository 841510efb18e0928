//! Checkpoints: safetensors files of named parameters with metadata, and the architecture they belong to.

mod architecture;
mod checkpoint;
mod checksum;
mod shapes;
mod tensors;

pub use architecture::{Architecture, ArchitectureError};
pub use checkpoint::{Checkpoint, CheckpointError, FORMAT_VERSION, LONGEST_CHECKPOINT, Metadata};
pub use shapes::CELL_CLASSES;
pub use tensors::{
    NamedTensors, TensorData, check_safetensors, read_safetensors, read_safetensors_text, write_safetensors,
};
