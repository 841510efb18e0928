//! Training examples: positions of recorded games with their targets, as batches of tensors.

mod batch;
mod sample;
mod step_parts;
mod targets;

pub use batch::Batch;
pub use sample::{Sample, SearchValue};
pub use step_parts::StepParts;
pub use targets::ExactTargets;
pub(crate) use targets::{CAPTURED_SOON, FAR_BOARD, NEAR_BOARD, WINNING_CHAIN};
