//! Exports a network: as ONNX, as a player that needs only NumPy, and with samples of its outputs.

mod arrays;
mod error;
mod numpy_player;
mod onnx;
mod onnx_graph;
mod onnx_messages;
mod rows;
mod samples;

pub use arrays::{Array, write_arrays};
pub use error::ExportError;
pub use numpy_player::write_numpy_player;
pub use onnx::onnx_model;
pub use samples::{Sampling, samples};
