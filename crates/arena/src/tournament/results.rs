//! Results of any number of players against each other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::game_store::{Conditions, PlayerId, StoreError, StoredGame};
use crate::matches::{Finished, Fixture, PlayerFailure};
use crate::played_game::Thinking;
use crate::rating::{PairResult, Tally};

/// Games of any number of players on any number of boards.
#[derive(Debug, Clone, Default)]
pub struct Results {
    players: Vec<PlayerId>,
    /// Keyed by the two players, the smaller number first, and the size.
    games: BTreeMap<Fixture, Finished>,
}

impl Results {
    /// Creates empty results.
    pub fn new(players: Vec<PlayerId>) -> Self {
        Self { players, games: BTreeMap::new() }
    }

    /// Adds a player, unless one with this name takes part already; returns the player's number.
    pub fn admit(&mut self, player: PlayerId) -> usize {
        let number = self.players.iter().position(|present| present.name == player.name);
        number.unwrap_or_else(|| {
            self.players.push(player);
            self.players.len() - 1
        })
    }

    /// Returns the players.
    pub fn players(&self) -> &[PlayerId] {
        &self.players
    }

    /// Adds the games of a file, which must be of these players under these conditions.
    ///
    /// # Errors
    /// If they are not.
    pub fn add_stored(&mut self, path: &Path, conditions: &Conditions, games: &[StoredGame]) -> Result<(), StoreError> {
        for (line, game) in (1..).zip(games) {
            self.add(conditions, game).map_err(|problem| StoreError::Foreign {
                path: path.to_owned(),
                line,
                problem,
            })?;
        }
        Ok(())
    }

    /// Adds a game. The error says why it does not belong here.
    pub(super) fn add(&mut self, conditions: &Conditions, game: &StoredGame) -> Result<(), String> {
        conditions.check(&game.conditions)?;
        let a = self.number(&game.a)?;
        let b = self.number(&game.b)?;
        if a == b {
            return Err(format!("'{}' plays against itself", game.a.name));
        }
        let turned = a > b;
        let mut thinking = game.thinking;
        if turned {
            thinking.reverse();
        }
        let played = game.played(turned)?;
        let fixture = Fixture { a: a.min(b), b: a.max(b), size: game.size, index: played.index };
        self.games.entry(fixture).or_insert(Finished { game: played, thinking });
        Ok(())
    }

    fn number(&self, player: &PlayerId) -> Result<usize, String> {
        let name = &player.name;
        let number = self.players.iter().position(|present| present.name == *name);
        let number =
            number.ok_or_else(|| format!("'{name}' does not take part; name it too, or set the file aside"))?;
        self.players[number].check(player)?;
        Ok(number)
    }

    /// Returns true if a game has been played. `a` must have the smaller number.
    pub fn contains(&self, fixture: &Fixture) -> bool {
        self.games.contains_key(fixture)
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Returns true if there are no games.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Returns the board sizes that were played on, in ascending order.
    pub fn sizes(&self) -> Vec<usize> {
        let sizes: BTreeSet<usize> = self.games.keys().map(|fixture| fixture.size).collect();
        sizes.into_iter().collect()
    }

    /// Iterates over the results of each pairing on each board, or on one: by the two players and the size.
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

    /// Lists the games that were lost by a fault.
    pub fn faults(&self) -> Vec<(Fixture, PlayerFailure)> {
        let fault = |(fixture, finished): (&Fixture, &Finished)| {
            let game = &finished.game;
            let player = self.players[[fixture.a, fixture.b][game.faulty()?]].name.clone();
            Some((*fixture, PlayerFailure::in_game(player, game, game.fault.clone()?)))
        };
        self.on(None).filter_map(fault).collect()
    }

    fn on(&self, size: Option<usize>) -> impl Iterator<Item = (&Fixture, &Finished)> {
        self.games.iter().filter(move |(fixture, _)| size.is_none_or(|size| size == fixture.size))
    }
}
