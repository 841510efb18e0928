//! Messages of matches, between their hosts and workers.

use serde::{Deserialize, Serialize};

use hexzero_arena::{Finished, Fixture, PlayerFailure, Thinking};
use hexzero_games::Seat;
use hexzero_search::EarlyStop;

/// Players of a match; workers fetch it as a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchJob {
    /// Name of the game.
    pub game: String,
    /// Seed of the openings, and of every player in every game.
    pub seed: u64,
    /// Players with their numbers.
    pub players: Vec<(usize, SentPlayer)>,
}

/// Description of a player, from which a worker makes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SentPlayer {
    /// A built-in player, by its name.
    BuiltIn(String),
    /// The engine with a network.
    Network(SentNetwork),
}

/// Engine with a network, and its limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SentNetwork {
    /// Name in results.
    pub name: String,
    /// File of the checkpoint at the broker.
    pub checkpoint: String,
    /// Search options, as [`hexzero_arena::players::PlayerOptions`] are written.
    pub options: String,
    /// Visits a move.
    pub visits: Option<u32>,
    /// Seconds a move.
    pub seconds: Option<f64>,
    /// Bytes of the search tree.
    pub memory: u64,
    /// See [`hexzero_search::Limits::early_stop`].
    pub early_stop: EarlyStop,
}

/// Games of a match for a worker to play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchWork {
    /// File of the [`MatchJob`] at the broker.
    pub job: String,
    /// Games with their indices in the host's list.
    pub fixtures: Vec<(usize, Fixture)>,
}

/// Games of a match that a worker has played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayedFixtures {
    /// Finished games with their indices in the host's list.
    pub games: Vec<(usize, SentGame)>,
    /// Game in which a player failed, and how.
    pub failure: Option<(Fixture, PlayerFailure)>,
}

/// Finished game of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SentGame {
    /// Names of all moves.
    pub moves: Vec<String>,
    /// Side that resigned after them.
    pub resigned: Option<Seat>,
    /// Moves and thinking time of A and of B.
    pub thinking: [Thinking; 2],
}

impl From<Finished> for SentGame {
    fn from(Finished { game, thinking }: Finished) -> Self {
        let resigned = game.winner.filter(|_| game.resigned.is_some()).map(Seat::opponent);
        Self { moves: game.moves, resigned, thinking }
    }
}
