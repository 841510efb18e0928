//! A board that two people share: a game that the server keeps, and what either of them may do with
//! it.
//!
//! The board has no sockets, and identifies clients by their seats.

use serde::{Deserialize, Serialize};

use hexzero_engine::legal_action;
use hexzero_games::{Arrangement, Position, Seat, game_named};

use super::answer::{bad_move, no_game, start_of};
use super::request::PositionRequest;

/// What a player may do besides moving.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoardAction {
    /// Gives up.
    Resign,
    /// Asks to take back one's own last move, and all after it.
    Ask,
    /// Lets the opponent take back.
    Allow,
    /// Refuses to let the opponent take back, or no longer asks.
    Refuse,
}

/// A shared board as clients see it. docs/web.md describes the JSON.
#[derive(Debug, Clone, Serialize)]
pub struct SharedView {
    game: &'static str,
    size: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    setup: Option<Arrangement>,
    moves: Vec<String>,
    /// The player who has resigned.
    resigned: Option<Seat>,
    /// The player who asks to take back.
    asks: Option<Seat>,
}

/// The tokens that open a board: one for each seat, and one for those who watch.
#[derive(Debug, Clone, Serialize)]
pub struct Tokens {
    /// Of the first seat.
    pub first: String,
    /// Of the second seat.
    pub second: String,
    /// Of those who watch.
    pub watch: String,
}

/// A game that two people play on one board.
#[derive(Debug)]
pub struct SharedBoard {
    start: Position,
    position: Position,
    /// The seat that made each move.
    movers: Vec<Seat>,
    view: SharedView,
}

impl SharedBoard {
    /// Creates a board on which these moves were played.
    ///
    /// # Errors
    /// If there is no such game, board or position, or a move is illegal.
    pub fn new(request: &PositionRequest) -> Result<Self, String> {
        let game = game_named(&request.game).map_err(|_| no_game(&request.game))?;
        let start = start_of(game, request)?;
        let (size, setup) = (request.size, request.setup.clone());
        let view = SharedView { game: game.name(), size, setup, moves: Vec::new(), resigned: None, asks: None };
        let mut board = Self { position: start.clone(), start, movers: Vec::new(), view };
        for (number, text) in (1..).zip(&request.moves) {
            board.add(text).map_err(|problem| bad_move(number, text, &problem))?;
        }
        Ok(board)
    }

    /// Returns what clients see of the board.
    pub fn view(&self) -> &SharedView {
        &self.view
    }

    /// Plays a move of a seat, after the `ply` moves that the player has seen.
    ///
    /// # Errors
    /// If it is not that seat's turn, the game has gone on or is over, or the move is illegal.
    pub fn play(&mut self, seat: Seat, ply: usize, text: &str) -> Result<(), String> {
        self.still_open()?;
        if ply != self.movers.len() {
            return Err("the game has gone on meanwhile; look at the board again".to_owned());
        }
        let mover = self.position.to_move();
        if mover != seat {
            return Err(format!("it is {}'s turn", self.position.game().seat_name(mover)));
        }
        self.add(text).map_err(|problem| bad_move(ply + 1, text, &problem))?;
        self.view.asks = None;
        Ok(())
    }

    /// Does something other than a move for a seat.
    ///
    /// # Errors
    /// If it cannot be done now.
    pub fn act(&mut self, seat: Seat, action: BoardAction) -> Result<(), String> {
        self.still_open()?;
        match (action, self.view.asks) {
            (BoardAction::Resign, _) => (self.view.resigned, self.view.asks) = (Some(seat), None),
            (BoardAction::Ask, None) if !self.movers.contains(&seat) => {
                return Err("there is no move of yours yet".to_owned());
            }
            (BoardAction::Ask, None) => self.view.asks = Some(seat),
            (BoardAction::Ask, Some(_)) => return Err("a take-back has been asked for already".to_owned()),
            (BoardAction::Allow | BoardAction::Refuse, None) => {
                return Err("no take-back has been asked for".to_owned());
            }
            (BoardAction::Allow, Some(asker)) if asker == seat => {
                return Err("the other player has to allow that".to_owned());
            }
            (BoardAction::Allow, Some(asker)) => self.take_back(asker),
            (BoardAction::Refuse, Some(_)) => self.view.asks = None,
        }
        Ok(())
    }

    fn still_open(&self) -> Result<(), String> {
        let is_over = self.view.resigned.is_some() || self.position.outcome().is_some();
        if is_over { Err("the game is over".to_owned()) } else { Ok(()) }
    }

    fn add(&mut self, text: &str) -> Result<(), String> {
        let action = legal_action(&self.position, text).map_err(|error| error.to_string())?;
        self.movers.push(self.position.to_move());
        self.view.moves.push(self.position.action_name(action));
        self.position.play(action);
        Ok(())
    }

    /// Goes back before the last move of a seat.
    fn take_back(&mut self, seat: Seat) {
        let left = self.movers.iter().rposition(|&mover| mover == seat).unwrap_or_default();
        let moves = std::mem::take(&mut self.view.moves);
        self.movers.clear();
        (self.position, self.view.asks) = (self.start.clone(), None);
        for name in &moves[..left] {
            // The moves were legal before.
            let _ = self.add(name);
        }
    }
}
