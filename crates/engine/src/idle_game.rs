//! Games set aside with their searches.

use hexzero_games::Position;
use hexzero_search::Search;

use super::Engine;
use super::words::Played;

/// A game with its search, without an engine that goes on with it.
#[derive(Debug)]
pub struct IdleGame {
    search: Search,
    start: Position,
    played: Vec<Played>,
}

impl IdleGame {
    /// Returns the moves of the game.
    pub fn played(&self) -> &[Played] {
        &self.played
    }

    /// Returns the present position.
    pub fn position(&self) -> &Position {
        self.search.position()
    }

    /// Returns the memory allocated for the search tree, in bytes.
    pub fn memory(&self) -> usize {
        self.search.memory()
    }
}

impl Engine {
    /// Returns a copy of the game and its search.
    pub fn copy_of_game(&self) -> IdleGame {
        IdleGame { search: self.search.clone(), start: self.start.clone(), played: self.played.clone() }
    }

    /// Goes on with another game of this engine's, and returns the one so far.
    pub fn exchange(&mut self, game: IdleGame) -> IdleGame {
        IdleGame {
            search: std::mem::replace(&mut self.search, game.search),
            start: std::mem::replace(&mut self.start, game.start),
            played: std::mem::replace(&mut self.played, game.played),
        }
    }
}
