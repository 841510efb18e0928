//! A position as the page draws it, which knows no rules.

use serde::Serialize;

use crate::games::{EndReason, ForGame, Game, Position, Outcome, with_game};
use crate::interfaces::engine::{Engine, Played, legal_action};

use super::request::{Position, quoted};

/// A position and the move that led to it. docs/web.md describes the JSON.
#[derive(Debug, Serialize)]
pub(super) struct State {
    board: String,
    to_move: Option<&'static str>,
    player: Option<&'static str>,
    #[serde(rename = "move")]
    played: Option<String>,
    cell: Option<usize>,
    captured: Vec<String>,
    legal: Vec<String>,
    swap: Option<&'static str>,
    outcome: Option<Ending>,
    chain: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Ending {
    winner: Option<&'static str>,
    reason: EndReason,
    text: String,
}

impl State {
    /// A position after its last move, if it has one.
    pub fn new(game: &Position, last: Option<&Played>) -> Self {
        let name = |player| Engine::name_of(player);
        let ending = |outcome: Outcome| Ending {
            winner: outcome.winner.map(name),
            reason: outcome.reason,
            text: Engine::ending(outcome),
        };
        let outcome = game.outcome();
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        let globals = actions.iter().filter_map(|&action| game.global_action(action));
        let swap = globals.map(|global| G::GLOBAL_ACTION_NAMES[global]).next();
        actions.retain(|&action| game.global_action(action).is_none());
        Self {
            board: (0..game.topology().cells()).map(|cell| game.symbol(cell)).collect(),
            to_move: outcome.is_none().then(|| name(game.to_move())),
            player: last.map(|last| name(last.player)),
            played: last.map(|last| last.name.clone()),
            cell: last.and_then(|last| last.cell),
            captured: last.map(|last| last.captured.clone()).unwrap_or_default(),
            legal: actions.into_iter().map(|action| game.action_name(action)).collect(),
            swap,
            outcome: outcome.map(ending),
            chain: game.winning_chain().into_iter().map(|cell| game.cell_name(cell)).collect(),
        }
    }
}

/// The positions after `from` moves and more up to all; without a number only the last.
///
/// # Errors
/// Why there is no such position, in words.
pub(super) fn states(position: &Position, from: Option<usize>) -> Result<Vec<State>, String> {
    let turns = position.moves.len();
    let from = from.unwrap_or(turns);
    if from > turns {
        return Err(format!("'from' is {from}, but there are only {turns} moves"));
    }
    with_game(&position.game, Replay { position, from }).map_err(|_| no_game(&position.game))?
}

/// There is no such game.
pub(super) fn no_game(name: &str) -> String {
    crate::games::UnknownGame { name: quoted(name) }.to_string()
}

/// A move cannot be played.
pub(super) fn bad_move(number: usize, text: &str, problem: &impl ToString) -> String {
    format!("move {number}, '{}': {}", quoted(text), problem.to_string())
}

struct Replay<'a> {
    position: &'a Position,
    from: usize,
}

impl ForGame for Replay<'_> {
    type Output = Result<Vec<State>, String>;

    fn for_game(self) -> Self::Output {
        let Self { position, from } = self;
        let mut game = G::new(position.size).map_err(|error| error.to_string())?;
        let mut states = Vec::new();
        if from == 0 {
            states.push(State::new(&game, None));
        }
        for (number, text) in (1..).zip(&position.moves) {
            let action = legal_action(&game, text).map_err(|error| bad_move(number, text, &error))?;
            let last = Played::of(&mut game, action);
            if number >= from {
                states.push(State::new(&game, Some(&last)));
            }
        }
        Ok(states)
    }
}
