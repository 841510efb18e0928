//! `hexzero replay`.

use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::options::board_size;
use crate::cli::support::recorded::{open, warn};
use crate::error::CliError;
use hexzero_replay::{Entry, GameFault, GameForm, InterchangeError, RecordedGame, ReplayOptions, recorded_games_on};
use hexzero_system::{notice, warning};

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
/// An illegal move is an error that names the game, the move and the reason; the games after it are still read. What is
/// left out of a file of another program, and statements that contradict each other, are warnings.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReplayArgs {
    /// The games as JSON lines, SGF or HexWorld links; '-' reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Also print the board after each move, row by row from row 1, as a string of '.' and the players' initials, each
    /// with the number that its piece shows, such as a stack's power
    #[arg(long)]
    states: bool,
    /// Also print for each move the number of legal actions before it and its player, 0 for the first, 1 for the second
    #[arg(long)]
    legal: bool,
    /// The board's size of games in SGF that do not state it (default for Hex: 11)
    #[arg(long, value_name = "N", value_parser = board_size)]
    size: Option<usize>,
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
    /// Replays the games and prints the results. After a game at fault it goes on with the next.
    pub fn run(self) -> Result<(), CliError> {
        let input = open(&self.file)?;
        let mut output = BufWriter::new(stdout().lock());
        let mut problem = None;
        for game in recorded_games_on(input, self.size) {
            let line = game.and_then(|(entry, game)| {
                warn(entry, &game);
                self.line(entry, &game).map_err(|fault| InterchangeError::Game { entry, fault })
            });
            match line {
                Ok(line) => writeln!(output, "{line}")?,
                // Errors are printed here, except the last, which is the command's own.
                Err(error) => {
                    if let Some(earlier) = problem.replace(error) {
                        notice(format_args!("error: {earlier}"));
                    }
                }
            }
        }
        output.flush()?;
        problem.map_or(Ok(()), |error| Err(error.into()))
    }

    /// Returns the line to print for a game. Warns of what the format cannot hold.
    fn line(&self, entry: Entry, game: &RecordedGame) -> Result<String, GameFault> {
        let form = match self.to {
            None => {
                let options = ReplayOptions { states: self.states, legal: self.legal };
                return Ok(game.replay(options)?.to_line());
            }
            Some(Format::Jsonl) => GameForm::JsonLine,
            Some(Format::Sgf) => GameForm::Sgf,
            Some(Format::Hexworld) => GameForm::HexWorld,
        };
        let (line, left_out) = game.rewritten_with_warning(form)?;
        left_out.iter().for_each(|odd| warning(format_args!("{entry}: {odd}")));
        Ok(line)
    }
}
