//! The commands that set the clocks.

use std::num::NonZeroU32;
use std::time::Duration;

use hexzero_search::{GameClock, Overtime, TimeControl, TimeLeft};

use super::protocol::{Answer, done};
use super::session::GtpSession;
use super::words::seat;

/// The longest time accepted; longer ones are cut.
const MAX_TIME: Duration = Duration::from_secs(366 * 24 * 3600);

/// The kinds of clocks, under KataGo's names.
pub(super) const KINDS: &str = "none absolute byoyomi canadian fischer";

/// The error message that lists the kinds and their arguments.
const ARGUMENTS: &str = "syntax error: kgs-time_settings none, absolute TIME, byoyomi MAIN_TIME PERIOD_TIME PERIODS, \
     canadian MAIN_TIME PERIOD_TIME PERIOD_STONES or fischer MAIN_TIME INCREMENT";

impl GtpSession {
    pub(super) fn time_settings(&mut self, arguments: &[String]) -> Answer {
        let [main, period, stones, ..] = arguments else {
            return Err("syntax error: time_settings MAIN_TIME PERIOD_TIME PERIOD_STONES".to_owned());
        };
        self.set_control(canadian(main, period, stones)?)
    }

    /// Sets a clock of one of the kinds of the Kiseido Go Server and of KataGo. Of several Japanese
    /// periods the engine uses only one.
    pub(super) fn time_settings_by_kind(&mut self, arguments: &[String]) -> Answer {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        self.set_control(match words[..] {
            ["none"] => None,
            ["absolute", main] => Some(TimeControl::whole_game(seconds(main)?, Duration::ZERO)),
            ["byoyomi", main, period, periods] => match stones_left(periods)? {
                0 => Some(TimeControl::whole_game(seconds(main)?, Duration::ZERO)),
                _ => canadian(main, period, "1")?,
            },
            ["canadian", main, period, stones] => canadian(main, period, stones)?,
            ["fischer", main, increment] => Some(TimeControl::whole_game(seconds(main)?, seconds(increment)?)),
            _ => return Err(ARGUMENTS.to_owned()),
        })
    }

    /// Sets full clocks, or removes them.
    pub(super) fn set_control(&mut self, control: Option<TimeControl>) -> Answer {
        match (control, &mut self.clock) {
            (Some(control), Some(clock)) => clock.restart(control),
            (control, clock) => *clock = control.map(GameClock::new),
        }
        done()
    }

    pub(super) fn time_left(&mut self, arguments: &[String]) -> Answer {
        let seat = seat(self.engine.game(), arguments)?;
        let [_, left, stones, ..] = arguments else {
            return Err("syntax error: time_left COLOUR TIME STONES".to_owned());
        };
        let left = TimeLeft { time: time(left)?, moves: stones_left(stones)? };
        // Some referees only send the time left, and set no clock.
        let control = TimeControl::whole_game(left.time, Duration::ZERO);
        self.clock.get_or_insert_with(|| GameClock::new(control)).set(seat, left);
        done()
    }

    /// Returns a player's remaining time in the form of `time_left`; empty without a clock.
    pub(super) fn own_time_left(&self, arguments: &[String]) -> Answer {
        let seat = seat(self.engine.game(), arguments)?;
        let left = self.clock.as_ref().map(|clock| clock.left(seat));
        Ok(left.map_or(String::new(), |left| format!("{:.3} {}", left.time.as_secs_f64(), left.moves)))
    }
}

/// Parses the arguments of `time_settings`; none for no limit, a period for 0 moves.
fn canadian(main: &str, period: &str, stones: &str) -> Result<Option<TimeControl>, String> {
    let (main, period, moves) = (seconds(main)?, seconds(period)?, NonZeroU32::new(stones_left(stones)?));
    if period.is_zero() {
        return Ok(Some(TimeControl::whole_game(main, Duration::ZERO)));
    }
    Ok(moves.map(|moves| TimeControl {
        overtime: Some(Overtime { period, moves }),
        ..TimeControl::whole_game(main, Duration::ZERO)
    }))
}

/// Parses the seconds of a time control, cut to the longest time.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds < 0.0 => Err("syntax error: time is a number of seconds, 0 or more".to_owned()),
        _ => time(text),
    }
}

/// Parses the seconds left, as a referee reports them; a negative number, of a late player, counts as 0.
fn time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| seconds.is_finite());
    let seconds = seconds.ok_or("syntax error: time is a number of seconds")?;
    Ok(Duration::from_secs_f64(seconds.clamp(0.0, MAX_TIME.as_secs_f64())))
}

fn stones_left(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "syntax error: stones is a whole number".to_owned())
}
