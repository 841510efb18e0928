//! The rows of a batch: the order of its cells, and the rows that each of them reads.

mod cell_order;
mod taps;

pub(in crate::network) use cell_order::CellOrder;
pub use taps::TAPS;
