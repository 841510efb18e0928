//! The network in training: optimiser, training steps, and the learner with its window of games.

mod device_moments;
mod learner;
mod optimiser;
mod trainer;
mod training_round;

pub use learner::Learner;
pub use optimiser::{AdamW, AdamWSettings};
pub use trainer::Trainer;
