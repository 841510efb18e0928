//! A finished game of a match, and the time of its moves.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::AddAssign;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use hexzero_games::{Position, Seat};

/// A finished game. As JSON it is the line of the interchange format:
/// `{"game":"cachex","size":5,"moves":["d2","swap","c4"],"result":"red"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayedGame {
    /// The game's name.
    pub game: &'static str,
    /// The board's size.
    pub size: usize,
    /// The names of all moves, including the opening.
    pub moves: Vec<String>,
    /// The name of the winning side, or `draw`; none if the game ended before it was over on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<&'static str>,
    /// The name of the side that resigned, or lost by a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resigned: Option<&'static str>,
    /// The fault by which that side lost, if it did not resign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// True if the fault is that it ran out of time.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub on_time: bool,
    /// The winning side.
    #[serde(skip)]
    pub winner: Option<Seat>,
    /// The number of the game in its match; games `2i` and `2i + 1` are pair `i`.
    #[serde(skip)]
    pub index: usize,
    /// True if the match's player A had the first player's side.
    pub a_is_first: bool,
    /// The number of moves of the opening.
    #[serde(skip)]
    pub opening_moves: usize,
}

impl PlayedGame {
    /// Creates the game with number `index` in its match from its last position, its moves and the side that resigned
    /// there, if any.
    pub(super) fn new(
        last: &Position,
        moves: Vec<String>,
        resigned: Option<Seat>,
        index: usize,
        opening_moves: usize,
    ) -> Self {
        let game = last.game();
        let name = |seat: Seat| game.seat_name(seat);
        let winner = resigned.map(Seat::opponent).or(last.outcome().and_then(|outcome| outcome.winner));
        Self {
            game: game.name(),
            size: last.size(),
            moves,
            result: resigned.is_none().then(|| winner.map_or("draw", name)),
            resigned: resigned.map(name),
            fault: None,
            on_time: false,
            winner,
            index,
            a_is_first: index.is_multiple_of(2),
            opening_moves,
        }
    }

    /// Returns A's points, doubled: 2 for a win, 1 for a draw.
    pub fn half_points_of_a(&self) -> usize {
        match self.winner {
            None => 1,
            Some(Seat::First) => 2 * usize::from(self.a_is_first),
            Some(Seat::Second) => 2 * usize::from(!self.a_is_first),
        }
    }

    /// Returns which player lost by a fault: 0 for A, 1 for B.
    pub fn faulty(&self) -> Option<usize> {
        self.fault.as_ref().map(|_| usize::from(self.half_points_of_a() > 0))
    }

    /// Returns a hash of the players' sides and all moves, by which repeated games are recognised.
    pub(super) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.a_is_first, &self.moves).hash(&mut hasher);
        hasher.finish()
    }
}

/// A player's moves and their time, without the opening.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Thinking {
    /// The number of moves.
    pub moves: usize,
    /// The total wall-clock time of the moves.
    pub seconds: f64,
}

impl Thinking {
    pub(super) fn add(&mut self, time: Duration) {
        self.moves += 1;
        self.seconds += time.as_secs_f64();
    }

    /// Returns the mean time of a move; none before the first.
    pub fn seconds_per_move(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.seconds / self.moves as f64)
    }
}

impl AddAssign for Thinking {
    fn add_assign(&mut self, other: Self) {
        self.moves += other.moves;
        self.seconds += other.seconds;
    }
}
