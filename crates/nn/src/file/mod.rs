//! Checkpoints: safetensors files of named parameters with metadata, and the architecture they
//! belong to.

mod architecture;
mod checkpoint;
mod checksum;
mod tensors;

pub use architecture::{Architecture, ArchitectureError, CELL_CLASSES};
pub use checkpoint::{Checkpoint, CheckpointError, FORMAT_VERSION, MAX_CHECKPOINT_BYTES, Metadata};
pub use tensors::{
    NamedTensors, TensorData, check_safetensors, read_safetensors, read_safetensors_text, write_safetensors,
};
