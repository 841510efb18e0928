//! The network for play, without candle: packed weights, a workspace a thread, and a cache of evaluations.

mod evaluation_cache;
mod inference;

pub use evaluation_cache::{CacheUse, EvaluationCache};
pub use inference::{Inference, Workspace};
