//! How well the engine plays, and the seed of its random choices.

use clap::Args;

use crate::engine::Effort;
use crate::interfaces::error::CliError;
use crate::search::Level;

/// The level and the seed.
#[derive(Debug, Clone, Copy, Args)]
pub struct LevelArgs {
    /// How well the engine plays: newcomer, beginner, casual, intermediate, advanced, strong, expert or full.
    /// Below full strength it searches a number of visits of its own, and chooses its moves partly at random
    #[arg(long, value_name = "NAME", default_value_t)]
    pub level: Level,
    /// Seed the engine's random choices, so that they repeat
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
}

impl LevelArgs {
    /// Checks that no other limit on thinking was asked for beside that of a weaker level.
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

    /// The seed, drawn if none was given.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(rand::random)
    }
}
