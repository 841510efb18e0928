//! Helpers of the commands: interrupts, progress bars, proofs, tables, pages and files.

pub mod batch;
pub mod columns;
pub mod game_proofs;
pub mod interrupt;
pub mod json;
pub mod matches;
pub mod openings_picture;
pub mod output_files;
pub mod program;
pub mod proofs;
pub mod recorded;
pub mod review_page;
pub mod review_remarks;
pub mod standings;
pub mod training_progress;
