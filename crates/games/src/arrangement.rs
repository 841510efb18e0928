//! Positions that are set up stone by stone instead of played.

use serde::{Deserialize, Serialize};

use hexzero_board::VertexError;

use crate::{Game, Position, Seat, SizeError, all_games};

/// Texts are cut to this length before they are read as names of places, which are far shorter.
const MAX_NAME_LENGTH: usize = 24;

/// Stones on an otherwise empty board, and the side to move. docs/formats/games.md describes the JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrangement {
    /// The places of the first player's stones.
    #[serde(default)]
    pub first: Vec<String>,
    /// The places of the second player's stones.
    #[serde(default)]
    pub second: Vec<String>,
    /// The side to move.
    #[serde(default)]
    pub to_move: Seat,
}

impl Arrangement {
    /// Returns the stones of a position and its side to move.
    pub fn of(position: &Position) -> Self {
        let board = position.board();
        let of = |seat: Seat| {
            let places = 0..board.places().len();
            let is_owned = |&place: &usize| position.piece(place).is_some_and(|piece| piece.owner == Some(seat));
            places.filter(is_owned).map(|place| board.label(place).to_owned()).collect()
        };
        Self { first: of(Seat::First), second: of(Seat::Second), to_move: position.to_move() }
    }

    /// Adds a stone on the place with this name.
    pub fn add(&mut self, seat: Seat, place: &str) {
        let stones = if seat == Seat::First { &mut self.first } else { &mut self.second };
        stones.push(place.to_owned());
    }
}

/// An error in an arrangement of stones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArrangementError {
    /// The game is not played on such a board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The rules do not define positions without a history.
    #[error("positions of {game} cannot be set up; those of {} can", others.join(", "))]
    Game {
        /// The game's name.
        game: &'static str,
        /// The games whose positions can be set up.
        others: Vec<&'static str>,
    },
    /// A name is no place of the board.
    #[error("set-up: {0}")]
    Place(#[from] VertexError),
    /// Two stones are on one place, or a stone is where none can be.
    #[error("set-up: there cannot be {count} on {place}")]
    Stone {
        /// The place.
        place: String,
        /// The number of stones that the place cannot take: "a stone" or "two stones".
        count: &'static str,
    },
}

impl Game {
    /// Returns true if positions of the game can be set up stone by stone.
    pub fn arranges(self) -> bool {
        let on = self.game_board(self.boards.default);
        on.is_ok_and(|on| on.arranged_rules(&vec![None; on.board().places().len()], Seat::First).is_some())
    }

    /// Returns the position with these stones and no history, as if nothing had been played before.
    ///
    /// # Errors
    /// If the game is not played on such a board, its positions cannot be set up, or the stones are
    /// not on different places of the board.
    pub fn arrange(self, size: usize, arrangement: &Arrangement) -> Result<Position, ArrangementError> {
        let on = self.game_board(size)?;
        let board = on.board();
        let mut stones = vec![None; board.places().len()];
        for (seat, names) in [(Seat::First, &arrangement.first), (Seat::Second, &arrangement.second)] {
            for name in names {
                let name: String = name.chars().take(MAX_NAME_LENGTH).collect();
                let place = board.parse(&name)?;
                let refused = |count| ArrangementError::Stone { place: board.label(place).to_owned(), count };
                if !board.places()[place].playable {
                    return Err(refused("a stone"));
                }
                if stones[place].replace(seat).is_some() {
                    return Err(refused("two stones"));
                }
            }
        }
        let rules = on.arranged_rules(&stones, arrangement.to_move);
        rules.map(|rules| Position::of(on, rules)).ok_or_else(|| ArrangementError::Game {
            game: self.name(),
            others: all_games().into_iter().filter(|&game| game.arranges()).map(Game::name).collect(),
        })
    }

    /// Returns the position with these stones, by cell, and no history; `None` if the game is not played on such a
    /// board, the number of cells is another, or its positions cannot be set up.
    pub fn with_stones(self, size: usize, stones: &[Option<Seat>], to_move: Seat) -> Option<Position> {
        let on = self.game_board(size).ok()?;
        if stones.len() != on.board().places().len() {
            return None;
        }
        Some(Position::of(on, on.arranged_rules(stones, to_move)?))
    }

    /// Returns the start of a game: the empty board, or a position that was set up.
    ///
    /// # Errors
    /// As [`Game::arrange`].
    pub fn start_from(self, size: usize, arrangement: Option<&Arrangement>) -> Result<Position, ArrangementError> {
        match arrangement {
            Some(arrangement) => self.arrange(size, arrangement),
            None => Ok(self.start(size)?),
        }
    }
}
