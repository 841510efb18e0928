//! The network as a candle graph: training computes its gradients, and it is the reference of [`super::Inference`].

mod auxiliary;
mod boards;
mod classes;
mod elementwise;
mod layers;
mod many_arguments;
mod model;
mod modules;
mod parameters;
mod segments;
mod storage;

pub use auxiliary::{Auxiliary, CELL_FORECASTS, SHORT_TERMS};
pub use boards::Boards;
pub use classes::{UNKNOWN_CLASS, class_cross_entropy};
pub(in crate::network) use elementwise::add_rows;
pub use layers::{Activation, dense};
pub(in crate::network) use layers::{padded, resized};
pub(in crate::network) use many_arguments::{Arguments, Operation};
pub use model::{Features, Heads, Network, NetworkInGraph};
pub use parameters::Parameters;
pub use segments::log_softmax_segments;
pub(crate) use storage::add_values;
pub(in crate::network) use storage::f32_slice;
