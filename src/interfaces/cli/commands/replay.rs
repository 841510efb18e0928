//! `hexzero replay`.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::interfaces::error::CliError;
use crate::replay::{GameForm, InterchangeError, ReplayOptions, replays, rewritten};

const EXAMPLES: &str = "\
A file holds games as JSON lines, in SGF, or as HexWorld links, one a line. --to keeps variations
and comments, except in HexWorld links, which hold the main line only. A JSON line such as
  {\"game\":\"cachex\",\"size\":5,\"moves\":[\"d2\",\"swap\",\"c4\"]}
gives one line such as
  {\"game\":\"cachex\",\"size\":5,\"turns\":3,\"result\":null,\"reason\":null}
where result is the winner's name, \"draw\", or null while the game goes on, and reason is one of
the game's endings ('hexzero games --json' lists them), \"resignation\", or null.

Examples:
  hexzero replay games.jsonl
  hexzero replay game.sgf
  hexzero replay --to sgf games.jsonl > games.sgf
  hexzero replay --states --legal games.jsonl
  zcat games.jsonl.gz | hexzero replay -";

/// Check recorded games move by move and print how each one ended.
///
/// Fails at the first illegal move, naming the game, the move and the reason.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReplayArgs {
    /// The games as JSON lines, SGF or HexWorld links; '-' reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Also print the board after each move, row by row from row 1, as a string of '.' and the players' initials, each with
    /// the number that its piece shows, such as a stack's power
    #[arg(long)]
    states: bool,
    /// Also print for each move the number of legal actions before it and its player, 0 for the first, 1 for the second
    #[arg(long)]
    legal: bool,
    /// Convert the games to this format instead
    #[arg(long, value_name = "FORMAT", value_enum, conflicts_with_all = ["states", "legal"])]
    to: Option<Format>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    Jsonl,
    Sgf,
    Hexworld,
}

impl ReplayArgs {
    /// Replays the games and prints the results.
    pub fn run(self) -> Result<(), CliError> {
        let input: Box<dyn BufRead> = if self.file == Path::new("-") {
            Box::new(stdin().lock())
        } else {
            let file = File::open(&self.file).map_err(|source| CliError::Read { path: self.file, source })?;
            Box::new(BufReader::new(file))
        };
        let options = ReplayOptions { states: self.states, legal: self.legal };
        match self.to {
            None => write_lines(replays(input, options).map(|summary| Ok(summary?.to_line()))),
            Some(Format::Jsonl) => write_lines(rewritten(input, GameForm::JsonLine)),
            Some(Format::Sgf) => write_lines(rewritten(input, GameForm::Sgf)),
            Some(Format::Hexworld) => write_lines(rewritten(input, GameForm::HexWorld)),
        }
    }
}

/// Prints a line for each game; after an error, the lines of the games before it and then the error.
fn write_lines(lines: impl Iterator<Item = Result<String, InterchangeError>>) -> Result<(), CliError> {
    let mut output = BufWriter::new(stdout().lock());
    for line in lines {
        match line {
            Ok(line) => writeln!(output, "{line}")?,
            Err(error) => {
                output.flush()?;
                return Err(CliError::failed(error));
            }
        }
    }
    Ok(output.flush()?)
}
