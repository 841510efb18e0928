//! Experiments: several recipes, each trained with several seeds, and how the networks compare.
//!
//! | file | subject |
//! |---|---|
//! | `plan.rs` | the experiment's file: [`Plan`] |
//! | `folder.rs` | what is kept on disk: [`ExperimentFolder`] |
//! | `conduct.rs` | [`Experiment`]: trains and plays what is missing |
//! | `findings.rs` | [`Findings`]: the results with their intervals over the seeds |
//! | `tables.rs` | the findings as Markdown and as a page |

mod conduct;
mod findings;
mod folder;
mod plan;
mod tables;

pub use conduct::{Experiment, ExperimentError, ExperimentProgress, Left, Machines};
pub use findings::{Estimate, Findings, FoundCell, MatchResult, Measured, TrainedRun};
pub use folder::ExperimentFolder;
pub use plan::{BASE, Cell, MatchPlan, Plan, PlanError, RunLimit};
