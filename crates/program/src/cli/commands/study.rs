//! `hexzero study`: what a model teaches about a game.

use clap::{Args, Subcommand};

use super::openings::OpeningsArgs;
use super::puzzles::PuzzlesArgs;
use crate::error::CliError;

/// Make opening maps and puzzles with a model.
#[derive(Debug, Args)]
pub struct StudyArgs {
    #[command(subcommand)]
    command: StudyCommand,
}

#[derive(Debug, Subcommand)]
enum StudyCommand {
    Openings(OpeningsArgs),
    Puzzles(PuzzlesArgs),
}

impl StudyArgs {
    /// Makes what is asked for.
    pub fn run(self) -> Result<(), CliError> {
        match self.command {
            StudyCommand::Openings(args) => args.run(),
            StudyCommand::Puzzles(args) => args.run(),
        }
    }
}
