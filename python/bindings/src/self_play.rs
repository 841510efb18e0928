//! Self-play with a network on all cores.

use std::ops::RangeInclusive;

use hexzero_selfplay::shards::Shard;
use hexzero_selfplay::{OpeningSettings, Pool, SelfPlaySettings, SizeWeight};
use pyo3::prelude::*;

use super::errors::{failed, in_range, value_error};
use super::game::{GameName, board_of};
use super::games::Games;
use super::interrupt::interruptible;
use super::match_play::MAX_WORKERS;
use super::network::{Network, threads_or_cores};

/// The most games of one call.
const MAX_GAMES: i64 = 10_000_000;

/// Visits of a search.
const VISITS: RangeInclusive<i64> = 2..=1_000_000;

/// Plays games of a network against itself, on all cores, as training does. Ctrl-C ends it.
///
/// Args:
///     network: the network.
///     game: the game, by default that of the network.
///     size: the board's size, by default the one that the game offers first.
///     games: the number of games.
///     visits: visits of a full search, whose findings are training targets.
///     cheap_visits: visits that the other searches add.
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
    size: Option<i64>,
    games: i64,
    visits: i64,
    cheap_visits: i64,
    full_share: f64,
    random_opening: f64,
    seed: u64,
    first: u64,
    threads: i64,
) -> PyResult<Games> {
    let network = network.get();
    let on = game.map_or_else(|| board_of(network.game, size), |game| game.game_board(size))?;
    network.check(on.game())?;
    let settings = SelfPlaySettings {
        sizes: vec![SizeWeight::of(on.size())],
        full_visits: in_range("visits", visits, VISITS)?,
        cheap_visits: in_range("cheap_visits", cheap_visits, VISITS)?,
        full_share,
        opening: OpeningSettings { random: random_opening, ..OpeningSettings::default() },
        ..SelfPlaySettings::default()
    };
    settings.validate(on.game().info().boards.sizes.clone()).map_err(|error| {
        // The names of the arguments are those of Python.
        value_error(error.to_string().replace("opening: random", "random_opening"))
    })?;
    let games: u64 = in_range("games", games, 0..=MAX_GAMES)?;
    let threads = threads_or_cores(threads, MAX_WORKERS)?;
    let numbers: Vec<u64> = (0..games).map(|number| first.wrapping_add(number)).collect();
    let played = interruptible(py, |stop| {
        let pool = Pool::new(threads).map_err(value_error)?;
        // In the network's precision.
        let evaluator = network.evaluator.clone().with_cache(settings.evaluation_cache);
        let numbers = numbers.iter().copied();
        PyResult::Ok(pool.play(on.game(), &evaluator, &settings, seed, numbers, stop, |_, _| ()))
    })?;
    let records = played?.ok_or_else(|| failed("self-play was stopped"))?;
    Ok(Games { shard: Shard { game: on.game().name().to_owned(), records } })
}
