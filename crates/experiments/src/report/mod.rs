//! Charts of runs, the page of their curves, and what the page that watches a run shows.

mod axis;
pub mod chart;
mod comparison;
mod curves;
mod elo;
mod history;
pub mod numbers;
mod reliability;
mod sample_games;

pub use comparison::{Compared, ComparisonPage};
pub use elo::ratings_chart;
pub use history::RunHistory;
