//! What a run looks like: charts, and the page that shows a run.

mod axis;
pub mod chart;
