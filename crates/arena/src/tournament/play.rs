//! Lists the games of a tournament, and plays those still missing.

use super::game_store::StoreError;
use super::games::Tournament;
use super::stored_game::StoredGame;
use crate::matches::{Fixture, Fixtures, MatchError, PlayerFailure, Venue};
use hexzero_system::stop::StopSignal;

/// The pairings of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairings {
    /// All players meet each other.
    RoundRobin,
    /// The first player meets all others, and no other pairs meet.
    Gauntlet,
}

impl Pairings {
    /// Lists all games of a tournament: on each board, `games` games of each pairing.
    pub fn fixtures(self, players: usize, sizes: &[usize], games: usize) -> Vec<Fixture> {
        let hosts = match self {
            Self::RoundRobin => players,
            Self::Gauntlet => 1,
        };
        let pairings = (0..hosts).flat_map(|a| (a + 1..players).map(move |b| (a, b)));
        let pairings: Vec<(usize, usize)> = pairings.collect();
        let on = |size| {
            let games = move |&(a, b): &(usize, usize)| (0..games).map(move |index| Fixture { a, b, size, index });
            pairings.iter().flat_map(games)
        };
        sizes.iter().copied().flat_map(on).collect()
    }
}

/// An error that ended a tournament.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// The games cannot be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The file of games cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Players are out, so that some of their games were not played.
    #[error("{}", .0.iter().map(|(between, failure)| format!("{between}: {failure}")).collect::<Vec<_>>().join("; "))]
    Out(Vec<(String, PlayerFailure)>),
}

impl Tournament {
    /// Plays the missing games at a venue and adds them. Each is given to `keep` as it ends, so that a stop or an
    /// error loses no finished game. If a player is out, only its own remaining games are skipped.
    ///
    /// # Errors
    /// If games cannot be played or kept, or a player is out.
    pub fn play(
        &mut self,
        venue: &dyn Venue,
        fixtures: &[Fixture],
        stop: &StopSignal,
        mut keep: impl FnMut(&StoredGame) -> Result<(), StoreError>,
    ) -> Result<(), TournamentError> {
        let mut problem = None;
        let keep = |game: &StoredGame| {
            problem = keep(game).err();
            problem.is_none()
        };
        let failures = self.play_until(venue, fixtures, stop, keep, |_| false)?;
        if let Some(problem) = problem {
            return Err(problem.into());
        }
        let out: Vec<_> = failures.into_iter().map(|(fixture, failure)| (self.name_of(&fixture), failure)).collect();
        if out.is_empty() { Ok(()) } else { Err(TournamentError::Out(out)) }
    }

    /// Plays missing games until `decided`, which is asked after each. Returns the failures by which players are out.
    /// A game that `keep` refuses is not added, and is the last.
    ///
    /// # Errors
    /// If games cannot be played.
    pub(super) fn play_until(
        &mut self,
        venue: &dyn Venue,
        fixtures: &[Fixture],
        stop: &StopSignal,
        mut keep: impl FnMut(&StoredGame) -> bool,
        mut decided: impl FnMut(&Self) -> bool,
    ) -> Result<Vec<(Fixture, PlayerFailure)>, MatchError> {
        let missing: Vec<Fixture> = fixtures.iter().copied().filter(|fixture| !self.contains(fixture)).collect();
        let book = self.conditions.book();
        let to_play = Fixtures { book: &book, list: &missing, seed: self.conditions.seed };
        let mut ended = false;
        venue.play(&to_play, stop, &mut |number, finished| {
            // Nothing may follow a partial game in a file.
            if !ended {
                let fixture = missing[number];
                ended = !keep(&StoredGame::new(&self.conditions, &self.players, &fixture, &finished));
                if !ended {
                    self.games.insert(fixture, finished);
                    ended = decided(self);
                }
            }
            ended
        })
    }
}
