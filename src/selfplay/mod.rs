//! Games that a network plays against itself, to learn from.

mod check;
mod game;
mod opening;
mod pool;
mod resignation;
mod settings;
mod source;

pub use check::{ImpossibleGame, check_game};
#[cfg(feature = "cluster")]
pub(crate) use game::surprise;
pub use game::{game_seed, play_game, play_numbered};
pub use opening::OpeningSettings;
pub use pool::{Pool, games_at_once};
pub use resignation::{Resignation, ResignationCheck};
pub use settings::{SelfPlaySettings, SizeWeight, Temperature};
pub use source::{GameOrder, GameSink, GameSource, GameSourceError, KeepGames, LocalGames, PlayedGames, StreamOrder};
