//! Self-play with a network on all cores.

use std::sync::Arc;

use hexzero::replay::Shard;
use hexzero::selfplay::{GameOrder, GameSource, LocalGames, Opening, Pool, SelfPlaySettings, SizeWeight};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::errors::{failed, value_error};
use super::game::GameName;
use super::games::Games;
use super::interrupt::interruptible;
use super::network::Network;

/// The most games of one call.
const MOST_GAMES: u64 = 10_000_000;

/// Plays games of a network against itself, on all cores, as training does. Ctrl-C ends it.
///
/// Args:
///     network: the network.
///     game: the game, by default that of the network.
///     size: the board's size, by default the one that the game offers first.
///     games: the number of games.
///     visits: visits of a full search, whose findings are training targets.
///     cheap_visits: visits of the other searches.
///     full_share: the share of moves that get a full search, above 0 and up to 1.
///     random_opening: the probability that a game begins with a random move, and that another one follows each.
///     seed: decides the games, together with their numbers.
///     first: the number of the first game; further calls go on with the next number.
///     threads: games at a time, 0 for one on each core.
///
/// Raises:
///     ValueError: if a number is out of range, or the network is of another game.
#[pyfunction]
#[pyo3(signature = (network, *, game = None, size = None, games = 100, visits = 64, cheap_visits = 16, full_share = 1.0,
                    random_opening = 0.4, seed = 0, first = 0, threads = 0))]
#[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
pub fn self_play(
    py: Python<'_>,
    network: &Bound<'_, Network>,
    game: Option<GameName<'_>>,
    size: Option<usize>,
    games: u64,
    visits: u32,
    cheap_visits: u32,
    full_share: f64,
    random_opening: f64,
    seed: u64,
    first: u64,
    threads: usize,
) -> PyResult<Games> {
    let network = network.get();
    let on = game.unwrap_or_else(|| GameName::Name(network.game.name().to_owned())).on(size)?;
    network.check(on.game())?;
    let settings = SelfPlaySettings {
        sizes: vec![SizeWeight::of(on.size())],
        full_visits: visits,
        cheap_visits,
        full_share,
        opening: Opening { random: random_opening, ..Opening::default() },
        ..SelfPlaySettings::default()
    };
    if let Some(problem) = settings.problem(on.game().info().boards.sizes.clone()) {
        // The names of the arguments are those of Python.
        return Err(PyValueError::new_err(
            problem.replace("full_visits", "visits").replace("opening: random", "random_opening"),
        ));
    }
    if games > MOST_GAMES || first.checked_add(games).is_none() {
        return Err(PyValueError::new_err(format!("games = {games}; accepted: 0 to {MOST_GAMES}")));
    }
    if threads > 1024 {
        return Err(PyValueError::new_err(format!("threads = {threads}; accepted: 0 (all cores) to 1024")));
    }
    let numbers: Vec<u64> = (first..first + games).collect();
    let played = interruptible(py, |halt| {
        let pool = Pool::new(threads).map_err(|error| error.to_string())?;
        let order = GameOrder {
            game: on.game(),
            checkpoint: &network.checkpoint,
            settings: &settings,
            run_seed: seed,
            numbers: &numbers,
        };
        LocalGames::new(Arc::new(pool)).play(&order, halt, &|_, _| ()).map_err(|error| error.to_string())
    })?;
    let played = played.map_err(value_error)?.ok_or_else(|| failed("self-play was stopped"))?;
    Ok(Games { shard: Shard { game: on.game().name().to_owned(), records: played.records } })
}
