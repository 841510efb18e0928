//! From games to better checkpoints: examples, losses, optimiser, and the run that alternates self-play
//! and training, saves its state and resumes where it stopped.

mod examples;
mod folder;
mod learning;
mod loss;
mod metrics;
pub mod model_files;
mod recipe;
mod run;

pub use examples::{Batch, ExactTargets, SearchValue, StepParts};
pub use folder::{Counters, GameNumbers, RunFolder, RunFolderError, RunLock, TrainingState};
pub use learning::{Optimiser, OptimiserMethod, OptimiserSettings, Trainer};
pub use loss::{LossWeights, Losses};
pub use metrics::{
    CALIBRATION_BINS, CalibrationBin, EventFile, GameStatistics, IterationReport, Lengths, Metrics, PredictionQuality,
    RestartReport, SearchAndNetwork,
};
pub use recipe::{MAX_RECIPE_BYTES, overlay, with_suggestion};
pub use recipe::{Recipe, RecipeDifference, RecipeError, RecipeSource, Stage, TrainingSettings, built_in_recipe_names};
pub use run::{Changes, Limit, Machine, Progress, Run, RunError, Trained};
