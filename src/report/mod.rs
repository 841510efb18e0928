//! Charts of a run, and the page that shows them.

mod axis;
pub mod chart;
mod curves;
mod elo;
mod page;
mod reliability;
mod sample_games;
mod words;

pub use page::RunPage;
pub use words::{Words, WordsError};
