//! The games of one match in a file, to which they are added as they end.

use std::collections::BTreeMap;
use std::path::Path;

use super::game_store::{Conditions, GameStore, PlayerId, StoreError, StoredGame};
use crate::matches::{Finished, Fixture, KeptGames};

/// A file with the games of one match.
#[derive(Debug)]
pub struct MatchStore {
    store: GameStore,
    conditions: Conditions,
    players: [PlayerId; 2],
    size: usize,
    known: BTreeMap<usize, Finished>,
    /// The error that kept a game from being written.
    problem: Option<StoreError>,
}

impl MatchStore {
    /// Opens or creates a file, and reads the games of this match. Returns the number of bytes cut off its end too, as
    /// [`GameStore::open`] does.
    ///
    /// # Errors
    /// If it cannot be opened, another process adds to it, or it has something else than games of this match.
    pub fn open(
        path: &Path,
        conditions: Conditions,
        players: [PlayerId; 2],
        size: usize,
    ) -> Result<(Self, u64), StoreError> {
        let (store, games, torn) = GameStore::open(path)?;
        let mut opened = Self { store, conditions, players, size, known: BTreeMap::new(), problem: None };
        for (line, game) in (1..).zip(&games) {
            let foreign = |problem| StoreError::Foreign { path: path.to_owned(), line, problem };
            let finished = opened.finished(game).map_err(foreign)?;
            opened.known.entry(game.number).or_insert(finished);
        }
        Ok((opened, torn))
    }

    /// Returns a game of the file as the match counts it. The error says why it is not of this match.
    fn finished(&self, game: &StoredGame) -> Result<Finished, String> {
        self.conditions.check(&game.conditions)?;
        let [a, b] = &self.players;
        if [&game.a.name, &game.b.name] != [&a.name, &b.name] {
            let (found, wanted) = ([&game.a.name, &game.b.name], [&a.name, &b.name]);
            return Err(format!("a game of {found:?}, not of {wanted:?}; set the file aside"));
        }
        a.check(&game.a)?;
        b.check(&game.b)?;
        if game.size != self.size {
            let (found, wanted) = (game.size, self.size);
            return Err(format!("played on size {found}, not {wanted}; give --size {found}, or set the file aside"));
        }
        Ok(Finished { game: game.played(false)?, thinking: game.thinking })
    }

    /// Returns the number of games that were kept before.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Returns true if no games were kept before.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Returns the error that ended the match, if a game could not be written.
    ///
    /// # Errors
    /// That error.
    pub fn check(self) -> Result<(), StoreError> {
        self.problem.map_or(Ok(()), Err)
    }
}

impl KeptGames for MatchStore {
    fn known(&mut self) -> BTreeMap<usize, Finished> {
        std::mem::take(&mut self.known)
    }

    fn keep(&mut self, index: usize, game: &Finished) -> bool {
        // Nothing may follow a partial game in the file.
        if self.problem.is_none() {
            let fixture = Fixture { a: 0, b: 1, size: self.size, index };
            let stored = StoredGame::new(&self.conditions, &fixture, &self.players, game.clone());
            self.problem = self.store.append(&stored).err();
        }
        self.problem.is_none()
    }
}
