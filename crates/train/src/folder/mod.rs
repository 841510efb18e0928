//! The folder of a run: where its files are, the saved state, the games of finished iterations.

mod games;
mod run_folder;
mod run_lock;
mod state;

pub use games::GameNumbers;
pub(crate) use games::{games_of_iteration, latest_games};
pub use run_folder::{RunFolder, RunFolderError};
pub use run_lock::RunLock;
pub use state::{Counters, TrainingState};
