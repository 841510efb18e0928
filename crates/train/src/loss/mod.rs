//! The losses: one entry each in the list of terms, their values by name, their weighted sum.

mod terms;
mod values;

pub(crate) use terms::{Shares, Totals, losses};
pub use values::{LossWeights, Losses};
