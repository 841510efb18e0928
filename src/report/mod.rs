//! What a run looks like: charts, and the page that shows a run.

mod axis;
pub mod chart;
mod curves;
mod elo;
mod page;
mod reliability;
mod sample_games;

pub use page::RunPage;
