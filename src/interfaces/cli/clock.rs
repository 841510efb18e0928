//! A clock for the whole game: the options of those who play.

use std::time::Duration;

use clap::Args;

use crate::search::TimeControl;

use super::search::seconds;

/// The time of a game.
#[derive(Debug, Clone, Copy, Args)]
pub struct ClockArgs {
    /// Give the engine this long for all its moves of a game together, in seconds
    #[arg(long, value_name = "SECONDS", conflicts_with_all = ["visits", "time"], allow_negative_numbers = true, value_parser = seconds)]
    game_time: Option<Duration>,
    /// Add this to its clock after each move (Fischer)
    #[arg(long, value_name = "SECONDS", requires = "game_time", conflicts_with_all = ["visits", "time"], allow_negative_numbers = true, value_parser = seconds)]
    increment: Option<Duration>,
    /// Go on thinking while the other side thinks
    #[arg(long)]
    pub ponder: bool,
}

impl ClockArgs {
    /// The time control that was asked for, if any was.
    pub fn control(&self) -> Option<TimeControl> {
        Some(TimeControl::whole_game(self.game_time?, self.increment.unwrap_or_default()))
    }
}
