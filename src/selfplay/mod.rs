//! Games that a network plays against itself, to learn from.

mod game;
mod pool;
mod settings;

pub use game::play_game;
pub use pool::{Pool, game_seed};
pub use settings::{SelfPlaySettings, SizeWeight, Temperature};
