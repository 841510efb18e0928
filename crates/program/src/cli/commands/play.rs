//! `hexzero play`.

use std::io::{IsTerminal, stdin, stdout};
use std::path::PathBuf;

use clap::{Args, ColorChoice};

use crate::cli::options::{DeviceArgs, GameArg, MachineArgs, StrengthArgs, board_size, size_for};
use crate::cli::support::interrupted;
use crate::error::CliError;
use crate::terminal::{Options, Palette, Session, can_be_shown, play_on_screen};
use hexzero_engine::{Engine, Strength};
use hexzero_games::{Game, Seat};
use hexzero_models::largest_learnt;
use hexzero_system::plain_line;
use hexzero_train::model_files::load_evaluator;

const EXAMPLES: &str = "\
Examples:
  hexzero play                          against the model that ships; you move first
  hexzero play --side second --size 5   the engine moves first, on a small board
  hexzero play --level beginner         an opponent for a first game
  hexzero play --seconds 5              the engine thinks for five seconds a move
  hexzero play --visits 200             the engine searches 200 visits a move
  hexzero play --game-time 49 --ponder  it has 49 seconds a game, and thinks on your time too

In a terminal the board fills the screen. The arrow keys, a cell's name such as d2 (column
letter, row number) or the mouse choose a cell, Enter plays there, s plays a move off the board,
such as a swap, if there is one, w saves the game, and ? lists the other keys. With --plain, or
if input or output is not a terminal, commands are typed line by line; 'help' lists them. At full
strength the engine thinks for one second a move, unless --seconds, --visits or --game-time says
otherwise; the other levels have their own limits.";

/// Play against the engine in the terminal.
///
/// 'hexzero games' lists and describes the games.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PlayArgs {
    /// The checkpoint, or the folder of a run, to play against (default: the model that ships with the program)
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    #[command(flatten)]
    game: GameArg,
    /// The board's size (default: that of the run, else the game's own; 'hexzero games' lists the sizes)
    #[arg(long, value_name = "N", value_parser = board_size)]
    size: Option<usize>,
    /// Your side: 'first', 'second', or its colour, such as red ('hexzero games' names them)
    #[arg(long, value_name = "COLOUR", default_value = "first")]
    side: String,
    #[command(flatten)]
    strength: StrengthArgs,
    #[command(flatten)]
    machine: MachineArgs,
    /// Play line by line instead of on the full screen
    #[arg(long)]
    plain: bool,
    /// When to use colours; 'auto' uses them in a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    #[command(flatten)]
    device: DeviceArgs,
}

/// Returns true if the terminal cannot move its cursor.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|kind| kind == "dumb")
}

/// Returns true if the output is to have colours.
fn coloured(choice: ColorChoice) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            stdout().is_terminal() && !is_dumb() && !is_unwanted
        }
    }
}

impl PlayArgs {
    /// Plays until the user quits.
    pub fn run(self) -> Result<(), CliError> {
        let effort = self.strength.effort()?.unwrap_or_default();
        let backend = self.device.backend()?;
        let game = self.game.or_of_model(self.model.as_deref())?;
        let person = side(game, &self.side)?;
        let model = load_evaluator(game, self.model.as_deref(), &backend)?;
        let size = self.size.unwrap_or_else(|| size_for(game, self.model.as_deref()));
        let learnt = if self.model.is_none() { largest_learnt(game) } else { None };
        let warning = |learnt| {
            format!("The network was trained on boards up to {}; it plays weakly on this one.", game.board_name(learnt))
        };
        let options = Options {
            person,
            strength: Strength { level: self.strength.level, effort },
            memory: self.machine.memory(),
            ponder: self.strength.ponder,
            seed: self.strength.seed(),
            palette: Palette { coloured: coloured(self.color) },
            opponent: plain_line(&model.description).into_owned(),
            warning: learnt.filter(|&learnt| size > learnt).map(warning),
        };
        self.machine.check_exact(game, size)?;
        let model = self.machine.with_exact(model, game, size)?;
        let engine = Engine::new(game, size, model)?.on_threads(self.machine.threads());
        let has_screen = stdin().is_terminal() && stdout().is_terminal() && !is_dumb();
        if !self.plain && has_screen && can_be_shown(engine.position()) {
            return Ok(play_on_screen(engine, options, interrupted())?);
        }
        Ok(Session::new(engine, options).run(stdin().lock(), stdout().lock())?)
    }
}

/// Parses `--side`.
fn side(game: Game, text: &str) -> Result<Seat, CliError> {
    let [first, second] = Seat::BOTH.map(|seat| game.seat_name(seat));
    match text.to_ascii_lowercase().as_str() {
        "first" => Ok(Seat::First),
        "second" => Ok(Seat::Second),
        name if name == first => Ok(Seat::First),
        name if name == second => Ok(Seat::Second),
        _ => Err(CliError::Request(format!(
            "'{text}' is not a side of {}; choose {first} or {second}, or 'first' or 'second'",
            game.name()
        ))),
    }
}
