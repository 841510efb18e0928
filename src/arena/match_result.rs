//! What comes of a match.

use serde::{Serialize, Serializer};

use crate::games;

use super::rating::EloEstimate;
use super::sequential::{SequentialReport, Verdict};

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
    /// The name of the winning side, or `draw`.
    pub result: &'static str,
    /// The winning side.
    #[serde(skip)]
    pub winner: Option<games::Player>,
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
            Some(games::Player::First) => 2 * usize::from(self.a_is_first),
            Some(games::Player::Second) => 2 * usize::from(!self.a_is_first),
        }
    }
}

/// Results counted. *First* and *second* are the sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    /// Games.
    pub games: usize,
    /// Games that A won.
    pub wins_a: usize,
    /// Games that B won.
    pub wins_b: usize,
    /// Drawn games.
    pub draws: usize,
    /// Games in which A was the first player.
    pub games_a_first: usize,
    /// Games that A won as the first player.
    pub wins_a_as_first: usize,
    /// Games that A won as the second player.
    pub wins_a_as_second: usize,
    /// Games that B won as the first player.
    pub wins_b_as_first: usize,
    /// Games that B won as the second player.
    pub wins_b_as_second: usize,
    /// Moves of all games.
    pub moves: usize,
    /// How many complete pairs brought A 0, ½, 1, 1½ and 2 points.
    pub pairs: [usize; 5],
    /// The half points of A in a pair whose second game is still to come, with the pair's number.
    #[serde(skip)]
    half_pair: Option<(usize, usize)>,
}

impl Tally {
    /// Counts a game. The games of a pair must follow each other.
    pub fn add(&mut self, game: &PlayedGame) {
        self.games += 1;
        self.moves += game.moves.len();
        self.games_a_first += usize::from(game.a_is_first);
        let half_points = game.half_points_of_a();
        let count = match (half_points, game.a_is_first) {
            (2, true) => &mut self.wins_a_as_first,
            (2, false) => &mut self.wins_a_as_second,
            (0, true) => &mut self.wins_b_as_second,
            (0, false) => &mut self.wins_b_as_first,
            _ => &mut self.draws,
        };
        *count += 1;
        self.wins_a = self.wins_a_as_first + self.wins_a_as_second;
        self.wins_b = self.wins_b_as_first + self.wins_b_as_second;
        self.half_pair = match self.half_pair {
            Some((pair, earlier)) if pair == game.index / 2 => {
                self.pairs[earlier + half_points] += 1;
                None
            }
            _ => Some((game.index / 2, half_points)),
        };
    }

    /// A's share of the points, one half before the first game.
    pub fn score(&self) -> f64 {
        if self.games == 0 {
            return 0.5;
        }
        (self.wins_a as f64 + self.draws as f64 / 2.0) / self.games as f64
    }

    /// By how much A is the stronger one.
    pub fn elo(&self) -> EloEstimate {
        EloEstimate::from_counts(self.wins_a, self.draws, self.wins_b)
    }
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
    /// Whether fewer games were played than planned, by the sequential test or from outside.
    pub stopped_early: bool,
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
            score: f64,
            elo: f64,
            elo_low: f64,
            elo_high: f64,
            #[serde(skip_serializing_if = "Option::is_none")]
            llr: Option<f64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            verdict: Option<Verdict>,
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
            score: self.tally.score(),
            elo: self.elo.elo,
            elo_low: self.elo.low,
            elo_high: self.elo.high,
            llr: self.sequential.map(|report| report.llr),
            verdict: self.sequential.map(|report| report.verdict),
        }
        .serialize(serializer)
    }
}
