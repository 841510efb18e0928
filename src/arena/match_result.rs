//! What comes of a match.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::AddAssign;
use std::time::Duration;

use serde::{Deserialize, Serialize, Serializer};

use crate::games::Seat;

use super::rating::EloEstimate;
use super::sequential::{SequentialReport, Verdict};
use super::tally::Tally;

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

/// Why a match ended before its time: a player could not play on, or broke the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{player} failed in game {game} at move {turn}: {reason}")]
pub struct PlayerFailure {
    /// The player's name.
    pub player: String,
    /// Which game of the match it was, from 1.
    pub game: usize,
    /// Which move of the game it was, from 1.
    pub turn: usize,
    /// What went wrong.
    pub reason: String,
}

/// What came of a match. As JSON the fields of the tally and of the Elo difference stand beside the
/// others; the games are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchResult {
    /// The name of player A.
    pub a: String,
    /// The name of player B.
    pub b: String,
    /// The game's name.
    pub game: &'static str,
    /// The board's size.
    pub size: usize,
    /// How many games were to be played at most.
    pub planned_games: usize,
    /// The results.
    pub tally: Tally,
    /// A's rating less B's.
    pub elo: EloEstimate,
    /// The sequential test, if there was one.
    pub sequential: Option<SequentialReport>,
    /// Whether fewer games were played than planned: because of the sequential test, from outside, or because
    /// a player failed.
    pub stopped_early: bool,
    /// Which player failed and how, if one did.
    pub failure: Option<PlayerFailure>,
    /// What the moves of A and of B have cost.
    pub thinking: [Thinking; 2],
    /// The games that count, in order.
    pub played: Vec<PlayedGame>,
}

impl MatchResult {
    /// The mean number of moves of a game.
    pub fn mean_moves(&self) -> f64 {
        self.tally.moves as f64 / self.tally.games.max(1) as f64
    }
}

impl Serialize for MatchResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Flat<'a> {
            a: &'a str,
            b: &'a str,
            game: &'a str,
            size: usize,
            planned_games: usize,
            stopped_early: bool,
            #[serde(flatten)]
            tally: &'a Tally,
            mean_moves: f64,
            effective_pairs: f64,
            score: f64,
            elo: f64,
            elo_low: f64,
            elo_high: f64,
            seconds_per_move: [Option<f64>; 2],
            #[serde(skip_serializing_if = "Option::is_none")]
            llr: Option<f64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            verdict: Option<Verdict>,
            #[serde(skip_serializing_if = "Option::is_none")]
            failure: Option<String>,
        }
        Flat {
            a: &self.a,
            b: &self.b,
            game: self.game,
            size: self.size,
            planned_games: self.planned_games,
            stopped_early: self.stopped_early,
            tally: &self.tally,
            mean_moves: self.mean_moves(),
            effective_pairs: self.tally.effective_pairs(),
            score: self.tally.score(),
            elo: self.elo.elo,
            elo_low: self.elo.low,
            elo_high: self.elo.high,
            seconds_per_move: self.thinking.map(|thinking| thinking.seconds_per_move()),
            llr: self.sequential.map(|report| report.llr),
            verdict: self.sequential.map(|report| report.verdict),
            failure: self.failure.as_ref().map(PlayerFailure::to_string),
        }
        .serialize(serializer)
    }
}
