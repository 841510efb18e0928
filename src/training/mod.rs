//! From games to better checkpoints: samples, losses, optimiser, and the run that alternates self-play
//! and training, keeps its state and goes on where it stopped.

mod batch;
mod event_file;
mod game_statistics;
mod iteration_games;
mod iteration_report;
mod judgement;
mod learner;
mod loss;
mod loss_values;
mod optimiser;
mod progress;
mod recipe;
mod recorded_games;
mod run;
mod run_error;
mod run_folder;
mod run_log;
mod sample;
mod settings;
mod stage;
mod state;
mod step_parts;
mod targets;
mod trainer;
mod training_round;

pub use batch::Batch;
pub use event_file::EventFile;
pub use game_statistics::{GameStatistics, Lengths};
pub use iteration_report::IterationReport;
pub use judgement::{CALIBRATION_BINS, CalibrationBin, Judged, Judgement};
pub use learner::Learner;
pub use loss_values::{LossWeights, Losses};
pub use optimiser::{AdamW, AdamWSettings};
pub use progress::Progress;
pub use recipe::{Recipe, RecipeError};
pub use run::Run;
pub use run_error::RunError;
pub use run_folder::{RunFolder, RunFolderError, RunLock};
pub use run_log::Metrics;
pub use sample::{Sample, SearchValue};
pub use settings::TrainingSettings;
pub use stage::Stage;
pub use state::{Counters, TrainingState};
pub use step_parts::StepParts;
pub use trainer::Trainer;
