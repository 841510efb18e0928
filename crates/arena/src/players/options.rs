//! Options after the `@` of a player's name: search settings that differ from the other players'.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use hexzero_nn::Precision;
use hexzero_search::{EarlyStop, Exact, Level, Limits, MAX_THREADS, SearchSettings};

use super::spec::SpecError;

const VISITS: RangeInclusive<u32> = 1..=Limits::MAX_VISITS;
const THREADS: RangeInclusive<u32> = 1..=MAX_THREADS as u32;

/// A constant of the search.
type Constant = fn(&mut SearchSettings) -> &mut f32;

/// The constants of the search by their names in the recipe.
const CONSTANTS: [(&str, Constant); 7] = [
    ("init", |search| &mut search.puct.init),
    ("base", |search| &mut search.puct.base),
    ("fpu_reduction", |search| &mut search.puct.fpu_reduction),
    ("draw_penalty", |search| &mut search.puct.draw_penalty),
    ("prior_temperature", |search| &mut search.puct.prior_temperature),
    ("deviations", |search| &mut search.choice.deviations),
    ("least_share", |search| &mut search.choice.least_share),
];

/// The options other than constants and the precision.
const OTHERS: [&str; 8] = ["visits", "time", "stop", "threads", "level", "temperature", "exact", "transpositions"];

const EXACT: [(&str, Exact); 3] = [("off", Exact::Off), ("ends", Exact::Ends), ("board", Exact::Board)];

/// The search options of a player with a network.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PlayerOptions {
    /// The precision of the network; by default the faster one.
    pub precision: Option<Precision>,
    /// Visits a move.
    pub visits: Option<u32>,
    /// Time a move.
    pub time: Option<Duration>,
    /// When to stop early; by default as the common limits say.
    pub early_stop: Option<EarlyStop>,
    /// Threads of one search; by default one.
    pub threads: Option<u32>,
    /// The playing level.
    pub level: Level,
    /// The temperature at which a level below full draws its moves; by default its own.
    pub temperature: Option<f64>,
    /// The constants of the search.
    pub search: SearchSettings,
}

impl PlayerOptions {
    /// Returns the player's limits: its own, or else the common ones.
    pub fn limits(&self, otherwise: Limits) -> Limits {
        let early_stop = self.early_stop.unwrap_or(otherwise.early_stop);
        match (self.visits, self.time) {
            (None, None) => otherwise.stopping(early_stop),
            (visits, time) => Limits { visits, time, early_stop, ..otherwise },
        }
    }

    fn set(&mut self, name: &'static str, value: &str) -> Result<(), SpecError> {
        let refused = |accepted: String| SpecError(format!("{name} must be {accepted}, not '{value}'"));
        let whole = |accepted: RangeInclusive<u32>| match value.parse() {
            Ok(number) if accepted.contains(&number) => Ok(number),
            _ => Err(refused(format!("a whole number from {} to {}", accepted.start(), accepted.end()))),
        };
        match name {
            "visits" => self.visits = Some(whole(VISITS)?),
            "threads" => self.threads = Some(whole(THREADS)?),
            "stop" => self.early_stop = Some(value.parse().map_err(|_| refused(EarlyStop::names()))?),
            "level" => self.level = value.parse().map_err(|_| refused(Level::names()))?,
            "temperature" => {
                let number = value.parse().ok().filter(|number| (0.0..=100.0).contains(number));
                self.temperature = Some(number.ok_or_else(|| refused("a number from 0 to 100".to_owned()))?);
            }
            "time" => self.time = Some(Limits::seconds(value).ok_or_else(|| refused(Limits::accepted_seconds()))?),
            "exact" => match EXACT.into_iter().find(|&(word, _)| word == value) {
                Some((_, exact)) => self.search.exact = exact,
                None => return Err(refused("off, ends or board".to_owned())),
            },
            "transpositions" => match value {
                "on" | "off" => self.search.transpositions = value == "on",
                _ => return Err(refused("on or off".to_owned())),
            },
            _ => {
                for (_, constant) in CONSTANTS.iter().filter(|(constant, _)| *constant == name) {
                    *constant(&mut self.search) = value.parse().map_err(|_| refused("a number".to_owned()))?;
                }
            }
        }
        Ok(())
    }
}

fn unknown(option: &str) -> SpecError {
    SpecError(format!(
        "there is no option '{option}'; choose f32, int8, visits=N, time=SECONDS, stop=RULE, threads=N, level=NAME, \
         temperature=NUMBER, exact=off, exact=board, transpositions=off, or NAME=NUMBER for a constant of the search: {}",
        CONSTANTS.map(|(name, _)| name).join(", ")
    ))
}

/// Returns the option with this name, or the only one that begins with it.
fn find(name: &str) -> Result<&'static str, SpecError> {
    let all = || OTHERS.into_iter().chain(CONSTANTS.map(|(constant, _)| constant));
    if let Some(exact) = all().find(|&known| known == name) {
        return Ok(exact);
    }
    let candidates: Vec<&str> = all().filter(|known| !name.is_empty() && known.starts_with(name)).collect();
    match candidates[..] {
        [] => Err(unknown(name)),
        [only] => Ok(only),
        _ => Err(SpecError(format!("'{name}' may be {}", candidates.join(" or ")))),
    }
}

impl FromStr for PlayerOptions {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut options = Self::default();
        let mut given = Vec::new();
        for option in text.split(',') {
            let name = match option.split_once('=') {
                Some((name, value)) => {
                    let name = find(name)?;
                    options.set(name, value)?;
                    name
                }
                None => {
                    options.precision = Some(option.parse().map_err(|_| unknown(option))?);
                    "the precision"
                }
            };
            if given.contains(&name) {
                return Err(SpecError(format!("{name} may be given only once")));
            }
            given.push(name);
        }
        if !options.level.is_full() && (options.visits.is_some() || options.time.is_some()) {
            let problem = "has a limit on thinking of its own; leave out visits and time, or the level";
            return Err(SpecError(format!("level={} {problem}", options.level)));
        }
        if let Some(temperature) = options.temperature {
            if options.level.is_full() {
                let problem = "temperature is that of a level below full; give level=NAME, too";
                return Err(SpecError(problem.to_owned()));
            }
            options.level = options.level.at_temperature(temperature);
        }
        options.search.validate().map_err(|error| SpecError(error.to_string()))?;
        Ok(options)
    }
}

/// Writes the `@` and the options; nothing if all are the defaults.
impl fmt::Display for PlayerOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options: Vec<String> = self.precision.iter().map(|precision| precision.name().to_owned()).collect();
        options.extend(self.visits.map(|visits| format!("visits={visits}")));
        options.extend(self.time.map(|time| format!("time={}", time.as_secs_f64())));
        options.extend(self.early_stop.map(|early_stop| format!("stop={early_stop}")));
        options.extend(self.threads.map(|threads| format!("threads={threads}")));
        options.extend((!self.level.is_full()).then(|| format!("level={}", self.level)));
        options.extend(self.temperature.map(|temperature| format!("temperature={temperature}")));
        let (mut search, mut usual) = (self.search, SearchSettings::default());
        let exact = EXACT.into_iter().find(|&(_, exact)| exact == search.exact && exact != usual.exact);
        options.extend(exact.map(|(word, _)| format!("exact={word}")));
        options.extend((!search.transpositions).then(|| "transpositions=off".to_owned()));
        for (name, constant) in CONSTANTS {
            let value = *constant(&mut search);
            if value != *constant(&mut usual) {
                options.push(format!("{name}={value}"));
            }
        }
        if options.is_empty() { Ok(()) } else { write!(f, "@{}", options.join(",")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_understood_and_written_alike() {
        for (text, written) in [
            ("int8", "@int8"),
            ("visits=400,f32", "@f32,visits=400"),
            ("time=0.05,threads=2", "@time=0.05,threads=2"),
            ("time=0.05,stop=certain", "@time=0.05,stop=certain"),
            ("threads=2,level=casual", "@threads=2,level=casual"),
            ("level=full,visits=9", "@visits=9"),
            ("level=casual,temperature=2.5", "@level=casual,temperature=2.5"),
            ("level=full", ""),
            ("exact=off", "@exact=off"),
            ("exact=board", "@exact=board"),
            ("exact=ends", ""),
            ("fpu=0.3,draw=0.1,init=1.5", "@init=1.5,fpu_reduction=0.3,draw_penalty=0.1"),
            ("t=1", "'t' may be time or threads or temperature or transpositions"),
            ("visits=9,transpositions=off", "@visits=9,transpositions=off"),
            ("transpositions=on", ""),
            ("init=1.25", ""),
        ] {
            match text.parse::<PlayerOptions>() {
                Ok(options) => {
                    assert_eq!(options.to_string(), written);
                    assert_eq!(written.strip_prefix('@').map_or(Ok(options), str::parse), Ok(options));
                }
                Err(error) => assert_eq!(error.to_string(), written),
            }
        }
        let every = CONSTANTS.map(|(name, _)| format!("{name}=0.75")).join(",");
        assert_eq!(every.parse::<PlayerOptions>().unwrap().to_string(), format!("@{every}"));
    }

    #[test]
    fn invalid_options_are_refused() {
        for (texts, problem) in [
            (&["", "f64", "int8,", "=3", "visits"][..], "there is no option '"),
            (&["threads=x"], "threads must be a whole number from 1 to 255, not 'x'"),
            (
                &["time=1e-25", "time=-1", "time=nan", "time=inf", "time=1e9", "time="],
                "time must be a number of seconds",
            ),
            (&["visits=4,f32,visits=4"], "visits may be given only once"),
            (&["fpu=0,fpu_r=1"], "fpu_reduction may be given only once"),
            (&["level=casual,time=1"], "level=casual has a limit on thinking of its own"),
            (&["temperature=1"], "temperature is that of a level below full"),
            (&["base=nan", "draw=2", "deviations=inf", "least_share=1.5"], "accepted: "),
        ] {
            for text in texts {
                let error = text.parse::<PlayerOptions>().unwrap_err().to_string();
                assert!(error.starts_with(problem), "{text}: {error}");
            }
        }
    }

    #[test]
    fn own_limits_override_the_common_ones() {
        let limits = |text: &str| text.parse::<PlayerOptions>().unwrap().limits(Limits::visits(7));
        assert_eq!(limits("int8"), Limits::visits(7));
        assert_eq!(limits("visits=9"), Limits::visits(9));
        assert_eq!(limits("time=2"), Limits::time(Duration::from_secs(2)));
        assert_eq!(limits("time=2,visits=9"), Limits { visits: Some(9), ..Limits::time(Duration::from_secs(2)) });
    }
}
