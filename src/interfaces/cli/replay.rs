//! `hexzero replay`.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::interfaces::error::CliError;
use crate::replay::replays;

const EXAMPLES: &str = "\
A game is one line such as
  {\"game\":\"cachex\",\"size\":5,\"moves\":[\"d2\",\"swap\",\"c4\"]}
and each gives one line such as
  {\"game\":\"cachex\",\"size\":5,\"turns\":3,\"result\":null,\"reason\":null}
with result \"red\", \"blue\", \"draw\" or null while the game goes on, and reason \"connection\",
\"repetition\", \"turns\" or null.

Examples:
  hexzero replay games.jsonl
  hexzero replay --states games.jsonl
  zcat games.jsonl.gz | hexzero replay -";

/// Check recorded games move by move and say how each one ended.
///
/// Stops at the first illegal move, names the game, the move and the reason, and exits with code 1.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReplayArgs {
    /// The games as JSON lines; '-' reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Also give the board after every move, row by row from row 1, as a string of '.', 'R' and 'B'
    #[arg(long)]
    states: bool,
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
        replay(input, &mut stdout().lock(), self.states)
    }
}

fn replay(games: Box<dyn BufRead>, output: &mut impl Write, states: bool) -> Result<(), CliError> {
    let mut output = BufWriter::new(output);
    for summary in replays(games, states) {
        match summary {
            Ok(summary) => {
                serde_json::to_writer(&mut output, &summary).map_err(std::io::Error::from)?;
                output.write_all(b"\n")?;
            }
            Err(error) => {
                // What was read before the fault is told first.
                output.flush()?;
                return Err(CliError::failed(error));
            }
        }
    }
    Ok(output.flush()?)
}
