//! How well the engine plays, and what decides where it chooses by chance.

use clap::Args;

use crate::search::Level;

/// The level and the seed.
#[derive(Debug, Clone, Copy, Args)]
pub struct LevelArgs {
    /// How well the engine plays: newcomer, beginner, casual, intermediate, advanced, strong, expert or full.
    /// Below full strength it looks at a few positions only and chooses by chance among its moves
    #[arg(long, value_name = "NAME", default_value_t)]
    pub level: Level,
    /// Makes the engine choose the same way each time where it chooses by chance
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
}

impl LevelArgs {
    /// The seed, drawn if none was given.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(rand::random)
    }
}
