//! Figures of an iteration, and the logs that keep them.

mod event_file;
mod game_statistics;
mod iteration_report;
mod prediction_quality;
mod run_log;

pub use event_file::EventFile;
pub use game_statistics::{GameStatistics, Lengths};
pub use iteration_report::IterationReport;
pub use prediction_quality::{CALIBRATION_BINS, CalibrationBin, PredictionQuality, SearchAndNetwork};
pub use run_log::Metrics;
pub(in crate::training) use run_log::{RunLog, metrics_line};
