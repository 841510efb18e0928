//! `hexzero gtp`.

use std::io::{BufReader, stdin, stdout};
use std::path::PathBuf;

use clap::Args;

use crate::engine::model::load_evaluator;
use crate::engine::{Effort, Engine};
use crate::interfaces::error::CliError;
use crate::interfaces::gtp::{GtpSession, Thinking, converse};

use super::device::DeviceArgs;
use super::effort::EffortArgs;
use super::game::{GameArg, board_size, size_for};
use super::level::LevelArgs;
use super::machine::MachineArgs;

const EXAMPLES: &str = "\
Examples:
  hexzero gtp --size 9
  hexzero gtp --game hex --model runs/hex-001
  hexzero gtp --level casual
  hexzero gtp --size 7 --game-time 49 --ponder
  printf 'boardsize 5\\nplay red d2\\ngenmove blue\\nshowboard\\nquit\\n' | hexzero gtp

One command a line; each reply begins with '=' (or '?' for an error) and ends with an empty
line. 'list_commands' lists the commands. The first player is black or b, the second white or w;
the game's own names, such as red and blue, work too, but 'b' is always black, as everywhere in
this protocol, even in a game with a blue player. A move is a cell such as d2, or a word of the
game such as 'swap'; where other programs use another word, replies use theirs ('swap-pieces' in
Hex). If the controller sets a clock (time_settings, kgs-time_settings, time_left), the engine
divides the time left over the moves to come, and --visits and --time remain upper limits;
--game-time is the clock until then. Without a clock it plays as 'hexzero play' does: at full
strength it thinks one second about a move.";

/// Speak the Go Text Protocol (version 2) on standard input and output, for referees and clients.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct GtpArgs {
    /// The checkpoint, or the folder of a run, to play with (default: the model that ships with the program)
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    #[command(flatten)]
    game: GameArg,
    /// The board's size until 'boardsize' changes it (default: that of the run, else the game's own; 'hexzero games' lists the sizes)
    #[arg(long, value_name = "N", value_parser = board_size)]
    size: Option<usize>,
    #[command(flatten)]
    level: LevelArgs,
    #[command(flatten)]
    effort: EffortArgs,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    device: DeviceArgs,
}

impl GtpArgs {
    /// Answers commands until 'quit' or the end of the input.
    pub(super) fn run(self) -> Result<(), CliError> {
        self.level.check(self.effort.asked_for())?;
        self.device.choose()?;
        let game = self.game.or_of_model(self.model.as_deref())?;
        let size = self.size.unwrap_or_else(|| size_for(game, self.model.as_deref()));
        let engine = Engine::new(game, size, load_evaluator(game, self.model.as_deref())?)?;
        let asked_for = self.effort.asked_for();
        // Limits a move apply beside a clock too.
        let each_move = asked_for.filter(|effort| effort.clock().is_none());
        let thinking = Thinking {
            without_clock: self.machine.bound(each_move.unwrap_or_default().limits()),
            with_clock: self.machine.bound(each_move.map(Effort::limits).unwrap_or_default()),
            ponder: self.effort.ponder,
            level: self.level.level,
            seed: self.level.seed(),
        };
        let session = GtpSession::new(engine.on_threads(self.machine.threads()), thinking);
        Ok(converse(session.with_clock(asked_for.and_then(Effort::clock)), BufReader::new(stdin()), stdout())?)
    }
}
