//! Measures random play, and search and self-play with a network.

use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use hexzero_games::{Game, SizeError};
use hexzero_nn::kernels::Kernel;
use hexzero_nn::{Architecture, Inference, NetworkEvaluator, Precision};
use hexzero_search::{Limits, Search, SearchSettings};
use hexzero_selfplay::{Pool, SelfPlaySettings, SizeWeight};
use hexzero_system::stop::StopSignal;

use super::report::{RulesSpeed, SearchSpeed, SelfPlaySpeed};
use super::timing::{Clock, per_second};
use super::{BenchmarkError, MEASURING_TIME, random_parameters, standard_networks};

/// Moves between two readings of the clock.
const RANDOM_MOVES: u32 = 1000;

/// Visits of a measured search.
const SEARCH_VISITS: u32 = 400;

/// Visits per move of self-play.
const SELF_PLAY_VISITS: u32 = 32;

/// The minimal duration of self-play, for each number of workers.
const SELF_PLAY: Duration = Duration::from_secs(4);

/// Games that the workers play between two checks of the clock.
const GAMES: u64 = 256;

/// Measures random play on the sizes of the standard networks and on the game's default.
pub(super) fn random_moves(game: Game) -> Result<Vec<RulesSpeed>, SizeError> {
    let speed = |size| {
        let start = game.start(size)?;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut position = start.clone();
        let rate = per_second(Clock::Thread, MEASURING_TIME, || {
            for _ in 0..RANDOM_MOVES {
                match position.random_action(&mut rng) {
                    Some(action) => position.play(action),
                    None => position = start.clone(),
                }
            }
        });
        Ok(RulesSpeed { game: game.name(), size, moves_per_second: rate * f64::from(RANDOM_MOVES) })
    };
    let mut sizes = standard_networks().map(|standard| standard.size_in(game)).to_vec();
    sizes.push(game.boards.default);
    sizes.sort_unstable();
    sizes.dedup();
    sizes.into_iter().map(speed).collect()
}

fn evaluator(game: Game, architecture: &Architecture) -> candle_core::Result<NetworkEvaluator> {
    let tensors = random_parameters(game, architecture)?;
    let inference = Inference::new(architecture, &game.view, &tensors, Kernel::best(), Precision::best());
    Ok(NetworkEvaluator::from(inference))
}

/// Measures the search on one thread, with each standard network.
pub(super) fn search(game: Game) -> Result<Vec<SearchSpeed>, BenchmarkError> {
    let mut speeds = Vec::new();
    for standard in standard_networks() {
        let start = game.start(standard.size_in(game))?;
        let mut evaluator = evaluator(game, &standard.architecture)?;
        let rate = per_second(Clock::Thread, 2 * MEASURING_TIME, || {
            Search::new(start.clone(), SearchSettings::default()).run(&mut evaluator, &Limits::visits(SEARCH_VISITS));
        });
        speeds.push(SearchSpeed {
            game: game.name(),
            network: standard.architecture.to_string(),
            size: standard.size_in(game),
            precision: Precision::best().name(),
            visits_per_second: rate * f64::from(SEARCH_VISITS),
        });
    }
    Ok(speeds)
}

/// Measures self-play with the smallest standard network, with one worker and with `threads` workers.
pub(super) fn self_play(game: Game, threads: usize) -> Result<Vec<SelfPlaySpeed>, BenchmarkError> {
    let [standard, ..] = standard_networks();
    let evaluator = evaluator(game, &standard.architecture)?;
    let settings = SelfPlaySettings {
        sizes: vec![SizeWeight::of(standard.size_in(game))],
        full_visits: SELF_PLAY_VISITS,
        full_share: 1.0,
        ..SelfPlaySettings::default()
    };
    let mut speeds = Vec::new();
    for workers in if threads > 1 { vec![1, threads] } else { vec![1] } {
        let pool = Pool::new(workers)?;
        let start = Instant::now();
        let (mut games, mut moves) = (0, 0);
        while start.elapsed() < SELF_PLAY {
            let numbers = games..games + GAMES;
            let never = StopSignal::new();
            let records = pool.play(game, &evaluator, &settings, 1, numbers, &never, |_, _| ()).unwrap_or_default();
            games += records.len() as u64;
            moves += records.iter().map(|record| record.turns.len() as u64).sum::<u64>();
        }
        speeds.push(SelfPlaySpeed {
            game: game.name(),
            network: standard.architecture.to_string(),
            size: standard.size_in(game),
            visits: SELF_PLAY_VISITS,
            threads: workers,
            precision: Precision::best().name(),
            games_per_hour: games as f64 * 3600.0 / start.elapsed().as_secs_f64(),
            moves_per_game: moves as f64 / games as f64,
        });
    }
    Ok(speeds)
}
