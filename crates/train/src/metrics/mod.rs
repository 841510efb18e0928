//! Figures of an iteration, and the logs that keep them.

mod event_file;
mod game_statistics;
mod iteration_report;
mod prediction_quality;

pub use event_file::EventFile;
pub use game_statistics::{GameStatistics, Lengths};
pub use iteration_report::{IterationReport, Metrics};
pub(crate) use iteration_report::{RunLog, metrics_line};
pub use prediction_quality::{CALIBRATION_BINS, CalibrationBin, PredictionQuality, SearchAndNetwork};
