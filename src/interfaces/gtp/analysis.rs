//! `hexzero-analyze`, modelled on Leela Zero's `lz-analyze` and KataGo's `kata-analyze`, as text and as drawings.

use std::io::{self, Write};
use std::time::Duration;

use crate::engine::Engine;
use crate::engine::analysis::{Analysis, AnalysisRun, Step};
use crate::games::{Game, Seat};
use crate::search::Limits;

use super::graphics::drawing;
use super::protocol::{done, reply};
use super::words::seat;

/// The arguments of `hexzero-analyze`.
const ARGUMENTS: &str = "syntax error: hexzero-analyze [COLOUR] [CENTISECONDS] [interval CENTISECONDS] [maxmoves N] [rootInfo true] \
     [ownership true]";

/// The format of an analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Lines of text, chances from 0 to 1, as KataGo does.
    Shares,
    /// Lines of text, chances from 0 to 10000, as Leela Zero does.
    TenThousandths,
    /// Drawings for front ends; the reply comes at the end.
    Graphics,
}

/// The default time between two updates.
const EVERY: Duration = Duration::from_millis(1000);

/// The longest time between two updates accepted.
const MOST_CENTISECONDS: u64 = 8_640_000;

/// The requested contents of an analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AnalysisRequest {
    form: Form,
    pub seat: Option<Seat>,
    every: Duration,
    moves: usize,
    root_info: bool,
    ownership: bool,
}

impl AnalysisRequest {
    pub fn parse(game: Game, form: Form, arguments: &[String]) -> Result<Self, String> {
        let (every, moves) = (EVERY, usize::MAX);
        let mut request = Self { form, seat: None, every, moves, root_info: false, ownership: false };
        let mut words = arguments.iter().map(String::as_str).peekable();
        if let Some(word) = words.next_if(|word| !is_number(word) && !is_key(word)) {
            request.seat = Some(seat(game, &[word.to_owned()])?);
        }
        if let Some(interval) = words.next_if(|word| is_number(word)) {
            request.every = interval_of(interval)?;
        }
        while let Some(key) = words.next() {
            let value = words.next().ok_or(ARGUMENTS)?;
            match key {
                "interval" => request.every = interval_of(value)?,
                "maxmoves" => request.moves = value.parse().ok().filter(|&moves| moves > 0).ok_or(ARGUMENTS)?,
                "rootInfo" => request.root_info = value.parse().map_err(|_| ARGUMENTS)?,
                "ownership" => request.ownership = value.parse().map_err(|_| ARGUMENTS)?,
                _ => return Err(ARGUMENTS.to_owned()),
            }
        }
        Ok(request)
    }
}

/// An analysis that continues until the next line.
#[derive(Debug)]
pub(super) struct AnalysisUnderWay {
    request: AnalysisRequest,
    /// The seat whose turn it is in the game.
    to_move: Seat,
    /// The id of the command.
    id: Option<String>,
}

impl AnalysisUnderWay {
    /// Begins a requested analysis; `to_move` is the seat whose turn it is in the game.
    pub fn new(request: AnalysisRequest, to_move: Seat) -> Self {
        Self { request, to_move, id: None }
    }

    /// Writes updates, at least one, while `wait` waits for the next line, and then the end of the reply.
    pub fn answer_while<T>(
        self,
        engine: &mut Engine,
        limits: Limits,
        output: &mut (impl Write + Send),
        wait: impl FnOnce() -> T,
    ) -> io::Result<T> {
        let AnalysisRequest { form, every, moves, root_info, ownership, .. } = self.request;
        let mut run = AnalysisRun::new(limits, moves, ownership, Some(every));
        let mut tell = |engine: &Engine, analysis: &Analysis| {
            match form {
                Form::Shares => writeln!(output, "{}", analysis.to_info(root_info))?,
                Form::TenThousandths => writeln!(output, "{}", analysis.to_leela_info())?,
                Form::Graphics => write!(output, "{}", drawing(engine).unwrap_or_default())?,
            }
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
                let told = tell(engine, &analysis);
                let more = more && told.is_ok();
                written = Some(told);
                more
            },
            wait,
        );
        match written {
            Some(written) => written?,
            None => {
                let analysis = run.stopped(engine);
                tell(engine, &analysis)?;
            }
        }
        engine.hand_turn_to(self.to_move);
        match form {
            Form::Shares | Form::TenThousandths => writeln!(output)?,
            Form::Graphics => write!(output, "{}", reply(self.id.as_deref(), done()).text)?,
        }
        output.flush()?;
        Ok(next)
    }

    /// Returns the beginning of the reply, which continues until the next line.
    pub fn beginning(&self) -> String {
        match self.request.form {
            Form::Shares | Form::TenThousandths => format!("={}\n", self.id.as_deref().unwrap_or_default()),
            Form::Graphics => String::new(),
        }
    }

    /// Returns the same analysis as the answer to a command with this id.
    pub fn with_id(self, id: Option<String>) -> Self {
        Self { id, ..self }
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_key(word: &str) -> bool {
    ["interval", "maxmoves", "rootInfo", "ownership"].contains(&word)
}

fn interval_of(text: &str) -> Result<Duration, String> {
    let centiseconds = text.parse::<u64>().ok().filter(|number| (1..=MOST_CENTISECONDS).contains(number));
    Ok(Duration::from_millis(10 * centiseconds.ok_or(ARGUMENTS)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game_named;

    #[test]
    fn requests() {
        let parse = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            AnalysisRequest::parse(game_named("cachex").unwrap(), Form::Shares, &words)
        };
        let (form, every, moves) = (Form::Shares, EVERY, usize::MAX);
        let plain = AnalysisRequest { form, seat: None, every, moves, root_info: false, ownership: false };
        let tenth = Duration::from_millis(100);
        assert_eq!(parse(""), Ok(plain));
        assert_eq!(parse("10"), Ok(AnalysisRequest { every: tenth, ..plain }));
        assert_eq!(parse("interval 10"), Ok(AnalysisRequest { every: tenth, ..plain }));
        assert_eq!(parse("b"), Ok(AnalysisRequest { seat: Some(Seat::First), ..plain }));
        assert_eq!(
            parse("blue 10 maxmoves 3 ownership true"),
            Ok(AnalysisRequest { seat: Some(Seat::Second), every: tenth, moves: 3, ownership: true, ..plain })
        );
        assert_eq!(parse("rootInfo true"), Ok(AnalysisRequest { root_info: true, ..plain }));
        for text in
            ["rootInfo 1", "green", "0", "b -1", "10 b", "interval", "maxmoves 0", "ownership 1", "b 10 allow b a1 3"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
