//! A finished game of a match, and what its moves have cost.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::AddAssign;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::games::Seat;

/// A finished game. As JSON it is the line of the interchange format:
/// `{"game":"cachex","size":5,"moves":["d2","swap","c4"],"result":"red"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayedGame {
    /// The game's name.
    pub game: &'static str,
    /// The board's size.
    pub size: usize,
    /// The names of all moves, those of the opening too.
    pub moves: Vec<String>,
    /// The name of the winning side, or `draw`; nothing if a player resigned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<&'static str>,
    /// The name of the side that resigned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resigned: Option<&'static str>,
    /// The winning side.
    #[serde(skip)]
    pub winner: Option<Seat>,
    /// The number of the game in its match; games `2i` and `2i + 1` are pair `i`.
    #[serde(skip)]
    pub index: usize,
    /// Whether the match's player A had the first player's side.
    pub a_is_first: bool,
    /// How many of the moves are the opening.
    #[serde(skip)]
    pub opening_moves: usize,
}

impl PlayedGame {
    /// A's points, doubled: 2 for a win, 1 for a draw.
    pub fn half_points_of_a(&self) -> usize {
        match self.winner {
            None => 1,
            Some(Seat::First) => 2 * usize::from(self.a_is_first),
            Some(Seat::Second) => 2 * usize::from(!self.a_is_first),
        }
    }

    /// A number that games share only if they are the same: who played which side, and all moves.
    pub(super) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.a_is_first, &self.moves).hash(&mut hasher);
        hasher.finish()
    }
}

/// What a player's moves have cost him; those of the opening cost nothing.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Thinking {
    /// How many moves he has chosen.
    pub moves: usize,
    /// How long that took in all, by the clock on the wall.
    pub seconds: f64,
}

impl Thinking {
    pub(super) fn add(&mut self, time: Duration) {
        self.moves += 1;
        self.seconds += time.as_secs_f64();
    }

    /// The mean over the moves; none before the first.
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
