//! How well the engine plays, and the seed of its random choices.

use clap::Args;

use crate::search::Level;

/// The level and the seed.
#[derive(Debug, Clone, Copy, Args)]
pub struct LevelArgs {
    /// How well the engine plays: newcomer, beginner, casual, intermediate, advanced, strong, expert or full.
    /// Below full strength it searches a few visits, whatever other options say, and chooses its moves partly at random
    #[arg(long, value_name = "NAME", default_value_t)]
    pub level: Level,
    /// Seed the engine's random choices, so that they repeat
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
}

impl LevelArgs {
    /// The seed, drawn if none was given.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(rand::random)
    }
}
