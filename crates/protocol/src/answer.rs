//! Answers to clients, with positions in the form in which the page draws them, as it knows no rules.

use serde::Serialize;

use crate::request::{PositionRequest, quoted};
use hexzero_engine::analysis::Analysis;
use hexzero_engine::review::Review;
use hexzero_engine::{Played, ending_in_words, legal_action};
use hexzero_games::{Change, Game, Outcome, Pick, Piece, Position, Score, Seat, UnknownGame, Way, game_named};
use hexzero_search::StopReason;

use super::shared_board::{SharedView, Tokens};

/// An answer to a request.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// Positions.
    States { states: Vec<PositionView> },
    /// The engine's move, and its chances.
    Move {
        #[serde(rename = "move")]
        name: String,
        state: Box<PositionView>,
        win: f32,
        draw: f32,
        visits: u32,
        seconds: f64,
        /// Why the search ended.
        stop_reason: StopReason,
    },
    /// The analysis so far.
    Analysis { analysis: Box<Analysis> },
    /// The progress of a review.
    Reviewing { reviewing: Reviewing },
    /// A reviewed game; none if the review was stopped.
    Review { review: Option<Box<Review>> },
    /// The tokens of a board that is shared now.
    Tokens { tokens: Tokens },
    /// A shared board as it is, and the seat of the client.
    Shared { shared: SharedView, seat: Option<Seat> },
    /// The command was carried out.
    Done { done: bool },
    /// The search has stopped.
    Stopped { stopped: bool },
    /// An error.
    Error { error: String },
}

/// The number of positions reviewed so far.
#[derive(Debug, Serialize)]
pub struct Reviewing {
    pub done: usize,
    pub of: usize,
}

#[derive(Serialize)]
struct Reply<'a> {
    id: Option<u64>,
    #[serde(flatten)]
    answer: &'a Answer,
}

impl Answer {
    /// Creates an error.
    pub fn error(problem: impl ToString) -> Self {
        Self::Error { error: problem.to_string() }
    }

    /// Formats the answer as a text frame, for the request with this number if it had one.
    pub fn to_frame(&self, id: Option<u64>) -> String {
        serde_json::to_string(&Reply { id, answer: self }).expect("texts and numbers are JSON")
    }
}

/// A position and the move that led to it. docs/web.md describes the JSON.
#[derive(Debug, Serialize)]
pub struct PositionView {
    pieces: Vec<Option<Piece>>,
    to_move: Option<&'static str>,
    player: Option<&'static str>,
    #[serde(rename = "move")]
    played: Option<String>,
    changes: Vec<Change>,
    legal: Vec<Move>,
    outcome: Option<Ending>,
    chain: Vec<usize>,
    standing: Option<Score>,
    /// The minimum that each seat needs to join its sides, in games about that.
    needs: [Option<Need>; 2],
}

/// A legal move and its picks.
#[derive(Debug, Serialize)]
struct Move {
    name: String,
    picks: Vec<Pick>,
}

/// The stones that a seat needs to join its sides, and the places of a way that needs no more.
#[derive(Debug, Serialize)]
struct Need {
    stones: usize,
    way: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct Ending {
    winner: Option<&'static str>,
    reason: &'static str,
    text: String,
}

impl PositionView {
    /// Describes a position and its last move, if it has one.
    pub fn new(position: &Position, last: Option<&Played>) -> Self {
        let game = position.game();
        let name = |seat| game.seat_name(seat);
        let ending = |outcome: Outcome| Ending {
            winner: outcome.winner.map(name),
            reason: game.ending_key(outcome.reason),
            text: ending_in_words(game, outcome),
        };
        let outcome = position.outcome();
        let actions = position.legal();
        let legal = |&action| Move { name: position.action_name(action), picks: position.picks(action) };
        let board = position.board();
        let chain = position.winning_chain().into_iter();
        Self {
            pieces: (0..board.places().len()).map(|place| position.piece(place)).collect(),
            to_move: outcome.is_none().then(|| name(position.to_move())),
            player: last.map(|last| name(last.seat)),
            played: last.map(|last| last.name.clone()),
            changes: last.map(|last| last.changes.clone()).unwrap_or_default(),
            legal: actions.iter().map(legal).collect(),
            outcome: outcome.map(ending),
            chain: chain.filter_map(|cell| board.place_of_slot(0, cell)).collect(),
            standing: position.score(),
            needs: Seat::BOTH.map(|seat| Need::of(position, seat)),
        }
    }
}

impl Need {
    /// Returns the need of a seat, if the game is about joining sides and a way is left.
    fn of(position: &Position, seat: Seat) -> Option<Self> {
        let Way { stones, cells } = position.cheapest_way(seat)?;
        let way = cells.into_iter().filter_map(|cell| position.board().place_of_slot(0, cell)).collect();
        Some(Self { stones, way })
    }
}

/// Returns the positions after `from` moves and all later ones; without a number only the last.
///
/// # Errors
/// If there is no such game, board or position, or a move is illegal.
pub fn views(request: &PositionRequest, from: Option<usize>) -> Result<Vec<PositionView>, String> {
    let turns = request.moves.len();
    let from = from.unwrap_or(turns);
    if from > turns {
        return Err(format!("'from' must be at most {turns}, the number of moves, not {from}"));
    }
    let game = game_named(&request.game).map_err(|_| no_game(&request.game))?;
    let mut position = start_of(game, request)?;
    let mut views = Vec::new();
    if from == 0 {
        views.push(PositionView::new(&position, None));
    }
    for (number, text) in (1..).zip(&request.moves) {
        let action = legal_action(&position, text).map_err(|error| bad_move(number, text, &error))?;
        let last = Played::of(&mut position, action);
        if number >= from {
            views.push(PositionView::new(&position, Some(&last)));
        }
    }
    Ok(views)
}

/// Returns the position that a request's moves start from. Fails if the game has no such board or position.
pub(crate) fn start_of(game: Game, request: &PositionRequest) -> Result<Position, String> {
    game.start_from(request.size, request.setup.as_ref()).map_err(|error| error.to_string())
}

/// Formats the error for an unknown game.
pub fn no_game(name: &str) -> String {
    UnknownGame { name: quoted(name) }.to_string()
}

/// Formats the error for a move that cannot be played.
pub(crate) fn bad_move(number: usize, text: &str, problem: &impl ToString) -> String {
    format!("move {number}, '{}': {}", quoted(text), problem.to_string())
}
