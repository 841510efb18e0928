//! The work that a query asks for: a job for each position.

use std::sync::Arc;

use super::Defaults;
use super::fields::{Fault, Fields};
use super::query::Query;
use super::restrictions;
use hexzero_games::{Action, Position, Seat};

/// KataGo's fields that have no effect here.
const IGNORED: [&str; 6] = [
    "rootPolicyTemperature",
    "rootFpuReductionMax",
    "whiteHandicapBonus",
    "includeOwnershipStdev",
    "includeMovesOwnershipStdev",
    "includeNoResultValue",
];

/// A position to analyse.
pub struct Job {
    pub query: Arc<Query>,
    pub turn: usize,
    /// The position before the first move.
    pub start: Position,
    pub moves: Vec<(Seat, Action)>,
    /// Moves that the search may not begin with.
    pub left_out: Vec<Action>,
}

/// The work that a query asks for.
pub struct Work {
    /// A job for each position, with its priority.
    pub jobs: Vec<(i64, Job)>,
    /// The turns at which the game is over.
    pub finished: Vec<usize>,
    pub warnings: Vec<Fault>,
}

/// Returns the work that a query with this id asks for.
pub fn work_of(id: &str, mut fields: Fields, defaults: &Defaults) -> Result<Work, Fault> {
    let mut warnings = Vec::new();
    let query = Arc::new(Query::take(id, &mut fields, defaults, &mut warnings)?);
    for name in IGNORED {
        if fields.ignore(name) {
            warnings.push(Fault::new(name, format!("{name} has no meaning here and is ignored")));
        }
    }
    let unknown: Vec<&str> = fields.0.keys().map(String::as_str).collect();
    if !unknown.is_empty() {
        let problem = format!("unknown and ignored: {}; docs/playing.md lists the fields", unknown.join(", "));
        warnings.push(Fault { field: None, problem });
    }
    let (start, moves, over) = query.game_record()?;
    let turns = query.analyze_turns.clone().unwrap_or_else(|| vec![moves.len()]);
    if turns.is_empty() {
        return Err(Fault::new("analyzeTurns", "analyzeTurns names no turn; leave it out for the last one"));
    }
    let priorities = query.priorities(turns.len())?;
    let is_over = |turn: usize| over.is_some_and(|over| turn >= over);
    if let (Some(over), true) = (over, turns.iter().all(|&turn| is_over(turn))) {
        let problem = format!("the game is over after these {over} moves; there is nothing to analyse");
        return Err(Fault::new("analyzeTurns", problem));
    }
    let (mut jobs, mut finished) = (Vec::new(), Vec::new());
    for (turn, priority) in turns.into_iter().zip(priorities) {
        if turn > moves.len() {
            let problem = format!("analyzeTurns: the game has {} moves, not {turn}", moves.len());
            return Err(Fault::new("analyzeTurns", problem));
        }
        if is_over(turn) {
            finished.push(turn);
            continue;
        }
        let (query, start, moves) = (Arc::clone(&query), start.clone(), moves[..turn].to_vec());
        let mut position = start.clone();
        moves.iter().for_each(|&(_, action)| position.play(action));
        let left_out = restrictions::left_out(&query.restrictions, &position)?;
        jobs.push((priority, Job { query, turn, start, moves, left_out }));
    }
    if let Some(turn) = finished.first() {
        let problem = format!("the game is over after {turn} moves; what follows is not analysed");
        warnings.push(Fault::new("analyzeTurns", problem));
    }
    Ok(Work { jobs, finished, warnings })
}
