//! `hexzero gtp`.

use std::io::{BufReader, stdin, stdout};
use std::path::PathBuf;

use clap::Args;

use crate::games::{ForGame, Game, Position, with_game};
use crate::interfaces::engine::Engine;
use crate::interfaces::error::CliError;
use crate::interfaces::gtp::{GtpSession, Thinking, converse};
use crate::interfaces::model::load_evaluator;
use crate::search::Limits;

use super::clock::ClockArgs;
use super::game::GameArg;
use super::level::LevelArgs;
use super::machine::MachineArgs;
use super::search::{DEFAULT_VISITS, SearchArgs};

const EXAMPLES: &str = "\
Examples:
  hexzero gtp --size 9
  hexzero gtp --game hex --model runs/hex-001
  hexzero gtp --level casual
  hexzero gtp --size 7 --game-time 49 --ponder
  printf 'boardsize 5\\nplay red d2\\ngenmove blue\\nshowboard\\nquit\\n' | hexzero gtp

One command a line; each reply begins with '=' (or '?' for an error) and ends with an empty
line. 'list_commands' tells what there is. The first player is black or b, in Cachex also red;
the second is white or w, in Cachex also blue: mind that 'b' is black, as everywhere in this
protocol, and so means red. A move is a cell such as d2, or 'swap', which is answered as
'swap-pieces' in Hex. Where the other program sets a clock (time_settings, kgs-time_settings,
time_left), the engine divides the time left over the moves to come, and --visits and --time
remain as upper limits; --game-time is the clock until then.";

/// Speak the Go Text Protocol (version 2) on standard input and output, for referees and clients.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct GtpArgs {
    /// The checkpoint, or the folder of a run, to play with (default: the model that ships with the program)
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    #[command(flatten)]
    game: GameArg,
    /// The board's side until 'boardsize' changes it: 3 to 15 in Cachex, 2 to 19 in Hex
    #[arg(long, value_name = "N", default_value_t = 7)]
    size: usize,
    #[command(flatten)]
    level: LevelArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    clock: ClockArgs,
    #[command(flatten)]
    machine: MachineArgs,
}

impl GtpArgs {
    /// Answers until the other side has had enough.
    pub(super) fn run(self) -> Result<(), CliError> {
        let game = self.game.or_of_model(self.model.as_deref())?;
        with_game(&game, self).map_err(CliError::failed)?
    }
}

impl ForGame for GtpArgs {
    type Output = Result<(), CliError>;

    fn for_game(self) -> Self::Output {
        let engine = Engine::new(self.size, load_evaluator(self.model.as_deref())?)?;
        let asked_for = self.search.asked_for();
        let thinking = Thinking {
            without_clock: self.machine.bound(asked_for.unwrap_or(Limits::visits(DEFAULT_VISITS))),
            with_clock: self.machine.bound(asked_for.unwrap_or_default()),
            ponder: self.clock.ponder,
            level: self.level.level,
            seed: self.level.seed(),
        };
        let session = GtpSession::new(engine.on_threads(self.machine.threads()), thinking);
        Ok(converse(session.with_clock(self.clock.control()), BufReader::new(stdin()), stdout())?)
    }
}
