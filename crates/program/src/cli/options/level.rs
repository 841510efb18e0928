//! The playing strength of the engine, and the seed of its random choices.

use clap::Args;

use crate::error::CliError;
use hexzero_engine::Effort;
use hexzero_search::Level;

/// The level and the seed.
#[derive(Debug, Clone, Copy, Args)]
pub struct LevelArgs {
    /// The playing strength: newcomer, beginner, casual, intermediate, advanced, strong, expert or full. Levels below
    /// full search a fixed number of visits and choose moves partly at random
    #[arg(long, value_name = "NAME", default_value_t)]
    pub level: Level,
    /// Seed the engine's random choices, so that games can be repeated. Full strength chooses at random only among the
    /// best moves of the first two turns, and in GTP never: its games hardly differ by the seed
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
}

impl LevelArgs {
    /// Checks that no effort is given beside a level that has its own.
    pub fn check(&self, asked_for: Option<Effort>) -> Result<(), CliError> {
        if self.level.is_full() || asked_for.is_none() {
            return Ok(());
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
