//! A game with its players and conditions, as files of games keep it.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use hexzero_games::{Game, Seat, game_named};
use hexzero_search::Limits;

use crate::matches::{Finished, Fixture, OpeningBook};
use crate::played_game::{PlayedGame, Thinking};
use crate::players::PlayerSource;

/// Identifies a player in files of games.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PlayerId {
    /// The player's name.
    pub name: String,
    /// A checksum of its network, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
}

impl From<&PlayerSource> for PlayerId {
    fn from(source: &PlayerSource) -> Self {
        Self { name: source.name().to_owned(), network: source.digest().map(str::to_owned) }
    }
}

impl PlayerId {
    /// Returns a player that is identified by its name alone.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), network: None }
    }

    /// Names the checkpoint of a run after a training step.
    pub fn checkpoint_name(step: u64) -> String {
        format!("step-{step:08}")
    }

    /// Returns the training step of a checkpoint that is named by it; none for other players.
    pub fn step(&self) -> Option<u64> {
        self.name.strip_prefix("step-")?.parse().ok()
    }

    /// Checks that a game was played by this player's network. The error says what to do.
    pub(super) fn check(&self, found: &Self) -> Result<(), String> {
        if found.network == self.network {
            return Ok(());
        }
        let print = |network: &Option<String>| network.clone().unwrap_or_else(|| "none".to_owned());
        let (name, then, now) = (&found.name, print(&found.network), print(&self.network));
        Err(format!("'{name}' had another network then ({then}) than now ({now}); set the file aside"))
    }
}

/// The conditions that games of one tournament share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// The game, in files by its name.
    #[serde(serialize_with = "name_of_game", deserialize_with = "game_of_name")]
    pub game: Game,
    /// Decides the openings and the players' seeds.
    pub seed: u64,
    /// The limits of players with a network that have none of their own, such as `visits=200`.
    pub limits: String,
    /// The openings; none in games of a file, which have the [`StoredGame::book`].
    #[serde(skip)]
    book: Option<Arc<OpeningBook>>,
}

fn name_of_game<S: Serializer>(game: &Game, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(game.name())
}

fn game_of_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
    game_named(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}

impl Conditions {
    /// Returns the conditions of games with `seed`, from the openings that ship, with `limits` for players with a
    /// network that have none of their own.
    pub fn new(game: Game, seed: u64, limits: Limits) -> Self {
        let visits = limits.visits.map(|visits| format!("visits={visits}"));
        let time = limits.time.map(|time| format!("time={}", time.as_secs_f64()));
        let limits = visits.into_iter().chain(time).collect::<Vec<_>>().join(",");
        Self { game, seed, limits, book: Some(Arc::new(OpeningBook::shipped(game))) }
    }

    /// Returns the same conditions with the openings of a book.
    pub fn with_book(self, book: OpeningBook) -> Self {
        Self { book: Some(Arc::new(book)), ..self }
    }

    /// Returns the same conditions, with random plies for openings unless all these games on a board of this size
    /// have openings of the book: games that were begun without it go on without it.
    pub fn continuing(self, games: &[StoredGame], size: usize) -> Self {
        let digest = self.digest(size);
        let is_other = games.iter().any(|game| game.size == size && game.book != digest);
        Self { book: self.book.filter(|_| !is_other), ..self }
    }

    /// Returns the openings.
    pub fn book(&self) -> Arc<OpeningBook> {
        self.book.clone().unwrap_or_else(|| Arc::new(OpeningBook::random(self.game)))
    }

    /// Returns the checksum of the openings for a board; none if they are random plies.
    fn digest(&self, size: usize) -> Option<String> {
        self.book.as_ref()?.digest(size)
    }

    /// Checks that a game has an opening of this book. The error says what to do.
    pub fn check_openings(&self, game: &StoredGame) -> Result<(), String> {
        if game.book == self.digest(game.size) {
            return Ok(());
        }
        let problem = match game.book {
            None => "played from random openings; give --openings random, or set the file aside",
            Some(_) => "played from other openings; give --openings FILE with those, or set the file aside",
        };
        Err(problem.to_owned())
    }

    /// Checks that a game was played under these conditions. The error says which differs, and what to do.
    pub(super) fn check(&self, found: &Self) -> Result<(), String> {
        let elsewhere = "or set the file aside";
        if found.game != self.game {
            return Err(format!("a game of {}, not of {}; set the file aside", found.game.name(), self.game.name()));
        }
        if found.seed != self.seed {
            let (found, wanted) = (found.seed, self.seed);
            return Err(format!("played with seed {found}, not {wanted}; give --seed {found}, {elsewhere}"));
        }
        if found.limits != self.limits {
            let (found, wanted) = (&found.limits, &self.limits);
            return Err(format!("played with {found}, not {wanted}; give --{}, {elsewhere}", found.replace('=', " ")));
        }
        Ok(())
    }
}

/// A game with its players and conditions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredGame {
    /// The conditions.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// The board's size.
    pub size: usize,
    /// The names of all moves, including the opening.
    pub moves: Vec<String>,
    /// The name of the winning side, or `draw`; none if a player resigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The name of the side that resigned, or lost by a fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<String>,
    /// The fault by which that side lost, if it did not resign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// True if the fault is that it ran out of time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_time: bool,
    /// The player who has the first player's side in the even games of this pairing.
    pub a: PlayerId,
    /// The other player.
    pub b: PlayerId,
    /// The number of the game among those of this pairing and size; games `2i` and `2i + 1` share an opening.
    pub number: usize,
    /// True if `a` had the first player's side.
    pub a_is_first: bool,
    /// The number of moves of the opening.
    pub opening: usize,
    /// The checksum of the book's openings for this board; none if openings are random plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
    /// The moves and the time of `a` and of `b`.
    pub thinking: [Thinking; 2],
}

impl StoredGame {
    pub(super) fn new(conditions: &Conditions, players: &[PlayerId], fixture: &Fixture, finished: &Finished) -> Self {
        let Finished { game, thinking } = finished.clone();
        Self {
            conditions: Conditions { book: None, ..conditions.clone() },
            size: game.size,
            book: conditions.digest(game.size),
            moves: game.moves,
            result: game.result.map(str::to_owned),
            resigned: game.resigned.map(str::to_owned),
            fault: game.fault,
            on_time: game.on_time,
            a: players[fixture.a].clone(),
            b: players[fixture.b].clone(),
            number: game.index,
            a_is_first: game.a_is_first,
            opening: game.opening_moves,
            thinking,
        }
    }

    /// Returns the game as tallies count it, from the point of view of `a`; if `turned`, from that of `b`, and as the
    /// other game of the pair. The error says what is wrong with the result.
    pub(super) fn finished(&self, turned: bool) -> Result<Finished, String> {
        let game = self.conditions.game;
        let side = |name: &String| Seat::BOTH.into_iter().find(|&seat| game.seat_name(seat) == *name);
        let name = |seat: Seat| game.seat_name(seat);
        let winner = match (&self.result, &self.resigned) {
            (Some(result), None) if result == "draw" => Some(None),
            (Some(result), None) => side(result).map(Some),
            (None, Some(resigned)) => side(resigned).map(|side| Some(side.opponent())),
            _ => None,
        };
        let winner = winner.ok_or_else(|| format!("result {:?}, resigned {:?}", self.result, self.resigned))?;
        let resigned = winner.filter(|_| self.resigned.is_some()).map(|winner| name(winner.opponent()));
        let played = PlayedGame {
            game: game.name(),
            size: self.size,
            moves: self.moves.clone(),
            result: self.result.as_ref().map(|_| winner.map_or("draw", name)),
            resigned,
            fault: self.fault.clone().filter(|_| resigned.is_some()),
            on_time: self.on_time,
            winner,
            index: self.number ^ usize::from(turned),
            a_is_first: self.a_is_first ^ turned,
            opening_moves: self.opening,
        };
        let [a, b] = self.thinking;
        Ok(Finished { game: played, thinking: if turned { [b, a] } else { [a, b] } })
    }
}
