//! The network as a candle graph, for computing gradients in training and as the reference of
//! [`hexzero_nn::Inference`].

mod boards;
mod classes;
mod device;
mod growth;
mod in_graph;
mod layers;
mod many_arguments;
mod model;
mod modules;
mod parameters;
mod segments;
mod storage;
mod tower;

pub use boards::Boards;
pub use classes::{UNKNOWN_CLASS, class_cross_entropy};
pub use device::{
    CandleDevice, ClassTargets, DeviceChoice, DeviceError, DevicePrecision, DevicePrecisionError, Segments,
};
pub use growth::grown;
pub use in_graph::NetworkInGraph;
pub use layers::dense;
pub(crate) use layers::{padded, resized};
pub(crate) use many_arguments::{Arguments, Operation};
pub use model::{Heads, Network};
pub use parameters::Parameters;
pub use segments::{SegmentTargets, log_softmax_segments, segment_cross_entropy};
pub(crate) use storage::{add_rows, with_floats};
pub use storage::{add_values, tensor_data};
