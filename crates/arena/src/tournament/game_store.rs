//! The games of matches, tournaments and ladders in a file: a JSON object a line, appended as games end, so that an
//! interrupted tournament can continue. Lines follow the interchange format, which `hexzero replay` reads.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use hexzero_system::checked_lines::{check, with_checksum};
use hexzero_system::files::{self, MAX_LINES_FILE_BYTES, bounded_lines};

use super::stored_game::StoredGame;

/// An error in a file of games; the message names the file.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct StoreError(String);

impl StoreError {
    fn file(path: &Path, error: &io::Error) -> Self {
        Self(format!("{}: {error}", path.display()))
    }

    /// Returns the error that a line, numbered from 1, is not a game, or not one of those to be played.
    pub(super) fn line(path: &Path, line: usize, problem: &str) -> Self {
        Self(format!("{} line {line}: {problem}", path.display()))
    }
}

/// Locks a file of games against other writers. Windows refuses to read what another process has locked, so there a
/// file `beside` it, `NAME.lock`, is locked in its place.
fn locked(path: &Path, file: &File, beside: bool) -> Result<Option<File>, TryLockError> {
    if !beside {
        return file.try_lock().map(|()| None);
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let lock = OpenOptions::new().write(true).create(true).truncate(false).open(name).map_err(TryLockError::Error)?;
    lock.try_lock().map(|()| Some(lock))
}

/// A file of games. The default one keeps no games.
#[derive(Debug, Default)]
pub struct GameStore {
    /// The games read from the file, a line each.
    pub games: Vec<StoredGame>,
    path: PathBuf,
    /// The file, if games may be added.
    file: Option<File>,
    /// The file that is locked in place of the games.
    _lock: Option<File>,
    /// The bytes of the whole lines.
    whole: u64,
    /// The bytes of a partial game after these lines.
    torn: u64,
}

impl GameStore {
    /// Opens or creates a file, and reads its games. An incomplete last line, left by a killed process, is cut off.
    /// Pipes and devices are only written to.
    ///
    /// # Errors
    /// If it cannot be opened, another process adds to it, or it holds something else.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let failed = |error: io::Error| StoreError::file(path, &error);
        if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
            return Ok(Self { path: path.to_owned(), file: Some(file), ..Self::default() });
        }
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = opened.map_err(failed)?;
        let lock = match locked(path, &file, cfg!(windows)) {
            Ok(lock) => lock,
            Err(TryLockError::WouldBlock) => {
                let problem = "another process is adding games to";
                return Err(StoreError(format!("{problem} {}; wait for it, or stop it first", path.display())));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        };
        let store = Self::parse(path, &file)?;
        // Cut off only after the file is known to hold games.
        if store.torn > 0 {
            file.set_len(store.whole).map_err(failed)?;
        }
        file.seek(SeekFrom::Start(store.whole)).map_err(failed)?;
        Ok(Self { file: Some(file), _lock: lock, ..store })
    }

    /// Reads the games of a file that other processes may be adding to; none if there is no such file. Games added to
    /// the store are not kept.
    ///
    /// # Errors
    /// If it cannot be read, or holds something else.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        match files::open(path) {
            Ok(file) => Ok(Self { torn: 0, ..Self::parse(path, &file)? }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(StoreError::file(path, &error)),
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns true if games added are kept.
    pub fn is_open(&self) -> bool {
        self.file.is_some()
    }

    /// Returns the number of bytes that were cut off the end of the file: a partial game.
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// Adds a game to the file.
    ///
    /// # Errors
    /// If it cannot be written, or the file would become longer than may be read.
    pub fn append(&mut self, game: &StoredGame) -> Result<(), StoreError> {
        let failed = |error: io::Error| StoreError::file(&self.path, &error);
        let Some(file) = &mut self.file else { return Ok(()) };
        let mut line = with_checksum(&serde_json::to_string(game).map_err(|error| failed(error.into()))?);
        line.push('\n');
        if file.metadata().map_err(failed)?.len() + line.len() as u64 > MAX_LINES_FILE_BYTES {
            let problem = format!("no room for another game: it may have {MAX_LINES_FILE_BYTES} bytes");
            return Err(StoreError(format!("{} has {problem}; set the file aside", self.path.display())));
        }
        // Written in one piece, so that a killed process leaves no half line.
        file.write_all(line.as_bytes()).map_err(failed)
    }

    fn parse(path: &Path, file: &File) -> Result<Self, StoreError> {
        let failed = |error: io::Error| StoreError::file(path, &error);
        let mut store = Self { path: path.to_owned(), ..Self::default() };
        for (line, text) in (1..).zip(bounded_lines(file).map_err(failed)?) {
            let text = text.map_err(failed)?;
            let no_game = |problem: String| {
                let problem = format!("not a game of a match, a tournament or a ladder ({problem})");
                StoreError::line(path, line, &format!("{problem}; set the file aside"))
            };
            if text.ends_with(b"\n") {
                check(&text).map_err(no_game)?;
                store.games.push(serde_json::from_slice(&text).map_err(|error| no_game(error.to_string()))?);
                store.whole += text.len() as u64;
            } else {
                check_torn(&text).map_err(|error| no_game(error.to_string()))?;
                store.torn = text.len() as u64;
            }
        }
        Ok(store)
    }
}

/// The beginning of every line.
const BEGINNING: &[u8] = b"{\"game\":";

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_beside_the_games_refuses_a_second_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let open = || File::options().write(true).create(true).truncate(false).open(&path).unwrap();
        let (first, second) = (open(), open());
        let held = locked(&path, &first, true).unwrap();
        assert!(held.is_some() && folder.path().join("games.jsonl.lock").is_file());
        assert!(matches!(locked(&path, &second, true), Err(TryLockError::WouldBlock)));
        // The games themselves are not locked.
        second.try_lock().unwrap();
        drop((held, second));
        locked(&path, &first, true).unwrap();
    }
}
