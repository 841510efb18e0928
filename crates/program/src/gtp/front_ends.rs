//! Commands of graphical front ends and match programs beside the game itself.

use std::time::Duration;

use hexzero_replay::GameForm;
use hexzero_search::TimeControl;

use super::protocol::{Answer, done};
use super::session::GtpSession;
use super::timing::seconds;
use crate::written_game;

/// Menu entries for GoGui and HexGui: the type of the reply, the label, and the command, in which `%m` becomes the
/// colour to move.
pub(super) const ANALYZE_COMMANDS: &str = "\
none/Analysis until interrupted/gogui-gfx-analyze %m
string/Best move/reg_genmove %m
plist/Legal moves/all_legal_moves %m
string/Result/final_score
string/Processor time/cputime
param/Game/param_game";

/// Returns the processor time of all threads so far, in seconds.
#[cfg(unix)]
pub(super) fn cpu_time() -> Answer {
    use rustix::time::{ClockId, clock_gettime};

    let spent = Duration::try_from(clock_gettime(ClockId::ProcessCPUTime));
    spent.map(|spent| format!("{:.3}", spent.as_secs_f64())).map_err(|error| error.to_string())
}

#[cfg(not(unix))]
pub(super) fn cpu_time() -> Answer {
    Err("the processor time is not known on this system".to_owned())
}

impl GtpSession {
    /// Returns the game in SGF.
    pub(super) fn print_sgf(&self, arguments: &[String]) -> Answer {
        if !arguments.is_empty() {
            return Err("printsgf writes no file: without an argument it answers with the game".to_owned());
        }
        let text = written_game(&self.engine, self.resigned, GameForm::Sgf);
        text.map_err(|error| format!("cannot write the game: {error}"))
    }

    /// Lists the parameters of the game, under benzene's names, or sets one.
    pub(super) fn parameters(&mut self, arguments: &[String]) -> Answer {
        let swaps = self.engine.position().game().has_swap();
        let (name, value) = match arguments {
            [] => {
                let time = self.clock.as_ref().map_or(0.0, |clock| clock.control().main.as_secs_f64());
                return Ok(format!("[bool] allow_swap {}\n[string] game_time {time}", u8::from(swaps)));
            }
            [name, value, ..] => (name.as_str(), value.as_str()),
            [_] => return Err("syntax error: param_game [NAME VALUE]".to_owned()),
        };
        match (name, value) {
            ("allow_swap", "0" | "1") if (value == "1") == swaps => done(),
            ("allow_swap", "0" | "1") => {
                let how = if swaps { "with" } else { "without" };
                Err(format!("{} is played {how} the swap; choose another game with --game", self.engine.game().name()))
            }
            ("allow_swap", _) => Err("syntax error: allow_swap is 0 or 1".to_owned()),
            ("game_time", _) => {
                let main = seconds(value)?;
                self.set_control((!main.is_zero()).then(|| TimeControl::whole_game(main, Duration::ZERO)))
            }
            _ => Err("unknown parameter: choose allow_swap or game_time".to_owned()),
        }
    }
}
