//! Training examples: positions of recorded games with their targets, as batches of tensors.

mod batch;
mod device_targets;
mod exact_targets;
mod sample;
mod step_parts;
mod targets;

pub use batch::Batch;
pub use exact_targets::ExactTargets;
pub use sample::{Sample, SearchValue};
pub use step_parts::StepParts;
pub(in crate::training) use targets::{CAPTURED_SOON, FAR_BOARD, NEAR_BOARD, WINNING_CHAIN};
