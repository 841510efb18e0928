//! The playing strength of the engine: its level, its thinking time, and the seed of its random choices.

use std::time::Duration;

use clap::Args;

use crate::error::CliError;
use hexzero_engine::Effort;
use hexzero_search::{Level, TimeControl};

use super::search::{seconds, visit_count};

/// The level, the seed and the thinking time.
#[derive(Debug, Clone, Copy, Args)]
pub struct StrengthArgs {
    /// The playing strength: newcomer, beginner, casual, intermediate, advanced, strong, expert or full. Levels below
    /// full search a fixed number of visits and choose moves partly at random
    #[arg(long, value_name = "NAME", default_value_t)]
    pub level: Level,
    /// Seed the engine's random choices, so that games can be repeated. Full strength chooses at random only among the
    /// best moves of the first two turns, and in GTP never: its games hardly differ by the seed
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// Think for SECONDS a move, such as 0.5; less if the move is clear (default: 1)
    #[arg(long, visible_alias = "seconds", value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    time: Option<Duration>,
    /// Search V visits a move instead
    #[arg(long, value_name = "V", conflicts_with = "time", value_parser = visit_count())]
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

impl StrengthArgs {
    /// Returns the effort given, if any.
    ///
    /// # Errors
    /// If one is given beside a level that has its own.
    pub fn effort(&self) -> Result<Option<Effort>, CliError> {
        let clock = |main| Effort::Clock(TimeControl::whole_game(main, self.increment.unwrap_or_default()));
        let by_move = self.visits.map(Effort::Visits).or(self.time.map(Effort::Time));
        let effort = by_move.or(self.game_time.map(clock));
        if self.level.is_full() || effort.is_none() {
            return Ok(effort);
        }
        Err(CliError::Usage(format!(
            "level {} has a limit on thinking of its own: leave out --visits, --time (--seconds), --game-time and \
             --increment, or --level",
            self.level
        )))
    }

    /// Returns the seed given, else a random one.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(rand::random)
    }
}
