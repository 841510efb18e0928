//! Requests of clients, parsed from untrusted text.

use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use hexzero_engine::review::DEFAULT_VISITS;
use hexzero_games::Arrangement;
use hexzero_search::{Level, Limits};
use hexzero_system::texts::cut;

use super::shared_board::BoardAction;

/// The time limit of a move or an analysis.
pub(crate) const MAX_SEARCH: Duration = Duration::from_secs(60);

/// The largest integer that every JSON parser reads exactly.
const MAX_ID: u64 = (1 << 53) - 1;

/// The number of best moves in an analysis: the default, and the limit.
const LINES: usize = 5;
const MAX_LINES: usize = 1000;

/// The limit on visits for each position of a review.
const MAX_REVIEW_VISITS: u32 = 100_000;

/// The number of characters of a client's text that a message quotes.
const QUOTED: usize = 40;

/// A game from its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionRequest {
    pub game: String,
    pub size: usize,
    /// The first position, if it is not an empty board.
    pub setup: Option<Arrangement>,
    pub moves: Vec<String>,
}

/// A clock for the rest of a game.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockField {
    left: f64,
    #[serde(default)]
    increment: f64,
}

/// The limits of a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveTask {
    pub level: Level,
    pub visits: Option<u32>,
    pub seconds: Option<Duration>,
    /// The time left for the player's moves, and the increment.
    pub clock: Option<(Duration, Duration)>,
}

/// A search task.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Task {
    /// Choose a move.
    Move(MoveTask),
    /// Analyse the position.
    Analyze { seconds: Duration, lines: usize },
    /// Review the whole game, with this many visits of each position.
    Review { visits: u32 },
}

/// The command of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// The positions after `from` moves and all later ones; without a number only the last.
    States { position: PositionRequest, from: Option<usize> },
    /// Begin a search.
    Think { position: PositionRequest, task: Task },
    /// Stop the search.
    Stop,
    /// Share a board with this position.
    Share { position: PositionRequest },
    /// Open the shared board of a token, and follow what happens on it.
    Join { token: String },
    /// Play a move on a shared board, after `ply` moves.
    Play { token: String, ply: usize, name: String },
    /// Do something other than a move on a shared board.
    Act { token: String, action: BoardAction },
}

/// A request and the number that its answers repeat.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub id: u64,
    pub command: Command,
}

/// The reason why a text is not a request.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RequestError {
    #[error("not a JSON object: {0}")]
    NotAnObject(String),
    #[error("'{0}' is missing")]
    Missing(&'static str),
    #[error("'{name}' cannot be read: {problem}")]
    Unreadable { name: &'static str, problem: String },
    #[error("'{name}' must be {accepted}")]
    OutOfRange { name: &'static str, accepted: String },
    #[error("unknown request '{0}'; choose states, move, analyze, review, stop, share, join, play or act")]
    UnknownCommand(String),
    #[error("'{command}' has no field '{key}'")]
    UnknownField { key: String, command: String },
}

/// A text that is not a request, with its number if it has one.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejected {
    pub id: Option<u64>,
    pub reason: RequestError,
}

impl Request {
    /// Parses a request.
    pub fn parse(text: &str) -> Result<Self, Rejected> {
        let fields = serde_json::from_str(text).map_err(|error| RequestError::NotAnObject(error.to_string()));
        let mut fields = Fields(fields.map_err(|reason| Rejected { id: None, reason })?);
        let id = fields.id().map_err(|reason| Rejected { id: None, reason })?;
        match Command::read(fields) {
            Ok(command) => Ok(Self { id, command }),
            Err(reason) => Err(Rejected { id: Some(id), reason }),
        }
    }
}

impl Command {
    fn read(mut fields: Fields) -> Result<Self, RequestError> {
        let name: String = fields.required("do")?;
        let command = match name.as_str() {
            "states" => Self::States { position: fields.position()?, from: fields.optional("from")? },
            "move" => Self::Think { position: fields.position()?, task: Task::Move(fields.move_task()?) },
            "analyze" => {
                let seconds = fields.seconds()?.unwrap_or(MAX_SEARCH);
                let lines = fields.optional("lines")?.unwrap_or(LINES);
                in_range("lines", (1..=MAX_LINES).contains(&lines), || format!("from 1 to {MAX_LINES}"))?;
                Self::Think { position: fields.position()?, task: Task::Analyze { seconds, lines } }
            }
            "review" => {
                let visits = fields.optional("visits")?.unwrap_or(DEFAULT_VISITS);
                let most = MAX_REVIEW_VISITS;
                in_range("visits", (1..=most).contains(&visits), || format!("from 1 to {most}"))?;
                Self::Think { position: fields.position()?, task: Task::Review { visits } }
            }
            "stop" => Self::Stop,
            "share" => Self::Share { position: fields.position()? },
            "join" => Self::Join { token: fields.required("token")? },
            "play" => Self::Play {
                token: fields.required("token")?,
                ply: fields.required("ply")?,
                name: fields.required("move")?,
            },
            "act" => Self::Act { token: fields.required("token")?, action: fields.required("deed")? },
            _ => return Err(RequestError::UnknownCommand(quoted(&name))),
        };
        match fields.0.keys().next() {
            None => Ok(command),
            Some(key) => Err(RequestError::UnknownField { key: quoted(key), command: name }),
        }
    }
}

/// The fields of a request that have not been read.
struct Fields(Map<String, Value>);

impl Fields {
    /// Takes a field that may be missing or null.
    fn optional<T: DeserializeOwned>(&mut self, name: &'static str) -> Result<Option<T>, RequestError> {
        let value = self.0.remove(name).unwrap_or_default();
        let unreadable = |error: serde_json::Error| RequestError::Unreadable { name, problem: shortened(error) };
        serde_json::from_value(value).map_err(unreadable)
    }

    fn required<T: DeserializeOwned>(&mut self, name: &'static str) -> Result<T, RequestError> {
        self.optional(name)?.ok_or(RequestError::Missing(name))
    }

    fn id(&mut self) -> Result<u64, RequestError> {
        let id = self.required("id")?;
        in_range("id", id <= MAX_ID, || format!("from 0 to {MAX_ID}"))?;
        Ok(id)
    }

    fn position(&mut self) -> Result<PositionRequest, RequestError> {
        Ok(PositionRequest {
            game: self.required("game")?,
            size: self.required("size")?,
            setup: self.optional("setup")?,
            moves: self.required("moves")?,
        })
    }

    /// Reads the time limit of one search.
    fn seconds(&mut self) -> Result<Option<Duration>, RequestError> {
        let Some(seconds) = self.optional::<f64>("seconds")? else { return Ok(None) };
        let most = MAX_SEARCH.as_secs_f64();
        let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        in_range("seconds", !time.is_zero() && seconds <= most, || format!("more than 0 and at most {most}"))?;
        Ok(Some(time))
    }

    fn move_task(&mut self) -> Result<MoveTask, RequestError> {
        let level = self.optional::<String>("level")?.map_or(Ok(Level::FULL), |name| name.parse());
        let level = level.map_err(|error| RequestError::Unreadable { name: "level", problem: shortened(error) })?;
        let visits = self.optional("visits")?;
        let most = Limits::MAX_VISITS;
        in_range("visits", visits.is_none_or(|visits| (1..=most).contains(&visits)), || format!("from 1 to {most}"))?;
        let clock = self.optional::<ClockField>("clock")?.map(ClockField::times).transpose()?;
        Ok(MoveTask { level, visits, seconds: self.seconds()?, clock })
    }
}

impl ClockField {
    fn times(self) -> Result<(Duration, Duration), RequestError> {
        let most = Limits::MAX_TIME.as_secs_f64();
        let time = |name, seconds: f64| {
            in_range(name, (0.0..=most).contains(&seconds), || format!("from 0 to {most} seconds"))?;
            Ok(Duration::from_secs_f64(seconds))
        };
        Ok((time("clock.left", self.left)?, time("clock.increment", self.increment)?))
    }
}

fn in_range(name: &'static str, is_in: bool, accepted: impl FnOnce() -> String) -> Result<(), RequestError> {
    if is_in { Ok(()) } else { Err(RequestError::OutOfRange { name, accepted: accepted() }) }
}

/// Shortens a client's word for a message.
pub fn quoted(text: &str) -> String {
    cut(text, QUOTED).into_owned()
}

/// Shortens a message that quotes a client's text.
fn shortened(message: impl ToString) -> String {
    cut(&message.to_string(), 6 * QUOTED).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use hexzero_games::Seat;

    const MOVE: &str = r#"{"id":7,"do":"move","game":"cachex","size":5,"moves":["c1","swap"],"level":"casual"}"#;

    fn error(text: &str) -> (Option<u64>, String) {
        let rejected = Request::parse(text).unwrap_err();
        (rejected.id, rejected.reason.to_string())
    }

    #[test]
    fn requests_of_every_kind() {
        let moves = vec!["c1".into(), "swap".into()];
        let position = PositionRequest { game: "cachex".into(), size: 5, setup: None, moves };
        let command = |rest: &str| {
            let text = format!(r#"{{"id":1,"game":"cachex","size":5,"moves":["c1","swap"],{rest}}}"#);
            Request::parse(&text).unwrap().command
        };
        assert_eq!(command(r#""do":"states""#), Command::States { position: position.clone(), from: None });
        let setup = Arrangement { first: vec!["a1".into()], second: Vec::new(), to_move: Seat::Second };
        let arranged = PositionRequest { setup: Some(setup), ..position.clone() };
        let arranged_command = command(r#""do":"states","setup":{"first":["a1"],"to_move":"second"}"#);
        assert_eq!(arranged_command, Command::States { position: arranged, from: None });
        assert_eq!(command(r#""do":"states","from":0"#), Command::States { position: position.clone(), from: Some(0) });
        let task = MoveTask { level: "casual".parse().unwrap(), visits: None, seconds: None, clock: None };
        assert_eq!(
            Request::parse(MOVE).unwrap().command,
            Command::Think { position: position.clone(), task: Task::Move(task) }
        );
        let clock = Some((Duration::from_millis(2500), Duration::ZERO));
        let task = MoveTask { level: Level::FULL, visits: Some(9), seconds: Some(Duration::from_secs(60)), clock };
        assert_eq!(
            command(r#""do":"move","visits":9,"seconds":60,"clock":{"left":2.5}"#),
            Command::Think { position: position.clone(), task: Task::Move(task) }
        );
        let task = Task::Review { visits: 9 };
        let reviewed = Command::Think { position: position.clone(), task };
        assert_eq!(command(r#""do":"review","visits":9"#), reviewed);
        let task = Task::Analyze { seconds: Duration::from_millis(500), lines: 8 };
        assert_eq!(command(r#""do":"analyze","seconds":0.5,"lines":8"#), Command::Think { position, task });
        assert_eq!(Request::parse(r#"{"do":"stop","id":0}"#), Ok(Request { id: 0, command: Command::Stop }));
    }

    #[test]
    fn invalid_requests_get_a_reason() {
        for text in ["", "[]", "null", "7", "{", "{\"id\":1", "\"stop\""] {
            let (id, message) = error(text);
            assert!(id.is_none() && message.starts_with("not a JSON object: "), "{text}: {message}");
        }
        for (text, message) in [
            ("{}", "'id' is missing"),
            (r#"{"id":null}"#, "'id' is missing"),
            (r#"{"id":9007199254740992}"#, "'id' must be from 0 to 9007199254740991"),
            (r#"{"id":"x"}"#, "'id' cannot be read: invalid type: string \"x\", expected u64"),
        ] {
            assert_eq!(error(text), (None, message.to_owned()));
        }
        for (from, to, message) in [
            (r#""do":"move","#, "", "'do' is missing"),
            (r#""size":5,"#, "", "'size' is missing"),
            (r#""size":5"#, r#""size":-5"#, "'size' cannot be read: invalid value: integer `-5`, expected usize"),
            (r#"["c1","swap"]"#, r#"["c1",2]"#, "'moves' cannot be read: invalid type: integer `2`, expected a string"),
            (r#""casual""#, r#""casual","seconds":0"#, "'seconds' must be more than 0 and at most 60"),
            (r#""casual""#, r#""casual","visits":0"#, "'visits' must be from 1 to 10000000"),
            (r#""casual""#, r#""casual","clock":{"left":-1}"#, "'clock.left' must be from 0 to 86400 seconds"),
            (r#""casual""#, r#""casual","lines":3"#, "'move' has no field 'lines'"),
            (r#"casual"#, r#"godlike"#, "'level' cannot be read: 'godlike' is not a level; choose newcomer, "),
        ] {
            let (id, told) = error(&MOVE.replacen(from, to, 1));
            assert!(id == Some(7) && told.starts_with(message), "{told}");
        }
    }

    proptest! {
        /// Any text gets a short answer.
        #[test]
        fn anything_is_answered(text in any::<String>()) {
            if let Err(rejected) = Request::parse(&text) {
                prop_assert!(rejected.reason.to_string().len() < 4096);
            }
        }

        /// Nearly valid texts get a short answer, too.
        #[test]
        fn damaged_requests_are_answered(cut in 0..MOVE.len(), length in 0usize..8, with in "[\\PC\"{}\\[\\]:,0-9e.-]{0,9}") {
            let mut text = MOVE.as_bytes().to_vec();
            text.splice(cut..(cut + length).min(MOVE.len()), with.bytes());
            if let Ok(text) = String::from_utf8(text)
                && let Err(rejected) = Request::parse(&text)
            {
                prop_assert!(rejected.reason.to_string().len() < 4096);
            }
        }
    }
}
