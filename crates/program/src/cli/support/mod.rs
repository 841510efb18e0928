//! Helpers of the commands: interrupts, progress bars, proofs, tables, pages and files.

pub mod batch;
mod columns;
mod game_proofs;
mod interrupt;
mod json;
mod matches;
pub mod openings_picture;
mod output_files;
mod program;
mod proofs;
pub mod recorded;
pub mod review_page;
mod review_remarks;
mod standings;
mod training_progress;

pub use columns::columns;
pub use game_proofs::{Found, GameOpenings, GameProof};
pub use interrupt::interrupted;
pub use json::{print_result, write_json};
pub use matches::{advance, bar_of, games_bar, play_with_progress, summary};
pub use output_files::{check_creatable, open_games, svg_file, write_file};
pub use program::{PROGRAM, named, program_name};
pub use proofs::{Proof, ProofWatch, Stop, restore_table, save_table};
pub use review_remarks::remarks;
pub use standings::Report;
pub use training_progress::TrainingProgress;
