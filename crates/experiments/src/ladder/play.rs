//! Plays the games of a ladder.

use std::error::Error;

use hexzero_arena::players::{PlayerOptions, PlayerSource, PlayerSpec};
use hexzero_arena::{
    Conditions, Fixture, GameStore, Host, OpeningBook, PairResult, PlayerId, Standings, StoreError, StoredGame,
    Tournament,
};
use hexzero_games::Game;
use hexzero_nn::{Backend, Checkpoint, CheckpointError};
use hexzero_search::Limits;
use hexzero_system::stop::StopSignal;
use hexzero_train::RunFolder;

use super::choice::{most_telling, pairings};

/// The built-in opponents, the weakest first. They are the first players of a ladder.
pub const OPPONENTS: [PlayerSpec; 4] = [
    PlayerSpec::Random,
    PlayerSpec::AlphaBeta { depth: 2 },
    PlayerSpec::AlphaBeta { depth: 3 },
    PlayerSpec::Mcts { playouts: 1000 },
];

/// The number of the opponent that is rated 0.
pub const ANCHOR: usize = 1;

/// Default visits a move of the checkpoints.
pub const DEFAULT_VISITS: u32 = 50;

/// The number of pairings chosen at once …
const PAIRINGS: usize = 4;
/// … and the games of each. Fixed, so that the choice does not depend on the threads.
const GAMES: usize = 4;

/// The seed of the openings, the same for all.
const SEED: u64 = 0;

/// Mebibytes of each network's evaluation cache: many may play at the same time.
const CACHE: u32 = 4;

/// Settings of a ladder.
#[derive(Debug, Clone)]
pub struct LadderSettings {
    /// The board's size.
    pub size: usize,
    /// Visits a move; by default those of the existing games.
    pub visits: Option<u32>,
    /// The backend that evaluates the checkpoints' networks.
    pub backend: Backend,
    /// The openings of further games; by default those of the existing games, or those that ship.
    pub book: Option<OpeningBook>,
}

/// An error that keeps a ladder from being played.
pub type LadderError = Box<dyn Error + Send + Sync>;

/// The ladder of a run.
#[derive(Debug)]
pub struct Ladder {
    folder: RunFolder,
    settings: LadderSettings,
    limits: Limits,
    store: GameStore,
    games: Tournament,
    /// The numbers of the players available: the opponents, then checkpoints by step.
    playable: Vec<usize>,
}

/// Rates a run's checkpoints by all games of its ladder, for each board size; none before the first game. Other
/// processes may be adding games meanwhile.
///
/// # Errors
/// If the file of the games cannot be read or holds something else.
pub fn read(folder: &RunFolder) -> Result<Vec<Standings>, StoreError> {
    let mut store = GameStore::read(&folder.ladder())?;
    let Some(conditions) = store.games.first().map(|first| first.conditions.clone()) else { return Ok(Vec::new()) };
    let games = Tournament::resume(conditions, known(&store.games), &mut store, true)?;
    Ok(games.sizes().into_iter().map(|size| Standings::new(&games, Some(size), ANCHOR)).collect())
}

/// Lists the built-in opponents and the players of these games, the checkpoints by their steps.
fn known(games: &[StoredGame]) -> Vec<PlayerId> {
    let mut known: Vec<PlayerId> = OPPONENTS.iter().map(|spec| PlayerId::named(spec.to_string())).collect();
    let mut others: Vec<&PlayerId> = games.iter().flat_map(|game| [&game.a, &game.b]).collect();
    others.sort_by_key(|player| (player.step(), player.name.clone()));
    for player in others {
        if known.iter().all(|one| one.name != player.name) {
            known.push(player.clone());
        }
    }
    known
}

impl Ladder {
    /// Opens the ladder of a run with the file of its games: [opened](GameStore::open) to play, or only
    /// [read](GameStore::read) for the standings. It has no checkpoints to play until [`Ladder::admit`].
    ///
    /// # Errors
    /// If there is no such board, or the games are not those of this ladder.
    pub fn new(
        game: Game,
        folder: &RunFolder,
        settings: LadderSettings,
        mut store: GameStore,
    ) -> Result<Self, LadderError> {
        game.game_board(settings.size)?;
        let there = store.games.first().and_then(|game| game.conditions.limits.strip_prefix("visits=")?.parse().ok());
        let limits = Limits::visits(settings.visits.or(there).unwrap_or(DEFAULT_VISITS));
        let conditions = Conditions::new(game, SEED, limits);
        let conditions = match settings.book.clone() {
            Some(book) => conditions.with_book(book),
            None => conditions.continuing(&store.games, settings.size),
        };
        let games = Tournament::resume(conditions, known(&store.games), &mut store, true)?;
        let playable = (0..OPPONENTS.len()).collect();
        Ok(Self { folder: folder.clone(), settings, limits, store, games, playable })
    }

    /// Returns the games.
    pub fn tournament(&self) -> &Tournament {
        &self.games
    }

    /// Returns the number of games on the board of the settings.
    pub fn games(&self) -> usize {
        self.games.count(Some(self.settings.size))
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
        for step in self.folder.checkpoint_steps().into_iter().filter(|&step| step <= last_step) {
            if self.playable.iter().any(|&number| self.step(number) == Some(step)) {
                continue;
            }
            let network = Some(Checkpoint::read(&self.folder.checkpoint(step))?.digest()?);
            let name = PlayerId::checkpoint_name(step);
            let Some(number) = self.games.admit(PlayerId { name: name.clone(), network }) else {
                return Err(format!(
                    "'{name}' is not the network that played the games in ladder.jsonl; set that file aside to begin \
                     anew"
                )
                .into());
            };
            self.playable.push(number);
        }
        let players = self.games.players();
        self.playable.sort_by_key(|&number| players[number].step());
        Ok(())
    }

    /// Plays the most informative games until there are `games` on the board of the settings, and keeps each as it
    /// ends, at venues of `host`. `stop` ends it sooner. A ladder that is only read plays none.
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
        while self.games() < games && self.store.is_open() && !stop.is_requested() {
            let mut fixtures = self.next_fixtures();
            fixtures.truncate(games - self.games());
            if fixtures.is_empty() {
                break;
            }
            let plays = |number| fixtures.iter().any(|fixture| fixture.a == number || fixture.b == number);
            let playing = self.playable.iter().filter(|&&number| plays(number));
            let sources = playing.map(|&number| Ok((number, self.source(number)?)));
            let sources: Vec<(usize, PlayerSource)> = sources.collect::<Result<_, CheckpointError>>()?;
            let venue = host.venue(&sources)?;
            self.games.play(&*venue, &fixtures, stop, |game| {
                self.store.append(game)?;
                on_game(game);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Returns the ratings so far, on the board of the settings.
    pub fn standings(&self) -> Standings {
        Standings::new(&self.games, Some(self.settings.size), ANCHOR)
    }

    fn step(&self, number: usize) -> Option<u64> {
        self.games.players()[number].step()
    }

    fn source(&self, number: usize) -> Result<PlayerSource, CheckpointError> {
        let Some(step) = self.step(number) else { return Ok(PlayerSource::built_in(OPPONENTS[number].clone())) };
        let checkpoint = Checkpoint::read(&self.folder.checkpoint(step))?;
        let (game, name) = (self.games.conditions().game, PlayerId::checkpoint_name(step));
        let options = PlayerOptions::default();
        PlayerSource::network(game, name, &checkpoint, &self.settings.backend, options, self.limits, CACHE)
    }

    fn next_fixtures(&self) -> Vec<Fixture> {
        let size = self.settings.size;
        // All players in order, also those whose checkpoints are gone: their games inform about the others.
        let mut order: Vec<usize> = (0..self.games.players().len()).collect();
        order.sort_by_key(|&number| self.step(number));
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &number)| place[number] = at);
        let results: Vec<PairResult> = (self.games.pair_results(Some(size)).into_iter())
            .map(|result| PairResult { a: place[result.a], b: place[result.b], ..result })
            .collect();
        let candidates = pairings(OPPONENTS.len(), self.playable.len() - OPPONENTS.len());
        let candidates: Vec<(usize, usize)> =
            candidates.into_iter().map(|(a, b)| (place[self.playable[a]], place[self.playable[b]])).collect();

        let mut fixtures: Vec<Fixture> = Vec::new();
        for (a, b) in most_telling(order.len(), &results, &candidates, PAIRINGS, GAMES as f64) {
            let (a, b) = (order[a].min(order[b]), order[a].max(order[b]));
            let all = (0..).map(|index| Fixture { a, b, size, index });
            let missing = all.filter(|fixture| !self.games.contains(fixture) && !fixtures.contains(fixture));
            let next: Vec<Fixture> = missing.take(GAMES).collect();
            fixtures.extend(next);
        }
        fixtures
    }
}
