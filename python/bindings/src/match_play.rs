//! Matches between two players.

use hexzero_arena::{MatchResult as Played, MatchSettings, play_match as play};
use hexzero_games::{Game, default_game};
use pyo3::prelude::*;

use super::errors::{failed, in_range, value_error};
use super::game::{GameName, board_of};
use super::interrupt::interruptible;
use super::judge::Fault;
use super::network::{Network, threads_or_cores};
use super::players::Maker;
use super::search::limits_of;

/// The most games and threads that are accepted.
const MAX_GAMES: i64 = 1_000_000;
pub const MAX_WORKERS: usize = 1024;

/// The result of a match, as player A sees it.
#[pyclass(module = "hexzero", frozen, get_all)]
pub struct MatchResult {
    /// The name of player A.
    a: String,
    /// The name of player B.
    b: String,
    /// The game's name.
    game: &'static str,
    /// The board's size.
    size: usize,
    /// The number of games.
    games: usize,
    /// Games that A won.
    wins: usize,
    /// Games that B won.
    losses: usize,
    /// Drawn games.
    draws: usize,
    /// A's share of the points.
    score: f64,
    /// A's rating minus B's, in Elo.
    elo: f64,
    /// The lower end of its 95 % interval.
    elo_low: f64,
    /// The upper end of its 95 % interval.
    elo_high: f64,
    /// The games, each a line of JSON as `State.from_json` reads it; `a_is_first` tells whether A moved first.
    records: Vec<String>,
}

impl MatchResult {
    fn of(result: &Played) -> PyResult<Self> {
        let line = |game| serde_json::to_string(game).map_err(failed);
        Ok(Self {
            a: result.a.clone(),
            b: result.b.clone(),
            game: result.game,
            size: result.size,
            games: result.tally.games,
            wins: result.tally.wins_a,
            losses: result.tally.wins_b,
            draws: result.tally.draws,
            score: result.tally.score(),
            elo: result.elo.elo,
            elo_low: result.elo.low,
            elo_high: result.elo.high,
            records: result.played.iter().map(line).collect::<PyResult<_>>()?,
        })
    }
}

#[pymethods]
impl MatchResult {
    fn __repr__(&self) -> String {
        let Self { a, b, wins, losses, draws, elo, elo_low, elo_high, .. } = self;
        format!(
            "<hexzero.MatchResult '{a}' against '{b}': {wins} wins, {losses} losses, {draws} draws, Elo {elo:+.0} \
             ({elo_low:+.0} to {elo_high:+.0})>"
        )
    }
}

/// Plays a match, on all cores, in pairs of games from the same opening with the seats exchanged. Ctrl-C ends it.
///
/// Args:
///     a: the first player: a name (`"random"`, `"alphabeta:2"`, `"mcts:1000"`, `"shipped"`, the path of a checkpoint or a run,
///         these three with options such as `"shipped@visits=400"`, or `"gtp:COMMAND"`), a network, a search, or a function
///         that takes a state and returns an action by number or name, or None to resign.
///     b: the other player.
///     game: the game, by default that of the first network given, else cachex.
///     size: the board's size, by default the one that the game offers first.
///     games: the number of games.
///     visits: visits a move of networks given without a search, by default 200.
///     time: seconds a move of networks given without a search.
///     seed: decides the openings and all randomness of the players, but for functions.
///     threads: games at a time, 0 for one on each core; with players in Python 0 means one.
///
/// Raises:
///     ValueError: if a player, the game or a number is not accepted.
///     RuntimeError: if a player cannot begin, or fails in three games in a row; other games in which it fails it loses.
///         Exceptions of players in Python end the match and come as they are.
#[pyfunction]
#[pyo3(signature = (a, b, *, game = None, size = None, games = 100, visits = None, time = None, seed = 0, threads = 0))]
#[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
pub fn play_match(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    game: Option<GameName<'_>>,
    size: Option<i64>,
    games: i64,
    visits: Option<i64>,
    time: Option<f64>,
    seed: u64,
    threads: i64,
) -> PyResult<MatchResult> {
    let own = || game_of(a).or_else(|| game_of(b)).unwrap_or_else(default_game);
    let on = game.map_or_else(|| board_of(own(), size), |game| game.game_board(size))?;
    let games = in_range("games", games, 1..=MAX_GAMES)?;
    let limits = limits_of(visits, time)?;
    let faults = [Fault::default(), Fault::default()];
    let makers = [Maker::new(a, on.game(), limits, &faults[0])?, Maker::new(b, on.game(), limits, &faults[1])?];
    // The interpreter runs one of them at a time anyhow.
    let workers = threads_or_cores(threads, MAX_WORKERS)?;
    let threads = if threads == 0 && makers.iter().any(Maker::is_python) { 1 } else { workers };
    let settings = MatchSettings { size: on.size(), games, seed, sequential: None, threads };
    let [make_a, make_b] = &makers;
    let result = interruptible(py, |stop| {
        play(
            on.game(),
            || make_a.player(),
            || make_b.player(),
            &settings,
            stop,
            |_| {
                if faults.iter().any(Fault::has_happened) {
                    stop.request();
                }
            },
        )
    })?;
    faults.iter().try_for_each(Fault::check)?;
    let result = result.map_err(value_error)?;
    match &result.failure {
        Some(failure) => Err(failed(failure)),
        None => MatchResult::of(&result),
    }
}

/// Returns the game of a player that is a network.
fn game_of(player: &Bound<'_, PyAny>) -> Option<Game> {
    player.cast::<Network>().ok().map(|network| network.get().game)
}
