//! A run: plays games and learns from them in turn, with every finished iteration on disk.

mod coordinator;
mod divergence;
mod games_under_way;
mod iteration;
mod iteration_games;
mod limit;
mod progress;
mod resumption;
mod run_error;

pub use coordinator::Run;
pub use limit::{Limit, Trained};
pub use progress::Progress;
pub use resumption::Changes;
pub use run_error::RunError;
