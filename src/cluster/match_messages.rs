//! What is said of matches.

use serde::{Deserialize, Serialize};

use crate::arena::{Finished, Fixture, PlayerFailure, Thinking};
use crate::games::Seat;

use super::messages::Message;

/// The players of a match. Workers fetch it as a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchJob {
    /// The game's name.
    pub game: String,
    /// Decides the openings and every player's seed in every game.
    pub seed: u64,
    /// The players with their numbers.
    pub players: Vec<(usize, SentPlayer)>,
}

/// A player, to be made by a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SentPlayer {
    /// A built-in player, as it is named.
    BuiltIn(String),
    /// The engine with a network.
    Network(SentNetwork),
}

/// The engine with a network, and its limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SentNetwork {
    /// Its name in results.
    pub name: String,
    /// The file of the checkpoint at the broker.
    pub checkpoint: String,
    /// How it searches, as [`crate::arena::PlayerOptions`] are written.
    pub options: String,
    /// Visits a move.
    pub visits: Option<u32>,
    /// Seconds a move.
    pub seconds: Option<f64>,
    /// Bytes of the tree.
    pub memory: u64,
    /// See [`crate::search::Limits::early_stop`].
    pub early_stop: bool,
}

/// Games of a match to be played, each with its place in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchWork {
    /// The file of the job at the broker.
    pub job: String,
    /// The games.
    pub fixtures: Vec<(usize, Fixture)>,
}

/// Played games of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayedFixtures {
    /// The games that were finished.
    pub games: Vec<(usize, SentGame)>,
    /// The game in which a player failed, and how.
    pub failure: Option<(Fixture, PlayerFailure)>,
}

/// A finished game of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SentGame {
    /// The names of all moves.
    pub moves: Vec<String>,
    /// The side that resigned after them, if one did.
    pub resigned: Option<Seat>,
    /// The moves and the time of A and of B.
    pub thinking: [Thinking; 2],
}

impl From<Finished> for SentGame {
    fn from(Finished { game, thinking }: Finished) -> Self {
        let resigned = game.winner.filter(|_| game.resigned.is_some()).map(Seat::opponent);
        Self { moves: game.moves, resigned, thinking }
    }
}

impl Message for MatchJob {
    const KIND: u8 = 5;
}

impl Message for MatchWork {
    const KIND: u8 = 6;
}

impl Message for PlayedFixtures {
    const KIND: u8 = 7;
}
