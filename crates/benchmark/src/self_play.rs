//! Measures self-play.

use std::time::{Duration, Instant};

use hexzero_games::Game;
use hexzero_graph::CandleDevice;
use hexzero_nn::{Backend, Checkpoint, Metadata, NetworkEvaluator, Precision};
use hexzero_selfplay::{Pool, SelfPlaySettings, SizeWeight, games_at_once};
use hexzero_system::stop::StopSignal;

use super::report::SelfPlaySpeed;
use super::{BenchmarkError, Standard, random_parameters, standard_networks};

/// Visits per move.
const VISITS: u32 = 32;

/// The minimal duration, for each number of workers.
const TIME: Duration = Duration::from_secs(4);

/// Games that the workers play between two checks of the clock.
const GAMES: u64 = 256;

/// Returns the settings of self-play on the board of a standard network.
pub(super) fn settings(game: Game, standard: &Standard, visits: u32) -> SelfPlaySettings {
    SelfPlaySettings {
        sizes: vec![SizeWeight::of(standard.size_in(game))],
        full_visits: visits,
        full_share: 1.0,
        ..SelfPlaySettings::default()
    }
}

/// Measures self-play with the smallest standard network, with one worker and with `threads` workers.
pub(super) fn measure(game: Game, threads: usize) -> Result<Vec<SelfPlaySpeed>, BenchmarkError> {
    let [standard, ..] = standard_networks();
    let evaluator = evaluator(game, &standard, Precision::best().into())?;
    let workers = if threads > 1 { vec![1, threads] } else { vec![1] };
    let speeds =
        workers.into_iter().map(|workers| speed(game, &standard, &evaluator, workers, GAMES, Precision::best().name()));
    speeds.collect()
}

/// Measures self-play on a device.
pub(super) fn measure_on(
    game: Game,
    standard: &Standard,
    device: &CandleDevice,
) -> Result<SelfPlaySpeed, BenchmarkError> {
    let settings = settings(game, standard, VISITS);
    let evaluator = evaluator(game, standard, device.backend().repeatable())?.with_cache(settings.evaluation_cache);
    let at_once = games_at_once(game, &settings, device.games);
    let speed = speed(game, standard, &evaluator, at_once, 2 * at_once as u64, device.precision.name())?;
    let used = evaluator.device_stats();
    let positions_per_batch = used.map(|used| used.positions as f64 / used.batches.max(1) as f64);
    Ok(SelfPlaySpeed { positions_per_batch, ..speed })
}

/// Returns a network with random weights on a backend.
fn evaluator(game: Game, standard: &Standard, backend: Backend) -> Result<NetworkEvaluator, BenchmarkError> {
    let metadata = Metadata::untrained(game, standard.architecture.clone());
    let checkpoint = Checkpoint { metadata, tensors: random_parameters(game, &standard.architecture)? };
    Ok(NetworkEvaluator::new(game, &checkpoint, "random", backend)?)
}

/// Measures self-play of `threads` games at the same time, `games` between two checks of the clock.
fn speed(
    game: Game,
    standard: &Standard,
    evaluator: &NetworkEvaluator,
    threads: usize,
    games: u64,
    precision: &'static str,
) -> Result<SelfPlaySpeed, BenchmarkError> {
    let settings = settings(game, standard, VISITS);
    let pool = Pool::new(threads).map_err(|error| format!("cannot start threads: {error}"))?;
    let start = Instant::now();
    let (mut played, mut moves) = (0, 0);
    while start.elapsed() < TIME {
        let never = StopSignal::new();
        let numbers = played..played + games;
        let records = pool.play(game, evaluator, &settings, 1, numbers, &never, |_, _| ()).unwrap_or_default();
        played += records.len() as u64;
        moves += records.iter().map(|record| record.turns.len() as u64).sum::<u64>();
    }
    Ok(SelfPlaySpeed {
        game: game.name(),
        network: standard.architecture.to_string(),
        size: standard.size_in(game),
        visits: VISITS,
        threads,
        precision,
        positions_per_batch: None,
        games_per_hour: played as f64 * 3600.0 / start.elapsed().as_secs_f64(),
        moves_per_game: moves as f64 / played.max(1) as f64,
    })
}
