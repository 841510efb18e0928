//! A query of batch analysis: one line of JSON, in this program's form or in that of KataGo's analysis engine.

use std::time::Duration;

use serde::Deserialize;

use super::Defaults;
use super::fields::{Fault, Fields};
use super::restrictions;
use super::settings::Settings;
use crate::cli::support::recorded::Moves;
use crate::gtp::{Restriction, seat_named};
use hexzero_engine::analysis::{Details, MIN_INTERVAL, Perspective};
use hexzero_games::{Arrangement, Game, Position, Seat, game_named};
use hexzero_search::Limits;

/// A query for the analysis of positions of a game.
#[derive(Debug)]
pub struct Query {
    pub(super) id: String,
    pub(super) game: Game,
    pub(super) size: usize,
    pub(super) setup: Option<Arrangement>,
    pub(super) initial_stones: Option<Vec<(String, String)>>,
    pub(super) initial_player: Option<String>,
    pub(super) moves: Vec<QueryMove>,
    pub(super) limits: Limits,
    pub(super) analyze_turns: Option<Vec<usize>>,
    pub(super) priority: i64,
    pub(super) priorities: Option<Vec<i64>>,
    pub(super) every: Option<Duration>,
    pub(super) lines: usize,
    pub(super) ownership: bool,
    pub(super) details: Details,
    pub(super) perspective: Perspective,
    pub(super) restrictions: Vec<Restriction>,
}

/// A move of a query.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum QueryMove {
    Name(String),
    OfPlayer(String, String),
}

/// Returns the visits asked for, and adds a warning if they are more than a search makes.
fn visits(asked: Option<u64>, warnings: &mut Vec<Fault>) -> Result<Option<u32>, Fault> {
    const FIELD: &str = "maxVisits";
    let Some(asked) = asked else { return Ok(None) };
    if asked == 0 {
        return Err(Fault::new(FIELD, format!("maxVisits must be from 1 to {}, not 0", Limits::MAX_VISITS)));
    }
    let visits = u32::try_from(asked).unwrap_or(u32::MAX).min(Limits::MAX_VISITS);
    if u64::from(visits) < asked {
        warnings.push(Fault::new(FIELD, format!("maxVisits is {asked}; a search ends at {visits}")));
    }
    Ok(Some(visits))
}

impl Query {
    pub fn take(id: &str, fields: &mut Fields, defaults: &Defaults, warnings: &mut Vec<Fault>) -> Result<Self, Fault> {
        const WHOLE: &str = "a whole number";
        const NUMBERS: &str = "a list of whole numbers";
        let game: Option<String> =
            fields.take_one_of(&["rules", "game"], "the name of a game, as 'hexzero games' lists")?;
        let game = match game {
            // KataGo's clients write rules with a capital, or without.
            Some(name) => {
                game_named(&name.to_ascii_lowercase()).map_err(|error| Fault::new("rules", error.to_string()))?
            }
            None => defaults.game,
        };
        let size = fields.take_one_of(&["boardXSize", "boardSize", "size"], WHOLE)?.unwrap_or(game.boards.default);
        if let Some(other) = fields.take("boardYSize", WHOLE)?.filter(|&other: &usize| other != size) {
            let problem = format!("boardYSize is {other}, boardXSize {size}; boards have one size: give both the same");
            return Err(Fault::new("boardYSize", problem));
        }
        // Go's compensation has no meaning here, but all clients send it.
        fields.ignore("komi");
        let settings = Settings::take(fields, warnings)?;
        let asked = fields.take_one_of(&["maxVisits", "visits"], WHOLE)?.or(settings.max_visits);
        let visits = visits(asked, warnings)?;
        // The query's own limits take precedence over those for all.
        let time = settings.time.or(defaults.limits.time.filter(|_| visits.is_none()));
        Ok(Self {
            id: id.to_owned(),
            game,
            size,
            setup: fields.take("setup", "an object with the cells of first and second, as in docs/formats/games.md")?,
            initial_stones: fields.take("initialStones", "a list of stones, such as [[\"B\", \"c3\"]]")?,
            initial_player: fields.take("initialPlayer", "B or W")?,
            moves: fields
                .take("moves", "a list of moves: names, such as \"c3\", or pairs, such as [\"B\", \"c3\"]")?
                .unwrap_or_default(),
            limits: Limits { visits: visits.or(defaults.limits.visits), time, ..defaults.limits },
            analyze_turns: fields.take("analyzeTurns", NUMBERS)?,
            priority: fields.take("priority", WHOLE)?.unwrap_or(0),
            priorities: fields.take("priorities", NUMBERS)?,
            every: interval(fields.take("reportDuringSearchEvery", "a number of seconds")?)?,
            lines: fields.take("lines", WHOLE)?.unwrap_or(defaults.lines),
            ownership: fields.take_flag("includeOwnership")?,
            details: Details {
                policy: fields.take_flag("includePolicy")?,
                variation_visits: fields.take_flag("includePVVisits")?,
                line_boards: fields.take_flag("includeMovesOwnership")?,
                max_following: settings.max_following,
            },
            perspective: settings.perspective,
            restrictions: restrictions::take(fields, game, warnings)?,
        })
    }

    /// Returns the position before the first move, the moves, and the number of them after which the game is over.
    pub fn game_record(&self) -> Result<(Position, Moves, Option<usize>), Fault> {
        let (game, size) = (self.game, self.size);
        let start = game.start_from(size, self.arrangement()?.as_ref());
        let start = start.map_err(|error| Fault { field: None, problem: error.to_string() })?;
        let mut position = start.clone();
        let mut moves = Vec::new();
        let mut over = position.outcome().map(|_| 0);
        for (number, played) in (1..).zip(&self.moves) {
            let fault = |problem: String| Fault::new("moves", problem);
            let mover = position.to_move();
            let name = match played {
                QueryMove::Name(name) => name,
                QueryMove::OfPlayer(player, name) => {
                    let of = seat(game, player).map_err(|error| fault(format!("move {number}: {error}")))?;
                    if of != mover && over.is_none() {
                        let turn = game.seat_name(mover);
                        return Err(fault(format!(
                            "move {number} '{name}': it is {turn}'s turn, not that of '{player}'"
                        )));
                    }
                    name
                }
            };
            let action =
                position.play_named(name).map_err(|error| fault(format!("move {number} '{name}': {error}")))?;
            moves.push((mover, action));
            over = over.or_else(|| position.outcome().map(|_| number));
        }
        Ok((start, moves, over))
    }

    /// Returns the stones that the game begins with, if it does not begin with an empty board.
    fn arrangement(&self) -> Result<Option<Arrangement>, Fault> {
        if self.initial_stones.is_none() && self.initial_player.is_none() {
            return Ok(self.setup.clone());
        }
        if self.setup.is_some() {
            return Err(Fault::new("setup", "give either setup or initialStones and initialPlayer"));
        }
        let seat_in = |field: &'static str, player: &str| {
            seat(self.game, player).map_err(|error| Fault::new(field, format!("{field}: {error}")))
        };
        let mut arrangement = Arrangement::default();
        for (player, place) in self.initial_stones.iter().flatten() {
            arrangement.add(seat_in("initialStones", player)?, place);
        }
        if let Some(player) = &self.initial_player {
            arrangement.to_move = seat_in("initialPlayer", player)?;
        }
        Ok(Some(arrangement).filter(|arrangement| *arrangement != Arrangement::default()))
    }

    /// Returns the priority of each analysed turn.
    pub fn priorities(&self, turns: usize) -> Result<Vec<i64>, Fault> {
        match &self.priorities {
            Some(priorities) if priorities.len() != turns => {
                let problem =
                    format!("priorities: {} of them for {turns} analyzeTurns; give one for each", priorities.len());
                Err(Fault::new("priorities", problem))
            }
            Some(priorities) => Ok(priorities.clone()),
            None => Ok(vec![self.priority; turns]),
        }
    }
}

/// Checks the time between two reports during the search.
fn interval(seconds: Option<f64>) -> Result<Option<Duration>, Fault> {
    let accepted = MIN_INTERVAL.as_secs_f64()..=86_400.0;
    match seconds {
        Some(seconds) if !accepted.contains(&seconds) => {
            let (least, most) = accepted.into_inner();
            let problem = format!("reportDuringSearchEvery must be from {least} to {most} seconds, not {seconds}");
            Err(Fault::new("reportDuringSearchEvery", problem))
        }
        seconds => Ok(seconds.map(Duration::from_secs_f64)),
    }
}

/// Returns the seat that a query calls `name`: by the game's own names, or B and W as over GTP.
pub fn seat(game: Game, name: &str) -> Result<Seat, String> {
    let [first, second] = Seat::BOTH.map(|seat| game.seat_name(seat));
    seat_named(game, name).ok_or_else(|| format!("there is no player '{name}'; choose {first}, {second}, B or W"))
}
