//! Training runs looked at and compared.
//!
//! | module | contents |
//! |---|---|
//! | [`ladder`] | ratings of a run's checkpoints |
//! | [`report`] | charts, and the page about a run |
//! | [`experiment`] | recipes × seeds, trained and compared |

pub mod experiment;
pub mod ladder;
pub mod report;
