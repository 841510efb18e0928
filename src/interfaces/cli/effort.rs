//! How long the engine thinks about its moves: options of the commands that play.

use std::time::Duration;

use clap::Args;

use crate::engine::Effort;
use crate::search::{Limits, TimeControl};

use super::search::seconds;

/// How long the engine thinks about its moves.
#[derive(Debug, Clone, Copy, Args)]
pub struct EffortArgs {
    /// Think about each move for SECONDS, such as 0.5; less if the move is certain (default: 1)
    #[arg(long, visible_alias = "seconds", value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    time: Option<Duration>,
    /// Search V visits for each move instead
    #[arg(long, value_name = "V", conflicts_with = "time", value_parser = clap::value_parser!(u32).range(1..=i64::from(Limits::MOST_VISITS)))]
    visits: Option<u32>,
    /// Give the engine SECONDS for all its moves of a game together
    #[arg(long, value_name = "SECONDS", conflicts_with_all = ["visits", "time"], allow_negative_numbers = true, value_parser = seconds)]
    game_time: Option<Duration>,
    /// Add SECONDS to its clock after each move (Fischer)
    #[arg(long, value_name = "SECONDS", requires = "game_time", conflicts_with_all = ["visits", "time"], allow_negative_numbers = true, value_parser = seconds)]
    increment: Option<Duration>,
    /// Keep thinking while the opponent thinks
    #[arg(long)]
    pub ponder: bool,
}

impl EffortArgs {
    /// Returns the limits given, if any.
    pub fn asked_for(&self) -> Option<Effort> {
        let clock = |main| Effort::Clock(TimeControl::whole_game(main, self.increment.unwrap_or_default()));
        let by_move = self.visits.map(Effort::Visits).or(self.time.map(Effort::Time));
        by_move.or(self.game_time.map(clock))
    }
}
