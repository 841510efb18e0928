//! Options after the `@` of another program's name.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use hexzero_search::Limits;

use super::swap::SwapStyle;
use crate::players::SpecError;

/// The options of another program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProgramOptions {
    /// The program's swap style.
    pub swap: SwapStyle,
    /// The program's time per move, if it has one of its own.
    pub time: Option<Duration>,
    /// The margin on that time, if not the default.
    pub margin: Option<Duration>,
}

impl ProgramOptions {
    /// Returns true if a text after an `@` is meant as options and is not part of the command.
    pub fn are_meant(text: &str) -> bool {
        ["swap=", "time=", "margin="].iter().any(|option| text.starts_with(option))
    }
}

impl FromStr for ProgramOptions {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut options = Self::default();
        for part in text.split(',') {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let seconds = || {
                let refused = || SpecError(format!("{name} must be {}, not '{value}'", Limits::accepted_seconds()));
                Limits::seconds(value).map(Some).ok_or_else(refused)
            };
            match name {
                "swap" => options.swap = value.parse()?,
                "time" => options.time = seconds()?,
                "margin" => options.margin = seconds()?,
                _ => {
                    let known = "swap=STYLE, time=SECONDS, margin=SECONDS";
                    return Err(SpecError(format!("a program has no option '{part}'; choose {known}")));
                }
            }
        }
        Ok(options)
    }
}

/// Writes the options that differ from the defaults, after an `@`; nothing if all are defaults.
impl fmt::Display for ProgramOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let swap = (self.swap != SwapStyle::Auto).then(|| format!("swap={}", self.swap));
        let seconds = |name: &str, time: Option<Duration>| time.map(|time| format!("{name}={}", time.as_secs_f64()));
        let all = [swap, seconds("time", self.time), seconds("margin", self.margin)];
        let all: Vec<String> = all.into_iter().flatten().collect();
        if all.is_empty() { Ok(()) } else { write!(f, "@{}", all.join(",")) }
    }
}
