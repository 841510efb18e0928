//! Games that a network plays against itself, to learn from.

mod game;
mod opening;
mod pool;
mod resignation;
mod settings;
mod source;

pub use game::play_game;
pub use opening::Opening;
pub use pool::{Pool, game_seed};
pub use resignation::{Resignation, ResignationCheck};
pub use settings::{SelfPlaySettings, SizeWeight, Temperature};
pub use source::{GameOrder, GameSource, LocalGames, PlayedGames};
