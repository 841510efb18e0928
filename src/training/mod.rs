//! From games to better checkpoints: samples, losses, optimiser, and the run that alternates self-play
//! and training, keeps its state and goes on where it stopped.

mod iteration_games;
mod loss;
mod optimiser;
mod recipe;
mod run;
mod run_folder;
mod sample;
mod settings;
mod stage;
mod state;
mod step_parts;
mod trainer;

pub use loss::{LossWeights, Losses};
pub use optimiser::{AdamW, AdamWSettings};
pub use recipe::{Recipe, RecipeError};
pub use run::{IterationReport, Progress, Run, RunError};
pub use run_folder::{RunFolder, RunFolderError, RunLock};
pub use sample::{Batch, Sample};
pub use settings::TrainingSettings;
pub use stage::Stage;
pub use state::{Counters, TrainingState};
pub use step_parts::StepParts;
pub use trainer::Trainer;
