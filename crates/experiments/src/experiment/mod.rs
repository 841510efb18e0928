//! Experiments: several recipes, each trained with several seeds, and how the networks compare.
//!
//! | file | subject |
//! |---|---|
//! | `plan.rs` | the experiment, read and checked: [`Plan`] |
//! | `file.rs`, `limit.rs` | the keys of its file |
//! | `folder.rs` | what is kept on disk: [`ExperimentFolder`] |
//! | `conduct.rs` | [`Experiment`]: trains and plays what is missing |
//! | `findings.rs` | [`Findings`]: the results with their intervals over the seeds |
//! | `tables.rs` | the findings as Markdown and as a page |

mod conduct;
mod file;
mod findings;
mod folder;
mod limit;
mod plan;
mod tables;

pub use conduct::{Experiment, ExperimentError, ExperimentProgress, Left, Machines};
pub use findings::{Estimate, Findings, FoundCell, MatchResult, Measured, TrainedRun};
pub use folder::ExperimentFolder;
pub use limit::RunLimit;
pub use plan::{BASE, Cell, MatchPlan, Plan, PlanError};
