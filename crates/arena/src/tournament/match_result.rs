//! The result of a match.

use serde::{Serialize, Serializer};

use crate::matches::{OpeningUse, PlayerFailure, PointsEstimate};
use crate::played_game::{PlayedGame, Thinking};
use crate::rating::{EloEstimate, SequentialReport, Tally, Verdict};

/// The result of a match. In JSON the fields of the tally and of the Elo difference are flattened into
/// it; the games are left out.
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
    /// The maximum number of games that were to be played.
    pub planned_games: usize,
    /// The openings of the pairs that were played.
    pub openings: OpeningUse,
    /// The results.
    pub tally: Tally,
    /// A's rating minus B's.
    pub elo: EloEstimate,
    /// The sequential test, if there was one.
    pub sequential: Option<SequentialReport>,
    /// True if fewer games were played than planned: by the sequential test, a stop from outside, or a player
    /// that is out.
    pub stopped_early: bool,
    /// The failure by which a player is out, if one is: it ended the match.
    pub failure: Option<PlayerFailure>,
    /// The moves and the time of A and of B.
    pub thinking: [Thinking; 2],
    /// The games that count, in order.
    pub played: Vec<PlayedGame>,
}

impl MatchResult {
    /// Returns the mean number of moves of a game.
    pub fn mean_moves(&self) -> f64 {
        self.tally.moves as f64 / self.tally.games.max(1) as f64
    }

    /// Returns A's points less B's in a game, in games with a score; none with fewer than two pairs played out.
    pub fn points(&self) -> Option<PointsEstimate> {
        PointsEstimate::of(&self.played, self.tally.independence())
    }

    /// Lists the games that were lost by a fault.
    pub fn faults(&self) -> Vec<PlayerFailure> {
        let fault = |game: &PlayedGame| {
            let player = [&self.a, &self.b][game.faulty()?].clone();
            Some(PlayerFailure::in_game(player, game, game.fault.clone()?))
        };
        self.played.iter().filter_map(fault).collect()
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
            openings: &'a OpeningUse,
            pairs_split: usize,
            pairs_decided: usize,
            resolution: Option<f64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            points: Option<PointsEstimate>,
            mean_moves: f64,
            effective_pairs: f64,
            score: f64,
            elo: f64,
            elo_low: f64,
            elo_high: f64,
            seconds_per_move: [Option<f64>; 2],
            faults: Vec<PlayerFailure>,
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
            openings: &self.openings,
            pairs_split: self.tally.pairs_split(),
            pairs_decided: self.tally.pairs_decided(),
            resolution: self.tally.resolution(),
            points: self.points(),
            mean_moves: self.mean_moves(),
            effective_pairs: self.tally.effective_pairs(),
            score: self.tally.score(),
            elo: self.elo.elo,
            elo_low: self.elo.low,
            elo_high: self.elo.high,
            seconds_per_move: self.thinking.map(|thinking| thinking.seconds_per_move()),
            faults: self.faults(),
            llr: self.sequential.map(|report| report.llr),
            verdict: self.sequential.map(|report| report.verdict),
            failure: self.failure.as_ref().map(PlayerFailure::to_string),
        }
        .serialize(serializer)
    }
}
