//! Where the games of a match begin.
//!
//! Each pair of games begins with the same stone, placed by chance, once for either colour. One move
//! is the best opening there is in a game with the swap: however good the move, the second player
//! decides who profits from it, and how well a player judges that belongs to his strength. Openings of
//! two and more random moves are unfair in a way that nobody chose: the side to move has an advantage
//! that mostly decides the game before it begins.
//!
//! A match has more pairs than a board has first moves, so openings come back; players that are
//! deterministic are to vary their first replies by the seed of the game (see
//! [`super::EnginePlayer::with_varied_opening`]).

use std::collections::HashSet;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::{Action, Game, SizeError};

/// The first moves of a game, which no player chooses.
pub type Opening = Vec<Action>;

/// `count` openings in an order that depends on the seed: every first move once before any comes back,
/// those that are the same but for a symmetry of the board counted as one.
///
/// # Errors
/// If the game is not played on boards of this size.
pub fn openings<G: Game>(size: usize, count: usize, seed: u64) -> Result<Vec<Opening>, SizeError> {
    let start = G::new(size)?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut first_moves = Vec::new();
    start.legal_actions(&mut first_moves);
    // Before the first move its player's frame is the board itself.
    let mut known = HashSet::new();
    first_moves.retain(|&action| {
        let places = (0..G::SYMMETRIES).map(|symmetry| start.network_action(action, symmetry));
        known.insert(places.min().unwrap_or(action.index()))
    });
    let mut openings = Vec::with_capacity(count);
    while openings.len() < count {
        first_moves.shuffle(&mut rng);
        let wanted = count - openings.len();
        openings.extend(first_moves.iter().take(wanted).map(|&action| vec![action]));
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Cachex;

    #[test]
    fn every_first_move_once_before_any_comes_back() {
        // 24 first moves on 5 × 5 without the centre; a half turn pairs them off.
        let list = openings::<Cachex>(5, 30, 7).unwrap();
        assert!(list.iter().all(|opening| opening.len() == 1));
        for deck in [&list[..12], &list[12..24]] {
            let cells: HashSet<usize> = deck.iter().map(|opening| opening[0].index()).collect();
            assert_eq!(cells.len(), 12);
            assert!(cells.iter().all(|&cell| cell != 12 && !cells.contains(&(24 - cell))));
        }
        assert_ne!(list[..12], list[12..24], "shuffled anew");
    }

    #[test]
    fn the_seed_decides() {
        let list = |seed| openings::<Cachex>(5, 30, seed).unwrap();
        assert_eq!(list(1), list(1));
        assert_ne!(list(1), list(2));
        assert_eq!(openings::<Cachex>(5, 8, 1).unwrap(), list(1)[..8]);
        assert!(openings::<Cachex>(2, 8, 1).is_err());
    }
}
