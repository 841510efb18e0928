//! The losses: one entry each in the list of terms, their values by name, their weighted sum.

mod terms;
mod total;
mod values;

pub(in crate::training) use total::{Shares, Totals, losses};
pub use values::{LossWeights, Losses};
