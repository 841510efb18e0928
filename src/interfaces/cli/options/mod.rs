//! Groups of options that commands share, and parsers of their values.

#[cfg(feature = "cluster")]
pub mod broker_access;
pub mod device;
pub mod effort;
pub mod game;
pub mod level;
pub mod machine;
#[cfg(not(feature = "cluster"))]
pub mod no_cluster;
pub mod recipe;
pub mod search;
#[cfg(feature = "cluster")]
pub mod train_cluster;
pub mod venue;
