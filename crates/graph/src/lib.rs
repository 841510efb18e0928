//! The network as a candle graph, for computing gradients in training and as the reference of
//! [`hexzero_nn::Inference`].

mod auxiliary;
mod boards;
mod classes;
mod device;
mod layers;
mod many_arguments;
mod model;
mod modules;
mod parameters;
mod segments;
mod storage;
mod tower;

pub use auxiliary::{Auxiliary, CELL_FORECASTS, SHORT_TERMS};
pub use boards::Boards;
pub use classes::{UNKNOWN_CLASS, class_cross_entropy};
pub use device::{
    CandleDevice, ClassTargets, DeviceChoice, DeviceError, DevicePrecision, DevicePrecisionError, Segments,
};
pub use layers::{Activation, dense};
pub(crate) use layers::{padded, resized};
pub(crate) use many_arguments::{Arguments, Operation};
pub use model::{Features, Heads, Network, NetworkInGraph};
pub use parameters::Parameters;
pub use segments::log_softmax_segments;
pub(crate) use storage::{add_rows, f32_slice};
pub use storage::{add_values, candle_tensor, tensor_data};
