//! `hexzero-analyze`, in the manner of Leela Zero's `lz-analyze` and KataGo's `kata-analyze`.

use std::io::{self, Write};
use std::time::Duration;

use crate::games::{Game, Player};
use crate::interfaces::analysis::{Analysis, AnalysisRun, Step};
use crate::interfaces::engine::Engine;
use crate::search::Limits;

use super::commands::player;

/// What `hexzero-analyze` takes.
const ARGUMENTS: &str =
    "syntax error: hexzero-analyze [COLOUR] [CENTISECONDS] [interval CENTISECONDS] [maxmoves N] [ownership true]";

/// Between two updates where nothing was said.
const EVERY: Duration = Duration::from_millis(1000);

/// The longest that may be asked for between two updates.
const MOST_CENTISECONDS: u64 = 8_640_000;

/// What somebody asked to be told of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AnalysisRequest {
    pub player: Option<Player>,
    every: Duration,
    moves: usize,
    ownership: bool,
}

impl AnalysisRequest {
    pub fn parse<G: Game>(arguments: &[String]) -> Result<Self, String> {
        let mut request = Self { player: None, every: EVERY, moves: usize::MAX, ownership: false };
        let mut words = arguments.iter().map(String::as_str).peekable();
        if let Some(word) = words.next_if(|word| !is_number(word) && !is_key(word)) {
            request.player = Some(player::<G>(&[word.to_owned()])?);
        }
        if let Some(interval) = words.next_if(|word| is_number(word)) {
            request.every = interval_of(interval)?;
        }
        while let Some(key) = words.next() {
            let value = words.next().ok_or(ARGUMENTS)?;
            match key {
                "interval" => request.every = interval_of(value)?,
                "maxmoves" => request.moves = value.parse().ok().filter(|&moves| moves > 0).ok_or(ARGUMENTS)?,
                "ownership" => request.ownership = value.parse().map_err(|_| ARGUMENTS)?,
                _ => return Err(ARGUMENTS.to_owned()),
            }
        }
        Ok(request)
    }

    /// Analyses and writes a line for every update while `wait` waits for the next command, one at the end if
    /// there was none, and then an empty line.
    pub fn answer_while<G: Game, T>(
        &self,
        engine: &mut Engine<G>,
        limits: Limits,
        output: &mut (impl Write + Send),
        wait: impl FnOnce() -> T,
    ) -> io::Result<T> {
        let mut run = AnalysisRun::new(limits, self.moves, self.ownership, Some(self.every));
        let mut tell = |analysis: &Analysis| {
            writeln!(output, "{}", analysis.to_info())?;
            output.flush()
        };
        let mut written = None;
        let next = engine.while_waiting(
            |engine| {
                let (analysis, more) = match run.step(engine) {
                    Step::Quiet => return true,
                    Step::Update(analysis) => (analysis, true),
                    Step::Done(analysis) => (analysis, false),
                };
                let told = tell(&analysis);
                let more = more && told.is_ok();
                written = Some(told);
                more
            },
            wait,
        );
        match written {
            Some(written) => written?,
            None => tell(&run.stopped(engine))?,
        }
        writeln!(output)?;
        output.flush()?;
        Ok(next)
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_key(word: &str) -> bool {
    ["interval", "maxmoves", "ownership"].contains(&word)
}

fn interval_of(text: &str) -> Result<Duration, String> {
    let centiseconds = text.parse::<u64>().ok().filter(|number| (1..=MOST_CENTISECONDS).contains(number));
    Ok(Duration::from_millis(10 * centiseconds.ok_or(ARGUMENTS)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Cachex;

    #[test]
    fn requests() {
        let parse = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            AnalysisRequest::parse::<Cachex>(&words)
        };
        let plain = AnalysisRequest { player: None, every: EVERY, moves: usize::MAX, ownership: false };
        let tenth = Duration::from_millis(100);
        assert_eq!(parse(""), Ok(plain));
        assert_eq!(parse("10"), Ok(AnalysisRequest { every: tenth, ..plain }));
        assert_eq!(parse("interval 10"), Ok(AnalysisRequest { every: tenth, ..plain }));
        assert_eq!(parse("b"), Ok(AnalysisRequest { player: Some(Player::First), ..plain }));
        assert_eq!(
            parse("blue 10 maxmoves 3 ownership true"),
            Ok(AnalysisRequest { player: Some(Player::Second), every: tenth, moves: 3, ownership: true })
        );
        for text in ["green", "0", "b -1", "10 b", "interval", "maxmoves 0", "ownership 1", "b 10 allow b a1 3"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
