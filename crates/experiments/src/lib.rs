//! Training runs looked at and compared.
//!
//! | module | contents |
//! |---|---|
//! | [`ladder`] | ratings of a run's checkpoints |
//! | [`report`] | charts, the page of their curves, and what the page that watches a run shows |
//! | [`experiment`] | recipes × seeds, trained and compared |

pub mod experiment;
pub mod ladder;
pub mod report;
