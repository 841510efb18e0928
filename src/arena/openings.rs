//! Where the games of a match begin.
//!
//! Two deterministic players would play the same game over and over, so each pair of games begins
//! with an opening of its own, played once with either colour. One move is the best opening there
//! is in a game with the swap: however good the move, the second player decides who profits from
//! it, and how well a player judges that belongs to his strength. When all first moves have been
//! used the openings grow by a move at a time; they are then no longer fair, but each is played
//! from both sides.

use std::collections::HashSet;

use rand::SeedableRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::{Action, Game, SizeError};

/// The first moves of a game, which no player chooses.
pub type Opening = Vec<Action>;

/// The search for another opening of the present length ends after this many known ones in a row.
const ATTEMPTS: usize = 2_000;

/// What makes two openings the same for a pair of games: the stones as the player to move sees them
/// and the actions on no cell that are possible, up to symmetry. The mover's frame makes the same
/// of positions with the colours exchanged, which both colours of a pair would play alike.
fn key<G: Game>(game: &G) -> (Vec<u8>, Vec<Action>) {
    let cells = game.topology().cells();
    let seen = |symmetry: usize| {
        let mut stones = vec![0; cells];
        for cell in 0..cells {
            if let Some(player) = game.stone(cell) {
                let place = game.symmetric(symmetry, game.in_movers_frame(cell));
                stones[place] = if player == game.to_move() { 1 } else { 2 };
            }
        }
        stones
    };
    let stones = (0..G::SYMMETRIES).map(seen).min().unwrap_or_default();
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    actions.retain(|action| action.index() >= G::VIEW.policy_planes * cells);
    (stones, actions)
}

/// `count` openings that lead to different positions, in an order and, but for those of one move,
/// of a kind that depend on the seed: first every opening of one move, then of two, and so on. On
/// a tiny board they run out in the end, and are then used again from the first on.
///
/// # Errors
/// If the game is not played on boards of this size.
pub fn openings<G: Game>(size: usize, count: usize, seed: u64) -> Result<Vec<Opening>, SizeError> {
    let start = G::new(size)?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut openings = Vec::with_capacity(count);
    let mut known = HashSet::from([key(&start)]);

    let mut legal = Vec::new();
    start.legal_actions(&mut legal);
    legal.shuffle(&mut rng);
    for action in legal {
        let mut game = start.clone();
        game.play(action);
        if game.outcome().is_none() && known.insert(key(&game)) {
            openings.push(vec![action]);
        }
    }

    let mut legal = Vec::new();
    // Beyond so many moves most games are over.
    for length in 2..=start.topology().cells() {
        let mut failures = 0;
        while openings.len() < count && failures < ATTEMPTS {
            let mut game = start.clone();
            let mut opening = Vec::with_capacity(length);
            while opening.len() < length && game.outcome().is_none() {
                game.legal_actions(&mut legal);
                let action = *legal.choose(&mut rng).expect("a game that is not over has a move");
                game.play(action);
                opening.push(action);
            }
            if game.outcome().is_none() && known.insert(key(&game)) {
                openings.push(opening);
                failures = 0;
            } else {
                failures += 1;
            }
        }
    }
    let distinct = openings.len();
    openings.truncate(count);
    for index in distinct..count {
        openings.push(openings[index % distinct].clone());
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Cachex, Player};

    fn after(size: usize, opening: &[Action]) -> Cachex {
        let mut game = Cachex::new(size).unwrap();
        for &action in opening {
            assert_eq!(game.check(action), Ok(()));
            game.play(action);
        }
        game
    }

    #[test]
    fn one_move_first_then_two() {
        // 24 first moves on 5 × 5 without the centre; a half turn pairs them off.
        let list = openings::<Cachex>(5, 40, 7).unwrap();
        let lengths: Vec<usize> = list.iter().map(Vec::len).collect();
        assert_eq!(lengths, [vec![1; 12], vec![2; 28]].concat());
        let firsts: HashSet<usize> = list[..12].iter().map(|opening| opening[0].index()).collect();
        assert!(firsts.iter().all(|&cell| cell == 12 || !firsts.contains(&(24 - cell))));
        assert!(list.iter().all(|opening| after(5, opening).outcome().is_none()));
    }

    #[test]
    fn openings_differ_even_turned_and_with_colours_exchanged() {
        let list = openings::<Cachex>(4, 300, 3).unwrap();
        let positions: HashSet<_> = list.iter().map(|opening| key(&after(4, opening))).collect();
        assert_eq!(positions.len(), 300);
        assert!(list.iter().any(|opening| opening[1..].contains(&Action(16))), "a swap may be part of an opening");
        // a1, b1 against d4, c4: the same position turned.
        let cells = |names: &[usize]| names.iter().map(|&cell| Action(cell as u16)).collect::<Vec<_>>();
        assert_eq!(key(&after(4, &cells(&[0, 1]))), key(&after(4, &cells(&[15, 14]))));
        // b1 swapped is Blue's a2 with Red to move: Blue facing Red's b1, but without a swap.
        let swapped = after(4, &cells(&[1, 16]));
        assert_eq!(swapped.to_move(), Player::First);
        assert_eq!(key(&swapped).0, key(&after(4, &cells(&[1]))).0);
        assert_ne!(key(&swapped), key(&after(4, &cells(&[1]))));
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
