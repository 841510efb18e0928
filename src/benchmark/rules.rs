//! Measures random play.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::{Game, SizeError};

use super::report::RulesSpeed;
use super::timing::{Clock, per_second};
use super::{MEASURING_TIME, standard_networks};

/// Moves between two readings of the clock.
const MOVES: u32 = 1000;

/// Measures random play on the sizes of the standard networks and on the game's default.
pub(super) fn measure(game: Game) -> Result<Vec<RulesSpeed>, SizeError> {
    let speed = |size| {
        let start = game.start(size)?;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut position = start.clone();
        let rate = per_second(Clock::Thread, MEASURING_TIME, || {
            for _ in 0..MOVES {
                match position.random_action(&mut rng) {
                    Some(action) => position.play(action),
                    None => position = start.clone(),
                }
            }
        });
        Ok(RulesSpeed { game: game.name(), size, moves_per_second: rate * f64::from(MOVES) })
    };
    let mut sizes = standard_networks().map(|standard| standard.size_in(game)).to_vec();
    sizes.push(game.boards.default);
    sizes.sort_unstable();
    sizes.dedup();
    sizes.into_iter().map(speed).collect()
}
