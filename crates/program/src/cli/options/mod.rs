//! Groups of options that commands share, and parsers of their values.

mod book;
#[cfg(feature = "cluster")]
mod broker_access;
mod device;
mod game;
mod machine;
#[cfg(not(feature = "cluster"))]
mod no_cluster;
mod recipe;
mod search;
mod strength;
#[cfg(feature = "cluster")]
mod train_cluster;
mod venue;

pub use book::BookArgs;
#[cfg(feature = "cluster")]
pub use broker_access::{BrokerAccessArgs, BrokerArgs};
pub use device::DeviceArgs;
pub use game::{GameArg, board_size, game_of_players, match_size, one_of, size_for};
pub use machine::{MachineArgs, bytes_of, solving, thread_count, threads_or_cores, worker_count};
/// The options of `--cluster` for self-play are refused without the feature.
#[cfg(not(feature = "cluster"))]
pub use no_cluster::{NoClusterArgs, NoClusterOption, NoClusterOption as TrainClusterArgs};
pub use recipe::RecipeArgs;
pub use search::{SearchArgs, seconds, visit_count};
pub use strength::StrengthArgs;
#[cfg(feature = "cluster")]
pub use train_cluster::TrainClusterArgs;
pub use venue::VenueArgs;
