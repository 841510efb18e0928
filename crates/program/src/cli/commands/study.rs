//! `hexzero study`: what a model teaches about a game.

use clap::{Args, Subcommand};

use super::balanced::BalancedArgs;
use super::openings::OpeningsArgs;
use super::puzzles::PuzzlesArgs;
use crate::error::CliError;

/// Make openings and puzzles with a model.
#[derive(Debug, Args)]
pub struct StudyArgs {
    #[command(subcommand)]
    command: StudyCommand,
}

#[derive(Debug, Subcommand)]
enum StudyCommand {
    Openings(OpeningsArgs),
    Puzzles(PuzzlesArgs),
    Balanced(BalancedArgs),
}

impl StudyArgs {
    /// Makes what is asked for.
    pub fn run(self) -> Result<(), CliError> {
        match self.command {
            StudyCommand::Openings(args) => args.run(),
            StudyCommand::Puzzles(args) => args.run(),
            StudyCommand::Balanced(args) => args.run(),
        }
    }
}
