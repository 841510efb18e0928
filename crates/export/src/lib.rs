//! Exports a network: as ONNX, as a player that needs only NumPy, and with samples of its outputs.

mod error;
mod numpy;
mod onnx;
mod onnx_graph;
mod onnx_messages;
mod samples;

pub use error::ExportError;
pub use numpy::write_numpy_player;
pub use onnx::onnx_model;
pub use samples::{Sampling, samples};
