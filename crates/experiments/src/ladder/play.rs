//! Plays the games of a ladder.

use hexzero_arena::players::PlayerSource;
use hexzero_arena::{
    Conditions, Fixture, GameStore, Host, PairResult, Results, StoreError, StoredGame, TournamentError, play_missing,
};
use hexzero_games::{Game, SizeError};
use hexzero_nn::{Backend, CheckpointError};
use hexzero_search::Limits;
use hexzero_system::stop::StopSignal;
use hexzero_train::RunFolder;

use super::choice::{most_telling, pairings};
use super::standings::{LadderStandings, OPPONENTS, RatedPlayer, known, step_of};

/// Default visits a move of the checkpoints.
pub const DEFAULT_VISITS: u32 = 50;

/// The number of pairings chosen at once …
const PAIRINGS: usize = 4;
/// … and the games of each. Fixed, so that the choice does not depend on the threads.
const GAMES: usize = 4;

/// The seed of the openings, the same for all.
const SEED: u64 = 0;

/// Settings of a ladder.
#[derive(Debug, Clone)]
pub struct LadderSettings {
    /// The board's size.
    pub size: usize,
    /// Visits a move; by default those of the existing games.
    pub visits: Option<u32>,
    /// The backend that evaluates the checkpoints' networks.
    pub backend: Backend,
}

/// An error that keeps a ladder from being played.
#[derive(Debug, thiserror::Error)]
pub enum LadderError {
    /// There is no such board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The file of the ladder's games cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A game cannot be played.
    #[error(transparent)]
    Play(#[from] TournamentError),
    /// A checkpoint has been replaced by another.
    #[error("'{name}' is not the network that played the games in ladder.jsonl; set that file aside to begin anew")]
    Replaced {
        /// The checkpoint's name.
        name: String,
    },
}

/// The ladder of a run, open for more games.
#[derive(Debug)]
pub struct Ladder {
    game: Game,
    folder: RunFolder,
    settings: LadderSettings,
    limits: Limits,
    conditions: Conditions,
    /// The file of games; none if the ladder is only read.
    store: Option<GameStore>,
    results: Results,
    /// The players available, with their numbers in the results: the opponents, then checkpoints by step.
    playable: Vec<(usize, RatedPlayer)>,
    torn: u64,
}

impl Ladder {
    /// Opens or creates a run's ladder. It has no players, and plays nothing, until [`Ladder::admit`].
    ///
    /// # Errors
    /// If the file of its games cannot be used, or another process is adding to it.
    pub fn open(game: Game, folder: &RunFolder, settings: LadderSettings) -> Result<Self, LadderError> {
        let (store, games, torn) = GameStore::open(&folder.ladder())?;
        Self::with(game, folder, settings, &games, Some(store)).map(|ladder| Self { torn, ..ladder })
    }

    /// Reads a run's ladder, for its standings; it plays nothing, writes nothing, and other processes may be adding to it.
    ///
    /// # Errors
    /// If the file of its games cannot be read.
    pub fn read(game: Game, folder: &RunFolder, settings: LadderSettings) -> Result<Self, LadderError> {
        Self::with(game, folder, settings, &GameStore::read(&folder.ladder())?, None)
    }

    fn with(
        game: Game,
        folder: &RunFolder,
        settings: LadderSettings,
        games: &[StoredGame],
        store: Option<GameStore>,
    ) -> Result<Self, LadderError> {
        game.on(settings.size)?;
        let path = folder.ladder();
        let there = games.first().and_then(|game| game.conditions.limits.strip_prefix("visits=")?.parse().ok());
        let limits = Limits::visits(settings.visits.or(there).unwrap_or(DEFAULT_VISITS));
        let conditions = Conditions::new(game, SEED, limits);
        let mut results = Results::new(known(games));
        results.add_stored(&path, &conditions, games)?;
        let playable = OPPONENTS.into_iter().map(RatedPlayer::BuiltIn).enumerate().collect();
        let folder = folder.clone();
        Ok(Self { game, folder, settings, limits, conditions, store, results, playable, torn: 0 })
    }

    /// Returns the number of bytes of a partial game that were cut off the end of the file.
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// Returns the number of games on the board of the settings.
    pub fn games(&self) -> usize {
        self.results.tallies(Some(self.settings.size)).values().map(|tally| tally.games).sum()
    }

    /// Returns the number of players available.
    pub fn players(&self) -> usize {
        self.playable.len()
    }

    /// Adds the run's present checkpoints up to a step.
    ///
    /// # Errors
    /// If one of them cannot be read, or has been replaced by another.
    pub fn admit(&mut self, last_step: u64) -> Result<(), LadderError> {
        for player in RatedPlayer::of(&self.folder, last_step) {
            if self.playable.iter().any(|(_, other)| *other == player) {
                continue;
            }
            let id = player.id(&self.folder)?;
            self.playable.push((self.results.admit(id.clone()), player));
            if !self.results.players().contains(&id) {
                return Err(LadderError::Replaced { name: id.name });
            }
        }
        let results = &self.results;
        self.playable.sort_by_key(|(number, _)| step_of(&results.players()[*number].name));
        Ok(())
    }

    /// Plays the most informative games until there are `games` on the board of the settings, and keeps each as it
    /// ends, at venues of `host`. `stop` ends it sooner.
    ///
    /// # Errors
    /// If games cannot be played or kept.
    pub fn play(
        &mut self,
        games: usize,
        host: &dyn Host,
        stop: &StopSignal,
        mut on_game: impl FnMut(&StoredGame),
    ) -> Result<(), LadderError> {
        while self.games() < games && self.store.is_some() && !stop.is_requested() {
            let mut fixtures = self.next_fixtures();
            fixtures.truncate(games - self.games());
            if fixtures.is_empty() {
                break;
            }
            let mut sources: Vec<(usize, PlayerSource)> = Vec::new();
            for (number, player) in &self.playable {
                if fixtures.iter().any(|fixture| fixture.a == *number || fixture.b == *number) {
                    sources
                        .push((*number, player.source(self.game, &self.folder, self.limits, &self.settings.backend)?));
                }
            }
            let venue = host.venue(&sources).map_err(TournamentError::from)?;
            let (results, store) = (&mut self.results, self.store.as_mut());
            play_missing(&*venue, &fixtures, &self.conditions, results, store, stop, &mut on_game)?;
        }
        Ok(())
    }

    /// Returns the ratings so far.
    pub fn standings(&self) -> LadderStandings {
        LadderStandings::new(&self.results, &self.conditions, self.settings.size)
    }

    /// Chooses the next games.
    fn next_fixtures(&self) -> Vec<Fixture> {
        let size = self.settings.size;
        // All players in order, also those whose checkpoints are gone: their games inform about the others.
        let players = self.results.players();
        let mut order: Vec<usize> = (0..players.len()).collect();
        order.sort_by_key(|&number| step_of(&players[number].name));
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &number)| place[number] = at);
        let results: Vec<PairResult> = (self.results.pair_results(Some(size)).into_iter())
            .map(|result| PairResult { a: place[result.a], b: place[result.b], ..result })
            .collect();
        let candidates = pairings(OPPONENTS.len(), self.playable.len() - OPPONENTS.len());
        let candidates: Vec<(usize, usize)> =
            candidates.into_iter().map(|(a, b)| (place[self.playable[a].0], place[self.playable[b].0])).collect();

        let mut fixtures: Vec<Fixture> = Vec::new();
        for (a, b) in most_telling(order.len(), &results, &candidates, PAIRINGS, GAMES as f64) {
            let (a, b) = (order[a].min(order[b]), order[a].max(order[b]));
            let all = (0..).map(|index| Fixture { a, b, size, index });
            let missing = all.filter(|fixture| !self.results.contains(fixture) && !fixtures.contains(fixture));
            let next: Vec<Fixture> = missing.take(GAMES).collect();
            fixtures.extend(next);
        }
        fixtures
    }
}
