//! The tower of the network and its heads over cells as one candle operation, by our kernels.

mod heads;
mod layers;
mod operation;
mod pool;

pub(in crate::network) use layers::TowerShape;
pub(in crate::network) use operation::Towers;
