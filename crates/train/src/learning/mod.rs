//! The network in training: optimiser, training steps, and the learner with its window of games.

mod device_moments;
mod learner;
mod optimiser;
mod trainer;

pub(crate) use learner::Learner;
pub use optimiser::{AdamW, AdamWSettings};
pub use trainer::Trainer;
