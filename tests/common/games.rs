//! Games by name, and positions of them.

use hexzero::games::{Action, Evaluation, Game, Position, Seat, game_named, play_all};
use serde::Deserialize;

/// Cachex.
pub fn cachex() -> Game {
    game_named("cachex").unwrap()
}

/// Hex with the swap.
pub fn hex() -> Game {
    game_named("hex").unwrap()
}

/// Hex without the swap.
pub fn hex_without_swap() -> Game {
    game_named("hex-noswap").unwrap()
}

/// Returns the position after these moves.
pub fn position(game: Game, size: usize, moves: &str) -> Position {
    let mut position = game.start(size).unwrap();
    play_all(&mut position, moves).unwrap_or_else(|error| panic!("{moves}: {error}"));
    position
}

/// Returns a position of Cachex that is set up by hand: the owner of each cell's stone, and whose move it is.
pub fn set_up(size: usize, stones: &[Option<Seat>], to_move: Seat) -> Position {
    cachex().with_stones(size, stones, to_move).unwrap()
}

/// Returns a position of Cachex from its rows, row 1 first, with `R` and `B` for stones.
pub fn drawn(rows: &[&str], to_move: Seat) -> Position {
    let stone = |glyph| match glyph {
        'R' => Some(Seat::First),
        'B' => Some(Seat::Second),
        _ => None,
    };
    let stones: Vec<_> = rows.iter().flat_map(|row| row.chars()).map(stone).collect();
    set_up(rows.len(), &stones, to_move)
}

/// A position of Cachex with its exact value, from the retrograde analysis of another program.
#[derive(Debug, Deserialize)]
pub struct Known {
    pub n: usize,
    board: String,
    to_move: String,
    pub value: String,
    pub plies: u8,
}

impl Known {
    pub fn game(&self) -> Position {
        let to_move = if self.to_move == "red" { Seat::First } else { Seat::Second };
        let rows: Vec<&str> = (0..self.n).map(|row| &self.board[row * self.n..][..self.n]).collect();
        drawn(&rows, to_move)
    }
}

/// Positions of 3×3 and 4×4.
pub fn known() -> Vec<Known> {
    serde_json::from_str(include_str!("../data/cachex_exact_positions.json")).unwrap()
}

/// Evaluates every move with the same prior, and even chances.
pub fn uniform(_: &Position, legal: &[Action]) -> Evaluation {
    Evaluation::uniform(legal.len())
}
