//! `hexzero gtp`.

use std::io::{BufReader, stdin, stdout};
use std::path::PathBuf;

use clap::Args;

use crate::cli::options::{DeviceArgs, GameArg, MachineArgs, StrengthArgs, board_size, size_for};
use crate::error::CliError;
use crate::gtp::{GtpSession, Thinking, converse};
use hexzero_engine::{Effort, Engine};
use hexzero_search::{EarlyStop, Limits};
use hexzero_system::Plain;
use hexzero_train::model_files::load_evaluator;

const EXAMPLES: &str = "\
Examples:
  hexzero gtp --size 9
  hexzero gtp --game hex --model runs/hex-001
  hexzero gtp --level casual
  hexzero gtp --size 7 --game-time 49 --ponder
  printf 'boardsize 5\\nplay red d2\\ngenmove blue\\nshowboard\\nquit\\n' | hexzero gtp

Commands are read one a line; each reply begins with '=' ('?' for an error) and ends with an
empty line. 'list_commands' lists the commands. The first player is black or b, the second white
or w; the game's own names, such as red and blue, work too, but 'b' always means black, even in a
game with a blue player. A move is a cell such as d2, or a word of the game such as 'swap';
replies use the word that other programs know ('swap-pieces' in Hex). If the controller sets a
clock (time_settings, kgs-time_settings, time_left), the engine divides the time left over the
moves to come, and --visits and --time remain upper limits; until then --game-time is the clock.
Without a clock it plays as 'hexzero play' does: at full strength for one second a move.";

/// Speak the Go Text Protocol (version 2) on standard input and output, for referees and clients.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct GtpArgs {
    /// The checkpoint, or the folder of a run, to play with (default: the model that ships with the program)
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    #[command(flatten)]
    game: GameArg,
    /// The board's size until 'boardsize' changes it (default: that of the run, else the game's own; 'hexzero games'
    /// lists the sizes)
    #[arg(long, value_name = "N", value_parser = board_size)]
    size: Option<usize>,
    #[command(flatten)]
    strength: StrengthArgs,
    /// Stop a search early by RULE: never, certain (no other move can be played any more) or likely (no other move can
    /// get more visits); unused time is lost unless there is a clock for several moves (default: likely by such a
    /// clock, else certain)
    #[arg(long, value_name = "RULE")]
    stop_early: Option<EarlyStop>,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    device: DeviceArgs,
}

impl GtpArgs {
    /// Answers commands until 'quit' or the end of the input.
    pub fn run(self) -> Result<(), CliError> {
        let effort = self.strength.effort()?;
        let backend = self.device.backend()?;
        let game = self.game.or_of_model(self.model.as_deref())?;
        let size = self.size.unwrap_or_else(|| size_for(game, self.model.as_deref()));
        let model = load_evaluator(game, self.model.as_deref(), &backend)?;
        let engine = Engine::new(game, size, self.machine.with_exact(model, game, size)?)?;
        // Limits of a move apply beside a clock too.
        let each_move = effort.filter(|effort| effort.clock().is_none());
        let bound = |limits: Limits| self.machine.bound(limits.stopping(self.stop_early.unwrap_or(limits.early_stop)));
        let beside_clock = each_move.map(Effort::limits).unwrap_or_default();
        let thinking = Thinking {
            without_clock: bound(each_move.unwrap_or_default().limits()),
            with_clock: bound(beside_clock.stopping(EarlyStop::Likely)),
            ponder: self.strength.ponder,
            level: self.strength.level,
            seed: self.strength.seed(),
        };
        let session = GtpSession::new(engine.on_threads(self.machine.threads()), thinking);
        Ok(converse(session.with_clock(effort.and_then(Effort::clock)), BufReader::new(stdin()), Plain(stdout()))?)
    }
}
