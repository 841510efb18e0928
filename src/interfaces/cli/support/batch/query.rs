//! A query of batch analysis: one line of JSON, in this program's form or in that of KataGo's analysis engine.

use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::Defaults;
use crate::engine::analysis::LEAST_INTERVAL;
use crate::games::{Action, Arrangement, Game, Position, Seat, game_named};
use crate::search::Limits;

/// A query: positions of a game to analyse, or something else to do.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Query {
    pub id: String,
    pub action: Option<String>,
    pub terminate_id: Option<String>,
    /// The turns to terminate.
    pub turn_numbers: Option<Vec<usize>>,
    #[serde(alias = "rules")]
    game: Option<String>,
    #[serde(alias = "boardSize", alias = "boardXSize")]
    size: Option<usize>,
    board_y_size: Option<usize>,
    /// Go's compensation means nothing here.
    #[serde(rename = "komi")]
    _komi: Option<IgnoredAny>,
    setup: Option<Arrangement>,
    initial_stones: Option<Vec<(String, String)>>,
    initial_player: Option<String>,
    #[serde(default)]
    moves: Vec<QueryMove>,
    #[serde(alias = "visits")]
    max_visits: Option<u32>,
    analyze_turns: Option<Vec<usize>>,
    #[serde(default)]
    priority: i64,
    priorities: Option<Vec<i64>>,
    report_during_search_every: Option<f64>,
    lines: Option<usize>,
    #[serde(default)]
    include_ownership: bool,
}

/// A move of a query.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "moves: a move is a name, such as \"c3\", or a player and a name, such as [\"B\", \"c3\"]"
)]
pub enum QueryMove {
    Name(String),
    OfPlayer(String, String),
}

/// A position to analyse.
pub struct Job {
    pub id: String,
    pub turn: usize,
    /// The position before the first move.
    pub start: Position,
    pub moves: Vec<(Seat, Action)>,
    pub limits: Limits,
    pub lines: usize,
    pub ownership: bool,
    /// The time between two reports during the search.
    pub every: Option<Duration>,
}

/// Returns a job for each position of a query, with its priority.
pub fn jobs(query: &Query, defaults: &Defaults) -> Result<Vec<(i64, Job)>, String> {
    let game = match &query.game {
        Some(name) => game_named(name).map_err(|error| error.to_string())?,
        None => defaults.game,
    };
    let size = query.size.unwrap_or(game.boards.default);
    if let Some(other) = query.board_y_size.filter(|other| *other != size) {
        return Err(format!("boardYSize is {other}, boardXSize {size}; boards have one size: give both the same"));
    }
    let every = query.every()?;
    let start = game.start_from(size, query.arrangement(game)?.as_ref()).map_err(|error| error.to_string())?;
    let mut position = start.clone();
    let mut moves = Vec::new();
    let mut over = position.outcome().map(|_| 0);
    for (index, played) in query.moves.iter().enumerate() {
        let mover = position.to_move();
        let name = match played {
            QueryMove::Name(name) => name,
            QueryMove::OfPlayer(player, name) => {
                let of = seat(game, player).map_err(|error| format!("move {}: {error}", index + 1))?;
                if of != mover && over.is_none() {
                    let turn = game.seat_name(mover);
                    return Err(format!("move {} '{name}': it is {turn}'s turn, not that of '{player}'", index + 1));
                }
                name
            }
        };
        let action = position.play_named(name).map_err(|error| format!("move {} '{name}': {error}", index + 1))?;
        moves.push((mover, action));
        over = over.or_else(|| position.outcome().map(|_| index + 1));
    }
    let visits = query.max_visits.or(defaults.limits.visits);
    if query.max_visits.is_some_and(|visits| !(1..=Limits::MOST_VISITS).contains(&visits)) {
        return Err(format!("maxVisits must be from 1 to {}", Limits::MOST_VISITS));
    }
    // The query's visits take precedence over a time for all.
    let time = if query.max_visits.is_some() { None } else { defaults.limits.time };
    let turns = query.analyze_turns.clone().unwrap_or_else(|| vec![moves.len()]);
    if turns.is_empty() {
        return Err("analyzeTurns names no turn; leave it out for the last one".to_owned());
    }
    let job = |turn: usize| {
        if turn > moves.len() {
            return Err(format!("analyzeTurns: the game has {} moves, not {turn}", moves.len()));
        }
        if over.is_some_and(|over| turn >= over) {
            return Err(format!("the game is over after these {turn} moves; there is nothing to analyse"));
        }
        Ok(Job {
            id: query.id.clone(),
            turn,
            start: start.clone(),
            moves: moves[..turn].to_vec(),
            limits: Limits { visits, time, ..defaults.limits },
            lines: query.lines.unwrap_or(defaults.lines),
            ownership: query.include_ownership,
            every,
        })
    };
    let priorities = query.priorities(turns.len())?;
    turns.into_iter().zip(priorities).map(|(turn, priority)| Ok((priority, job(turn)?))).collect()
}

impl Query {
    /// Returns the stones that the game begins with, if it does not begin with an empty board.
    fn arrangement(&self, game: Game) -> Result<Option<Arrangement>, String> {
        if self.initial_stones.is_none() && self.initial_player.is_none() {
            return Ok(self.setup.clone());
        }
        if self.setup.is_some() {
            return Err("give either setup or initialStones and initialPlayer".to_owned());
        }
        let mut arrangement = Arrangement::default();
        for (player, place) in self.initial_stones.iter().flatten() {
            let seat = seat(game, player).map_err(|error| format!("initialStones: {error}"))?;
            arrangement.add(seat, place);
        }
        if let Some(player) = &self.initial_player {
            arrangement.to_move = seat(game, player).map_err(|error| format!("initialPlayer: {error}"))?.into();
        }
        let is_the_usual =
            self.initial_stones.as_ref().is_none_or(Vec::is_empty) && arrangement == Arrangement::default();
        Ok(Some(arrangement).filter(|_| !is_the_usual))
    }

    /// Returns the time between two reports during the search.
    fn every(&self) -> Result<Option<Duration>, String> {
        let accepted = LEAST_INTERVAL.as_secs_f64()..=86_400.0;
        match self.report_during_search_every {
            Some(seconds) if !accepted.contains(&seconds) => {
                let (least, most) = accepted.into_inner();
                Err(format!("reportDuringSearchEvery must be from {least} to {most} seconds"))
            }
            seconds => Ok(seconds.map(Duration::from_secs_f64)),
        }
    }

    /// Returns the priority of each analysed turn.
    fn priorities(&self, turns: usize) -> Result<Vec<i64>, String> {
        match &self.priorities {
            Some(priorities) if priorities.len() != turns => {
                Err(format!("priorities: {} of them for {turns} analyzeTurns; give one for each", priorities.len()))
            }
            Some(priorities) => Ok(priorities.clone()),
            None => Ok(vec![self.priority; turns]),
        }
    }
}

/// Returns the seat that a query calls `name`: by the game's own names, or B and W as over GTP.
fn seat(game: Game, name: &str) -> Result<Seat, String> {
    let word = name.to_ascii_lowercase();
    let is_named = |seat: &Seat| game.seat_name(*seat) == word;
    let is_coloured = |seat: &Seat| {
        let colour = game.protocol_colour(*seat);
        word == colour || word == colour[..1]
    };
    let found = Seat::BOTH.into_iter().find(is_named).or_else(|| Seat::BOTH.into_iter().find(is_coloured));
    let [first, second] = Seat::BOTH.map(|seat| game.seat_name(seat));
    found.ok_or_else(|| format!("there is no player '{name}'; choose {first}, {second}, B or W"))
}
