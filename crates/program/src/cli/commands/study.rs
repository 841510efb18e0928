//! `hexzero study`: what a model teaches about a game.

use clap::Subcommand;

use super::balanced::BalancedArgs;
use super::openings::OpeningsArgs;
use super::puzzles::PuzzlesArgs;
use crate::error::CliError;

/// Make openings and puzzles with a model.
#[derive(Debug, Subcommand)]
pub enum StudyCommand {
    Openings(OpeningsArgs),
    Puzzles(PuzzlesArgs),
    Balanced(BalancedArgs),
}

impl StudyCommand {
    /// Makes what is asked for.
    pub fn run(self) -> Result<(), CliError> {
        match self {
            Self::Openings(args) => args.run(),
            Self::Puzzles(args) => args.run(),
            Self::Balanced(args) => args.run(),
        }
    }
}
