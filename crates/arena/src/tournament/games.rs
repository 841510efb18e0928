//! The games of a tournament.

use std::collections::{BTreeMap, BTreeSet};

use super::game_store::{GameStore, StoreError};
use super::stored_game::{Conditions, PlayerId, StoredGame};
use crate::matches::{Finished, Fixture, PlayerFailure};
use crate::played_game::Thinking;
use crate::rating::{PairResult, Tally};

/// Games of any number of players on any number of boards, under the same conditions: those of a match, a tournament
/// or a ladder.
#[derive(Debug, Clone)]
pub struct Tournament {
    pub(super) conditions: Conditions,
    pub(super) players: Vec<PlayerId>,
    /// Keyed by the two players, the smaller number first, and the size.
    pub(super) games: BTreeMap<Fixture, Finished>,
}

impl Tournament {
    /// Creates a tournament without games. Two players may have the same name only if there are no others.
    pub fn new(conditions: Conditions, players: Vec<PlayerId>) -> Self {
        Self { conditions, players, games: BTreeMap::new() }
    }

    /// Creates a tournament with the games that were read from a file, and takes them out of the store. They must be of
    /// these players under these conditions, and from the same openings unless `any_openings`.
    ///
    /// # Errors
    /// If they are not.
    pub fn resume(
        conditions: Conditions,
        players: Vec<PlayerId>,
        store: &mut GameStore,
        any_openings: bool,
    ) -> Result<Self, StoreError> {
        let mut resumed = Self::new(conditions, players);
        for (line, game) in (1..).zip(std::mem::take(&mut store.games)) {
            let mut added = resumed.add(&game);
            if !any_openings {
                added = added.and_then(|()| resumed.conditions.check_openings(&game));
            }
            added.map_err(|problem| StoreError::line(store.path(), line, &problem))?;
        }
        Ok(resumed)
    }

    /// Adds a player, unless it takes part already; returns its number. None if another network has played under its
    /// name.
    pub fn admit(&mut self, player: PlayerId) -> Option<usize> {
        match self.players.iter().position(|present| present.name == player.name) {
            Some(number) => (self.players[number] == player).then_some(number),
            None => {
                self.players.push(player);
                Some(self.players.len() - 1)
            }
        }
    }

    /// Returns the conditions.
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// Returns the players.
    pub fn players(&self) -> &[PlayerId] {
        &self.players
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If the game does not belong here; the message says why.
    pub fn add(&mut self, game: &StoredGame) -> Result<(), String> {
        self.conditions.check(&game.conditions)?;
        let a = self.number(&game.a, None)?;
        let b = self.number(&game.b, Some(a))?;
        let finished = game.finished(a > b)?;
        let fixture = Fixture { a: a.min(b), b: a.max(b), size: game.size, index: finished.game.index };
        self.games.entry(fixture).or_insert(finished);
        Ok(())
    }

    /// Returns the number of a player other than the opponent.
    fn number(&self, player: &PlayerId, opponent: Option<usize>) -> Result<usize, String> {
        let name = &player.name;
        let mut others = (0..self.players.len()).filter(|&number| Some(number) != opponent);
        let number = others.find(|&number| self.players[number].name == *name);
        let number =
            number.ok_or_else(|| format!("'{name}' does not take part; name it too, or set the file aside"))?;
        self.players[number].check(player)?;
        Ok(number)
    }

    /// Returns true if a game has been played. `a` must have the smaller number.
    pub fn contains(&self, fixture: &Fixture) -> bool {
        self.games.contains_key(fixture)
    }

    /// Returns the number of games, on one board or on all.
    pub fn count(&self, size: Option<usize>) -> usize {
        self.on(size).count()
    }

    /// Returns the board sizes that were played on, in ascending order.
    pub fn sizes(&self) -> Vec<usize> {
        let sizes: BTreeSet<usize> = self.games.keys().map(|fixture| fixture.size).collect();
        sizes.into_iter().collect()
    }

    /// Returns the results of each pairing on each board, or on one: by the two players and the size.
    pub fn tallies(&self, size: Option<usize>) -> BTreeMap<(usize, usize, usize), Tally> {
        let mut tallies: BTreeMap<(usize, usize, usize), Tally> = BTreeMap::new();
        for (fixture, finished) in self.on(size) {
            tallies.entry((fixture.a, fixture.b, fixture.size)).or_default().add(&finished.game);
        }
        tallies
    }

    /// Returns the results in the form that ratings are fitted to.
    pub fn pair_results(&self, size: Option<usize>) -> Vec<PairResult> {
        self.tallies(size).iter().map(|(&(a, b, _), tally)| PairResult::new(a, b, tally)).collect()
    }

    /// Returns the moves and the time of each player, on one board or on all.
    pub fn thinking(&self, size: Option<usize>) -> Vec<Thinking> {
        let mut sums = vec![Thinking::default(); self.players.len()];
        for (fixture, finished) in self.on(size) {
            sums[fixture.a] += finished.thinking[0];
            sums[fixture.b] += finished.thinking[1];
        }
        sums
    }

    /// Lists the games that were lost by a fault, on one board or on all.
    pub fn faults(&self, size: Option<usize>) -> Vec<(Fixture, PlayerFailure)> {
        let fault = |(fixture, finished): (&Fixture, &Finished)| {
            let game = &finished.game;
            let player = self.players[[fixture.a, fixture.b][game.faulty()?]].name.clone();
            Some((*fixture, PlayerFailure::in_game(player, game, game.fault.clone()?)))
        };
        self.on(size).filter_map(fault).collect()
    }

    /// Names the players and the board of a game.
    pub fn name_of(&self, fixture: &Fixture) -> String {
        let [a, b] = [fixture.a, fixture.b].map(|player| &self.players[player].name);
        format!("{a} against {b} at {}", self.conditions.game.board_name(fixture.size))
    }

    fn on(&self, size: Option<usize>) -> impl Iterator<Item = (&Fixture, &Finished)> {
        self.games.iter().filter(move |(fixture, _)| size.is_none_or(|size| size == fixture.size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::{Seat, game_named};
    use hexzero_search::Limits;

    use crate::matches::OpeningBook;
    use crate::played_game::PlayedGame;

    #[test]
    fn openings_go_on_as_they_were_begun() {
        let game = game_named("hex").unwrap();
        let text = r#"{"game":"hex","size":5,"moves":["a1","c3"]}"#;
        let book = OpeningBook::read(game, "book", text.as_bytes()).unwrap();
        let conditions = Conditions::new(game, 0, Limits::visits(1)).with_book(book);
        let random = conditions.clone().with_book(OpeningBook::random(game));
        let players = ["a", "b"].map(PlayerId::named);
        let stored = |conditions: &Conditions, size| {
            let start = game.start(size).unwrap();
            let played = PlayedGame::new(&start, Vec::new(), Some(Seat::First), 0, 0);
            let fixture = Fixture { a: 0, b: 1, size, index: 0 };
            StoredGame::new(conditions, &players, &fixture, &Finished { game: played, thinking: Default::default() })
        };
        let (listed, drawn) = (|size| stored(&conditions, size), |size| stored(&random, size));
        let left = |games: &[StoredGame]| conditions.clone().continuing(games, 5).book().on(5).len();
        assert_eq!([left(&[]), left(&[listed(5), drawn(7)]), left(&[listed(5), drawn(5)])], [1, 1, 0]);

        let store = |games: &[StoredGame]| {
            let mut store = GameStore::default();
            store.games = games.to_vec();
            store
        };
        let resume = |conditions: &Conditions, games: &[StoredGame]| {
            let resumed = Tournament::resume(conditions.clone(), players.to_vec(), &mut store(games), false);
            resumed.map(drop).map_err(|error| error.to_string())
        };
        // The book has no opening for 7 × 7.
        assert_eq!(resume(&conditions, &[listed(5), listed(7), drawn(7)]), Ok(()));
        let other = resume(&conditions, &[listed(5), drawn(5)]).unwrap_err();
        assert!(other.contains("line 2: ") && other.contains("--openings random"), "{other}");
        assert!(resume(&random, &[listed(5)]).unwrap_err().contains("other openings"));
        let mut mixed = store(&[listed(5), drawn(5)]);
        assert!(Tournament::resume(conditions.clone(), players.to_vec(), &mut mixed, true).is_ok());
    }
}
