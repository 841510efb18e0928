//! Games that a network plays against itself, to learn from.

mod check;
mod game;
mod opening;
mod resignation;
mod restarts;
mod settings;
pub mod shards;
mod source;
mod starts;

pub use check::{ImpossibleGame, check_game};
pub use game::{GameId, game_seed, play_game, play_numbered, surprise};
pub use opening::OpeningSettings;
pub use resignation::{Resignation, ResignationCheck};
pub use restarts::{Restart, RestartBuffer};
pub use settings::{SelfPlaySettings, SizeWeight, Temperature};
pub use source::{
    GameOrder, GameSink, GameSource, GameSourceError, KeepGames, LocalGames, PlayedGames, Pool, SelfPlayJob,
    StreamOrder, games_at_once,
};
pub use starts::{Start, Starts};
