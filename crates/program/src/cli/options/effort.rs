//! Thinking time of the engine.

use std::time::Duration;

use clap::Args;

use hexzero_engine::Effort;
use hexzero_search::{Limits, TimeControl};

use super::search::seconds;

/// Thinking time of the engine.
#[derive(Debug, Clone, Copy, Args)]
pub struct EffortArgs {
    /// Think for SECONDS a move, such as 0.5; less if the move is clear (default: 1)
    #[arg(long, visible_alias = "seconds", value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    time: Option<Duration>,
    /// Search V visits a move instead
    #[arg(long, value_name = "V", conflicts_with = "time", value_parser = clap::value_parser!(u32).range(1..=i64::from(Limits::MAX_VISITS)))]
    visits: Option<u32>,
    /// Give the engine SECONDS for all its moves of a game
    #[arg(long, value_name = "SECONDS", conflicts_with_all = ["visits", "time"], allow_negative_numbers = true, value_parser = seconds)]
    game_time: Option<Duration>,
    /// Add SECONDS to the engine's clock after each of its moves (Fischer clock)
    #[arg(long, value_name = "SECONDS", requires = "game_time", conflicts_with_all = ["visits", "time"], allow_negative_numbers = true, value_parser = seconds)]
    increment: Option<Duration>,
    /// Think on the opponent's time too
    #[arg(long)]
    pub ponder: bool,
}

impl EffortArgs {
    /// Returns the effort given, if any.
    pub fn asked_for(&self) -> Option<Effort> {
        let clock = |main| Effort::Clock(TimeControl::whole_game(main, self.increment.unwrap_or_default()));
        let by_move = self.visits.map(Effort::Visits).or(self.time.map(Effort::Time));
        by_move.or(self.game_time.map(clock))
    }
}
