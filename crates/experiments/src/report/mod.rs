//! Charts of runs, the page that shows a run, and the page that compares several.

mod axis;
pub mod chart;
mod comparison;
mod curves;
mod elo;
pub mod numbers;
mod page;
mod reliability;
mod sample_games;

pub use comparison::{Compared, ComparisonPage};
pub use elo::ratings_chart;
pub use page::RunPage;
