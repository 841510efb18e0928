//! Charts of a run, and the page that shows them.

mod axis;
pub mod chart;
mod curves;
mod elo;
pub mod numbers;
mod page;
mod reliability;
mod sample_games;

pub use page::RunPage;
