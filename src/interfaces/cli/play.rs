//! `hexzero play`.

use std::io::{IsTerminal, stdin, stdout};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::games::{Cachex, Player};
use crate::interfaces::engine::Engine;
use crate::interfaces::error::CliError;
use crate::interfaces::model::load_evaluator;
use crate::interfaces::terminal::{Options, Palette, Session};

use super::search::SearchArgs;

const EXAMPLES: &str = "\
Examples:
  hexzero play                          red on a 7×7 board against the model that ships
  hexzero play --side blue --size 5     the engine begins
  hexzero play --visits 2000            a stronger engine
  hexzero play --time 3                 the engine thinks three seconds about a move

Type a cell such as d2 (column letter, row number) to place a stone there, 'swap' where you may
take over the first stone, and 'help' for everything else. Set NO_COLOR for a board without colours.";

/// Play Cachex against the engine in the terminal.
///
/// Red joins the top row to the bottom row, Blue the left column to the right column. Whoever
/// closes a diamond whose opposite corners have the same colour captures the two stones between.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PlayArgs {
    /// The checkpoint, or the folder of a run, to play against (default: the model that ships with the program)
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// The board's side, from 3 to 15
    #[arg(long, value_name = "N", default_value_t = 7)]
    size: usize,
    /// Your colour; red moves first
    #[arg(long, value_enum, default_value_t = Side::Red)]
    side: Side,
    #[command(flatten)]
    search: SearchArgs,
    /// Makes the engine choose its openings the same way each time
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Side {
    Red,
    Blue,
}

impl PlayArgs {
    /// Plays until the person has had enough.
    pub(super) fn run(self) -> Result<(), CliError> {
        let model = load_evaluator::<Cachex>(self.model.as_deref())?;
        let options = Options {
            person: match self.side {
                Side::Red => Player::First,
                Side::Blue => Player::Second,
            },
            limits: self.search.limits(),
            seed: self.seed.unwrap_or_else(rand::random),
            palette: Palette::when(stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())),
            opponent: model.description.clone(),
        };
        let engine = Engine::new(self.size, model)?;
        Ok(Session::new(engine, options).run(stdin().lock(), stdout().lock())?)
    }
}
