//! Tournaments: lists the games and plays those still missing.

use hexzero_games::UnknownGame;

use super::game_store::{Conditions, GameStore, PlayerId, StoreError, StoredGame};
use super::results::Results;
use crate::matches::Fixture;
use crate::matches::PlayerFailure;
use crate::matches::{Fixtures, MatchError, Venue};
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
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
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

/// Plays the missing games at a venue and adds them to the results, and to the file if there is
/// one.
///
/// Each game is saved as it ends, so a stop or an error loses no finished game. If a player is out,
/// only its own remaining games are skipped.
///
/// # Errors
/// If games cannot be played or saved, or a player is out.
pub fn play_missing(
    venue: &dyn Venue,
    fixtures: &[Fixture],
    conditions: &Conditions,
    results: &mut Results,
    mut store: Option<&mut GameStore>,
    stop: &StopSignal,
    mut on_game: impl FnMut(&StoredGame),
) -> Result<(), TournamentError> {
    let game = conditions.game()?;
    let missing: Vec<Fixture> = fixtures.iter().copied().filter(|fixture| !results.contains(fixture)).collect();
    let players: Vec<PlayerId> = results.players().to_vec();
    let mut problem = None;
    let to_play = Fixtures { game, list: &missing, seed: conditions.seed };
    let failures = venue.play(&to_play, stop, &mut |number, finished| {
        if problem.is_some() {
            // Nothing may follow a partial game in the file.
            return true;
        }
        let stored = StoredGame::new(conditions, &missing[number], &players, finished);
        let kept = store.as_mut().map_or(Ok(()), |store| store.append(&stored));
        // The game was made from these players and conditions.
        let added = kept.map(|()| results.add(conditions, &stored).unwrap_or_default());
        on_game(&stored);
        problem = added.err();
        problem.is_some()
    })?;
    if let Some(problem) = problem {
        return Err(problem.into());
    }
    let out = failures.into_iter().map(|(fixture, failure)| {
        let (a, b) = (&players[fixture.a].name, &players[fixture.b].name);
        (format!("{a} against {b} at {}", game.board_name(fixture.size)), failure)
    });
    let out: Vec<_> = out.collect();
    if out.is_empty() { Ok(()) } else { Err(TournamentError::Out(out)) }
}
