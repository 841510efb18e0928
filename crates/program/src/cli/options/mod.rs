//! Groups of options that commands share, and parsers of their values.

pub mod book;
#[cfg(feature = "cluster")]
pub mod broker_access;
pub mod device;
pub mod game;
pub mod machine;
#[cfg(not(feature = "cluster"))]
pub mod no_cluster;
pub mod recipe;
pub mod search;
pub mod strength;
#[cfg(feature = "cluster")]
mod train_cluster;
pub mod venue;

/// The options of `--cluster` for self-play; without the feature they are refused.
#[cfg(not(feature = "cluster"))]
pub use no_cluster::NoClusterOption as TrainClusterArgs;
#[cfg(feature = "cluster")]
pub use train_cluster::TrainClusterArgs;
