//! Tournaments: which games are to be played, and playing those that have not been.

use std::sync::atomic::AtomicBool;

use crate::games::UnknownGame;

use super::fixtures::{Fixture, MatchError, play_fixtures};
use super::game_store::{Conditions, GameStore, PlayerId, StoreError, StoredGame};
use super::match_result::PlayerFailure;
use super::results::Results;
use super::source::PlayerSource;

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairings {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

impl Pairings {
    /// All games of a tournament of so many players: on each board, so many games of each pairing.
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

/// Why a tournament could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// Its games cannot be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// Its file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A player failed or broke the rules.
    #[error("{between}: {failure}")]
    Player {
        /// Who played against whom, and on which board.
        between: String,
        /// What happened.
        failure: PlayerFailure,
    },
}

/// Plays those of the games that have not been played, adds them to the results, and to the file if there is one.
/// `source` gives the source of the player with a number.
///
/// Games count whenever they end, so those before a stop or a failure are kept.
///
/// # Errors
/// If they cannot be played, or not be kept.
#[expect(clippy::too_many_arguments, reason = "each of them is one thing")]
pub fn play_missing<'c>(
    source: impl Fn(usize) -> &'c PlayerSource + Sync,
    fixtures: &[Fixture],
    conditions: &Conditions,
    results: &mut Results,
    mut store: Option<&mut GameStore>,
    threads: usize,
    stop: &AtomicBool,
    mut on_game: impl FnMut(&StoredGame),
) -> Result<(), TournamentError> {
    let game = conditions.game()?;
    let missing: Vec<Fixture> = fixtures.iter().copied().filter(|fixture| !results.contains(fixture)).collect();
    let players: Vec<PlayerId> = results.players().to_vec();
    let mut problem = None;
    let make = |number| source(number).player();
    let failure = play_fixtures(game, &missing, make, conditions.seed, threads, stop, |number, finished| {
        let stored = StoredGame::new(conditions, &missing[number], &players, finished);
        let kept = store.as_mut().map_or(Ok(()), |store| store.append(&stored));
        // It was made from these very players and conditions.
        let added = kept.map(|()| results.add(conditions, &stored).unwrap_or_default());
        on_game(&stored);
        problem = problem.take().or(added.err());
        problem.is_some()
    })?;
    match (problem, failure) {
        (Some(problem), _) => Err(problem.into()),
        (None, Some((fixture, failure))) => {
            let name = |number: usize| players[number].name.clone();
            let (a, b) = (name(fixture.a), name(fixture.b));
            let between = format!("{a} against {b} at {}", game.board_name(fixture.size));
            Err(TournamentError::Player { between, failure })
        }
        (None, None) => Ok(()),
    }
}
