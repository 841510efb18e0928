//! Random play.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::{Game, Position, SizeError};

use super::report::RulesSpeed;
use super::timing::per_second;
use super::{A_MOMENT, standard_networks};

/// Moves between two looks at the clock.
const MOVES: u32 = 1000;

pub(super) fn measure() -> Result<Vec<RulesSpeed>, SizeError> {
    let speed = |size| {
        let start = G::new(size)?;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut game = start.clone();
        let rate = per_second(A_MOMENT, || {
            for _ in 0..MOVES {
                match game.random_action(&mut rng) {
                    Some(action) => game.play(action),
                    None => game = start.clone(),
                }
            }
        });
        Ok(RulesSpeed { game: G::NAME, size, moves_per_second: rate * f64::from(MOVES) })
    };
    standard_networks().iter().map(|standard| speed(standard.size)).collect()
}
