//! A run: plays games and learns from them in turn, with every finished iteration on disk.

mod coordinator;
mod errors;
mod games_under_way;
mod iteration;
mod iteration_games;
mod resumption;
mod training;

pub use coordinator::Run;
pub use errors::RunError;
pub use resumption::Changes;
pub use training::{Limit, Machine, Progress, Trained};
