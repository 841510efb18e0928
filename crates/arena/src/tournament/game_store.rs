//! The games of a match, a tournament or a ladder in a file: a JSON object a line, appended as games end, so that an
//! interrupted tournament can continue. Lines follow the interchange format, which `hexzero replay` reads.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use hexzero_games::{Game, Seat, UnknownGame, game_named};
use hexzero_search::Limits;
use hexzero_system::checked_lines::{check, with_checksum};
use hexzero_system::files;
use hexzero_system::files::{MAX_LINES_FILE_BYTES, bounded_lines};

use crate::matches::{Finished, Fixture};
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

/// The conditions that games of one file share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// The game's name.
    pub game: String,
    /// Decides the openings and the players' seeds.
    pub seed: u64,
    /// The limits of players with a network that have none of their own, such as `visits=200`.
    pub limits: String,
}

impl Conditions {
    /// Returns the conditions of games with `seed`, with `limits` for players with a network that have none of their
    /// own.
    pub fn new(game: Game, seed: u64, limits: Limits) -> Self {
        let visits = limits.visits.map(|visits| format!("visits={visits}"));
        let time = limits.time.map(|time| format!("time={}", time.as_secs_f64()));
        let limits = visits.into_iter().chain(time).collect::<Vec<_>>().join(",");
        Self { game: game.name().to_owned(), seed, limits }
    }

    /// Checks that a game was played under these conditions. The error says which differs, and what to do.
    pub(super) fn check(&self, found: &Self) -> Result<(), String> {
        let elsewhere = "or set the file aside";
        if found.game != self.game {
            return Err(format!("a game of {}, not of {}; set the file aside", found.game, self.game));
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

    /// Returns the game.
    ///
    /// # Errors
    /// If this program does not know it.
    pub fn game(&self) -> Result<Game, UnknownGame> {
        game_named(&self.game)
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
    /// The moves and the time of `a` and of `b`.
    pub thinking: [Thinking; 2],
}

/// An error in a file of games.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused access.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Another process writes to the file.
    #[error("another process is adding games to {}; wait for it, or stop it first", .0.display())]
    Busy(PathBuf),
    /// The file has no room for another game.
    #[error("{} has no room for another game: it may have {MAX_LINES_FILE_BYTES} bytes; set the file aside", .0.display())]
    Full(PathBuf),
    /// A line is not such a game.
    #[error("{} line {line}: not a game of a match, a tournament or a ladder ({problem}); set the file aside", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The problem.
        problem: String,
    },
    /// A game does not belong to those to be played.
    #[error("{} line {line}: {problem}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The reason, and what to do.
        problem: String,
    },
}

impl PlayerId {
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

impl StoredGame {
    pub(super) fn new(
        conditions: &Conditions,
        fixture: &Fixture,
        players: &[PlayerId],
        Finished { game, thinking }: Finished,
    ) -> Self {
        Self {
            conditions: conditions.clone(),
            size: game.size,
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

    /// Returns the game as matches count it, from the point of view of `a`, or if `turned` of `b`: their game with the
    /// same opening and side. The error says what is wrong with the result.
    pub(super) fn played(&self, turned: bool) -> Result<PlayedGame, String> {
        let game = self.conditions.game().map_err(|unknown| unknown.to_string())?;
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
        Ok(PlayedGame {
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
        })
    }
}

/// A file of games, open for appending. Other processes cannot add to it meanwhile.
#[derive(Debug)]
pub struct GameStore {
    path: PathBuf,
    file: File,
}

impl GameStore {
    /// Opens or creates a file, and reads its games. An incomplete last line, left by a killed
    /// process, is cut off; returns how many bytes that were. Pipes and devices are only written
    /// to.
    ///
    /// # Errors
    /// If it cannot be opened, another process adds to it, or it holds something else.
    pub fn open(path: &Path) -> Result<(Self, Vec<StoredGame>, u64), StoreError> {
        let failed = |source| StoreError::File { path: path.to_owned(), source };
        if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
            return Ok((Self { path: path.to_owned(), file }, Vec::new(), 0));
        }
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = opened.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::Busy(path.to_owned())),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let Parsed { games, whole, torn } = Parsed::read(path, &file)?;
        // Cut off only after the file is known to hold games.
        if torn > 0 {
            file.set_len(whole).map_err(failed)?;
        }
        file.seek(SeekFrom::Start(whole)).map_err(failed)?;
        Ok((Self { path: path.to_owned(), file }, games, torn))
    }

    /// Returns the games of a file that other processes may be adding to; none if there is no such file.
    ///
    /// # Errors
    /// If it cannot be read, or holds something else.
    pub fn read(path: &Path) -> Result<Vec<StoredGame>, StoreError> {
        match files::open(path) {
            Ok(file) => Ok(Parsed::read(path, &file)?.games),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(source) => Err(StoreError::File { path: path.to_owned(), source }),
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it cannot be written, or the file would become longer than may be read.
    pub fn append(&mut self, game: &StoredGame) -> Result<(), StoreError> {
        let failed = |source| StoreError::File { path: self.path.clone(), source };
        let mut line = with_checksum(&serde_json::to_string(game).map_err(|error| failed(error.into()))?);
        line.push('\n');
        if self.file.metadata().map_err(failed)?.len() + line.len() as u64 > MAX_LINES_FILE_BYTES {
            return Err(StoreError::Full(self.path.clone()));
        }
        // Written in one piece, so that a killed process leaves no half line.
        self.file.write_all(line.as_bytes()).map_err(failed)
    }
}

/// The beginning of every line.
const BEGINNING: &[u8] = b"{\"game\":";

/// The contents of a file of games.
struct Parsed {
    /// The games of all whole lines.
    games: Vec<StoredGame>,
    /// The bytes of these lines.
    whole: u64,
    /// The bytes of a partial game after these lines.
    torn: u64,
}

impl Parsed {
    fn read(path: &Path, file: &File) -> Result<Self, StoreError> {
        let failed = |source| StoreError::File { path: path.to_owned(), source };
        let mut parsed = Self { games: Vec::new(), whole: 0, torn: 0 };
        for (line, text) in (1..).zip(bounded_lines(file).map_err(failed)?) {
            let text = text.map_err(failed)?;
            let no_game =
                |error: serde_json::Error| StoreError::Line { path: path.to_owned(), line, problem: error.to_string() };
            if text.ends_with(b"\n") {
                check(&text).map_err(|problem| StoreError::Line { path: path.to_owned(), line, problem })?;
                parsed.games.push(serde_json::from_slice(&text).map_err(no_game)?);
                parsed.whole += text.len() as u64;
            } else {
                check_torn(&text).map_err(no_game)?;
                parsed.torn = text.len() as u64;
            }
        }
        Ok(parsed)
    }
}

/// Checks that an incomplete last line is part of a game: only that is cut off, as a file of
/// something else must stay as it is.
fn check_torn(torn: &[u8]) -> Result<(), serde_json::Error> {
    let a_part = torn.iter().zip(BEGINNING).all(|(a, b)| a == b);
    match serde_json::from_slice::<serde::de::IgnoredAny>(torn) {
        Err(error) if a_part && error.is_eof() => Ok(()),
        // Only the end of the line is missing: the game is played again.
        _ => serde_json::from_slice::<StoredGame>(torn).map(drop),
    }
}
