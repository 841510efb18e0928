//! `hexzero replay`.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::interfaces::error::CliError;
use crate::replay::{GameForm, InterchangeError, ReplayOptions, replays, rewritten};

const EXAMPLES: &str = "\
A file holds games as lines of JSON, in SGF, or as links of HexWorld, one a line. With --to,
variations and comments come along, except into links of HexWorld, which hold the main line only.
A game is one line such as
  {\"game\":\"cachex\",\"size\":5,\"moves\":[\"d2\",\"swap\",\"c4\"]}
and each gives one line such as
  {\"game\":\"cachex\",\"size\":5,\"turns\":3,\"result\":null,\"reason\":null}
with result the winner's name, \"draw\", or null while the game goes on, and reason one of the
game's endings, which 'hexzero games --json' lists, \"resignation\", or null.

Examples:
  hexzero replay games.jsonl
  hexzero replay game.sgf
  hexzero replay --to sgf games.jsonl > games.sgf
  hexzero replay --states --legal games.jsonl
  zcat games.jsonl.gz | hexzero replay -";

/// Check recorded games move by move and say how each one ended.
///
/// Stops at the first illegal move, names the game, the move and the reason, and exits with code 1.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReplayArgs {
    /// The games as JSON lines, SGF or links of HexWorld; '-' reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Also give the board after every move, row by row from row 1, as a string of '.' and the players' initials
    #[arg(long)]
    states: bool,
    /// Also give for every move how many actions were legal before it and who made it, 0 for the first player, 1 for the second
    #[arg(long)]
    legal: bool,
    /// Write the games again in this form instead of how each ended
    #[arg(long, value_name = "FORM", value_enum, conflicts_with_all = ["states", "legal"])]
    to: Option<Form>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Form {
    Jsonl,
    Sgf,
    Hexworld,
}

impl ReplayArgs {
    /// Replays the games to standard output.
    pub(super) fn run(self) -> Result<(), CliError> {
        let input: Box<dyn BufRead> = if self.file == Path::new("-") {
            Box::new(stdin().lock())
        } else {
            let file = File::open(&self.file).map_err(|source| CliError::Read { path: self.file, source })?;
            Box::new(BufReader::new(file))
        };
        let options = ReplayOptions { states: self.states, legal: self.legal };
        match self.to {
            None => write_lines(replays(input, options).map(|summary| Ok(summary?.to_line()))),
            Some(Form::Jsonl) => write_lines(rewritten(input, GameForm::JsonLine)),
            Some(Form::Sgf) => write_lines(rewritten(input, GameForm::Sgf)),
            Some(Form::Hexworld) => write_lines(rewritten(input, GameForm::HexWorld)),
        }
    }
}

/// Writes a line for each game. What was read before a fault is told first.
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
