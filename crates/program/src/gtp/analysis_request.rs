//! The arguments of the analysis commands, as KataGo's and Leela Zero's clients send them.

use std::time::Duration;

use hexzero_games::{Action, Game, Position, Seat};

use super::restrictions::{Restriction, left_out};
use super::words::{not_playable, seat};

/// The arguments that have an effect.
const ARGUMENTS: &str = "syntax error: hexzero-analyze [COLOUR] [CENTISECONDS] [interval CENTISECONDS] [minmoves N] [maxmoves N] \
     [rootInfo true] [ownership true] [avoid COLOUR MOVE,MOVE,... DEPTH] [allow COLOUR MOVE,MOVE,... DEPTH]";

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
const MAX_CENTISECONDS: f64 = 8_640_000.0;

/// The requested contents of an analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AnalysisRequest {
    pub form: Form,
    pub seat: Option<Seat>,
    pub every: Duration,
    pub moves: usize,
    pub root_info: bool,
    pub ownership: bool,
    /// The moves to search for a player, or not to.
    restrictions: Vec<Restriction>,
}

impl AnalysisRequest {
    fn new(form: Form) -> Self {
        let (seat, restrictions) = (None, Vec::new());
        Self { form, seat, every: EVERY, moves: usize::MAX, root_info: false, ownership: false, restrictions }
    }

    /// Parses arguments. Returns the request, and a warning for each option that has no effect here.
    pub fn parse(game: Game, form: Form, arguments: &[String]) -> Result<(Self, Vec<String>), String> {
        let (mut request, mut ignored) = (Self::new(form), Vec::new());
        let mut words = arguments.iter().map(String::as_str).peekable();
        if let Some(word) = words.peek()
            && !is_number(word)
            && !is_key(word)
        {
            match seat(game, &arguments[..1]) {
                Ok(seat) => {
                    request.seat = Some(seat);
                    words.next();
                }
                // An option that is not known, with its value.
                Err(_) if arguments.get(1).is_some_and(|next| !is_number(next)) => {}
                Err(error) => return Err(error),
            }
        }
        if let Some(interval) = words.next_if(|word| is_number(word)) {
            request.every = interval_of(interval)?;
        }
        while let Some(key) = words.next() {
            if !is_key(key) {
                let value = words.next_if(|word| !is_key(word));
                if value != Some("false") {
                    ignored.push(format!("the analysis option '{key}' is not known and ignored"));
                }
                continue;
            }
            let value = words.next().ok_or(ARGUMENTS)?;
            match key {
                "interval" => request.every = interval_of(value)?,
                // All moves are listed anyway.
                "minmoves" => drop(number(value)?),
                "maxmoves" => request.moves = Some(number(value)?).filter(|&moves| moves > 0).ok_or(ARGUMENTS)?,
                "rootInfo" => request.root_info = flag(value)?,
                "ownership" => request.ownership = flag(value)?,
                _ => {
                    let seat = seat(game, &[value.to_owned()])?;
                    let moves = words.next().ok_or(ARGUMENTS)?.split(',').filter(|name| !name.is_empty());
                    let moves = moves.map(str::to_owned).collect();
                    if number(words.next().ok_or(ARGUMENTS)?)? > 1 {
                        ignored.push(format!("{key} applies to the next move only; its depth is ignored"));
                    }
                    request.restrictions.push(Restriction { seat, moves, allows: key == "allow" });
                }
            }
        }
        Ok((request, ignored))
    }

    /// Returns the moves of a position that are not to be searched.
    pub fn without(&self, position: &Position) -> Result<Vec<Action>, String> {
        let without = left_out(&self.restrictions, position).map_err(|(_, error)| not_playable(error))?;
        if !without.is_empty() && without.len() == position.legal().len() {
            return Err("avoid and allow leave no legal move".to_owned());
        }
        Ok(without)
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

fn is_key(word: &str) -> bool {
    ["interval", "minmoves", "maxmoves", "rootInfo", "ownership", "avoid", "allow"].contains(&word)
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| ARGUMENTS.to_owned())
}

/// Parses a truth value as KataGo does.
fn flag(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "1" => Ok(true),
        "false" | "f" | "no" | "n" | "0" => Ok(false),
        _ => Err(ARGUMENTS.to_owned()),
    }
}

fn interval_of(text: &str) -> Result<Duration, String> {
    let centiseconds = text.parse::<f64>().ok().filter(|&number| number > 0.0 && number <= MAX_CENTISECONDS);
    Ok(Duration::from_secs_f64(centiseconds.ok_or(ARGUMENTS)? / 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::game_named;

    fn parse(text: &str) -> Result<(AnalysisRequest, Vec<String>), String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        AnalysisRequest::parse(game_named("cachex").unwrap(), Form::Shares, &words)
    }

    #[test]
    fn requests() {
        let parsed = |text: &str| parse(text).map(|(request, _)| request);
        let plain = || AnalysisRequest::new(Form::Shares);
        let tenth = Duration::from_millis(100);
        assert_eq!(parsed(""), Ok(plain()));
        assert_eq!(parsed("10"), Ok(AnalysisRequest { every: tenth, ..plain() }));
        assert_eq!(parsed("interval 10 minmoves 1"), Ok(AnalysisRequest { every: tenth, ..plain() }));
        assert_eq!(parsed("b"), Ok(AnalysisRequest { seat: Some(Seat::First), ..plain() }));
        assert_eq!(
            parsed("blue 10 maxmoves 3 ownership true"),
            Ok(AnalysisRequest { seat: Some(Seat::Second), every: tenth, moves: 3, ownership: true, ..plain() })
        );
        assert_eq!(parsed("rootInfo true"), Ok(AnalysisRequest { root_info: true, ..plain() }));
        for text in ["rootInfo 7", "green", "green 10", "0", "interval", "maxmoves 0", "ownership 7", "avoid b a1"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn moves_to_avoid_and_to_allow() {
        let position = game_named("hex").unwrap().start(3).unwrap();
        let without = |text: &str| parse(text).unwrap().0.without(&position).map(|without| without.len());
        assert_eq!(without("avoid b a1,b2,pass 1 avoid b c3 5 avoid w a2 1"), Ok(3));
        assert_eq!(without("allow b a1,b2 1"), Ok(7));
        assert_eq!(without("allow b a1 1 allow b b2 1"), Ok(7));
        assert_eq!(without("allow b a1 1 avoid b a1 1"), Err("avoid and allow leave no legal move".to_owned()));
        assert!(without("avoid b z9 1").unwrap_err().starts_with("invalid vertex: 'z9'"));
    }
}
