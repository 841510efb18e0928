//! `hexzero arena`.

use std::path::PathBuf;

use clap::Args;

use crate::interfaces::error::CliError;

use super::search::SearchArgs;

const EXAMPLES: &str = "\
Players:
  FILE               a checkpoint
  shipped            the model that ships with the program
  random             any legal move
  alphabeta[:DEPTH]  alpha-beta search over the shortest connection
  mcts[:PLAYOUTS]    tree search with random playouts

Examples:
  hexzero arena shipped alphabeta:3
  hexzero arena runs/a/checkpoints/last.safetensors shipped --size 7 --games 200
  hexzero arena mcts:1000 random --json";

/// Let two players play a match and give the difference in Elo with its 95 % interval.
///
/// Each opening is played twice with colours exchanged. The match stops early once a sequential
/// test has settled which player is better, unless told otherwise.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ArenaArgs {
    /// The one player
    #[arg(value_name = "A")]
    pub a: String,
    /// The other player
    #[arg(value_name = "B")]
    pub b: String,
    /// The board's side, from 3 to 15
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub size: usize,
    /// The number of games, at most
    #[arg(long, value_name = "G", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// How long a player that searches thinks.
    #[command(flatten)]
    pub search: SearchArgs,
    /// End with the result as one JSON object on a line
    #[arg(long)]
    pub json: bool,
    /// The seed of the openings and of the players
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Write the games to this file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Games at the same time (default: one a core)
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Play all games, even when the result is settled
    #[arg(long)]
    pub no_early_stop: bool,
}

impl ArenaArgs {
    /// Plays the match and reports.
    pub(super) fn run(self) -> Result<(), CliError> {
        Err(CliError::NotBuilt("the arena"))
    }
}
