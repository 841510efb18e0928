//! Openings of the games of a match.
//!
//! Both games of a pair begin with the same random moves, and no two pairs with the same position
//! while unused ones are left: deterministic players would repeat games. A single stone leaves the
//! swap to the players; judging it is part of their strength. There are few single stones, so every
//! other opening has three plies. With an odd number the player to move has a stone less, which
//! balances having the move; after two plies that player mostly has an advantage that neither
//! player chose.

use std::collections::{HashMap, HashSet};

use rand::SeedableRng;
use rand::seq::SliceRandom;

use hexzero_games::{Action, Game, GameRng, Position, SizeError};

/// The first moves of a game, drawn at random.
pub type Opening = Vec<Action>;

/// The plies of the longer openings.
const PLIES: usize = 3;

/// After this many draws in a row without a new position there are hardly any left.
const DRAWS: usize = 100;

/// Draws `count` openings in an order that depends on the seed. Until the first moves are used up, every
/// other opening is one of them; the rest have three plies. Positions that differ only by a symmetry of the
/// board count as one. When (nearly) all have been used they come back in a new order.
///
/// # Errors
/// If the game is not played on boards of this size.
pub fn openings(game: Game, size: usize, count: usize, seed: u64) -> Result<Vec<Opening>, SizeError> {
    let mut source = Source::new(game.start(size)?, seed);
    let mut openings = Vec::with_capacity(count);
    while openings.len() < count {
        let opening = if openings.len().is_multiple_of(2) {
            source.first_move().or_else(|| source.longer())
        } else {
            source.longer().or_else(|| source.first_move())
        };
        match opening {
            Some(opening) => openings.push(opening),
            None => source.renew(),
        }
    }
    Ok(openings)
}

/// The openings to draw from.
struct Source {
    start: Position,
    rng: GameRng,
    /// The first moves that have not been used.
    first_moves: Vec<Action>,
    /// The positions after longer openings, by their [`Position::likeness`], each with the moves that led there first
    /// and the round in which it was last used. The same moves come back, so that a match recognises repeated games.
    known: HashMap<u64, (Opening, usize)>,
    /// The number of times that all openings were made available again.
    round: usize,
}

impl Source {
    fn new(start: Position, seed: u64) -> Self {
        let rng = GameRng::seed_from_u64(seed);
        let mut source = Self { start, rng, first_moves: Vec::new(), known: HashMap::new(), round: 0 };
        source.renew();
        source
    }

    /// Forgets which openings have been used.
    fn renew(&mut self) {
        self.round += 1;
        let mut seen = HashSet::new();
        self.start.legal_actions(&mut self.first_moves);
        let (frame, symmetries) = (self.start.frame(), self.start.game_board().symmetries());
        self.first_moves.retain(|&action| {
            let framed = frame.actions.apply(action.index());
            seen.insert(symmetries.iter().map(|symmetry| symmetry.actions.apply(framed)).min())
        });
        self.first_moves.shuffle(&mut self.rng);
    }

    /// Draws a first move that has not been used.
    fn first_move(&mut self) -> Option<Opening> {
        self.first_moves.pop().map(|action| vec![action])
    }

    /// Draws [`PLIES`] random moves to an unused position in which no player has won or wins at once.
    fn longer(&mut self) -> Option<Opening> {
        (0..DRAWS).find_map(|_| {
            let mut position = self.start.clone();
            let mut opening = Opening::with_capacity(PLIES);
            while opening.len() < PLIES {
                let action = position.random_action(&mut self.rng)?;
                position.play(action);
                opening.push(action);
            }
            if position.outcome().is_some() || position.winning_action().is_some() {
                return None;
            }
            let (opening, used) = self.known.entry(position.likeness()).or_insert((opening, 0));
            (std::mem::replace(used, self.round) < self.round).then(|| opening.clone())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::{game_named, play_all};

    fn cachex() -> Game {
        game_named("cachex").unwrap()
    }

    fn hex() -> Game {
        game_named("hex").unwrap()
    }

    #[test]
    fn alternate_first_moves_and_longer_ones() {
        // 24 first moves on 5 × 5 without the centre; a half turn pairs them off.
        let list = openings(cachex(), 5, 60, 7).unwrap();
        let lengths: Vec<usize> = list.iter().map(Vec::len).collect();
        assert!(lengths[..24].chunks(2).all(|two| two == [1, 3]), "{lengths:?}");
        assert!(lengths[24..].iter().all(|&plies| plies == 3), "{lengths:?}");
        let cells: HashSet<usize> = list[..24].iter().step_by(2).map(|opening| opening[0].index()).collect();
        assert_eq!(cells.len(), 12);
        assert!(cells.iter().all(|&cell| cell != 12 && !cells.contains(&(24 - cell))));
    }

    fn after(game: Game, size: usize, opening: &Opening) -> Position {
        let mut position = game.start(size).unwrap();
        opening.iter().for_each(|&action| position.try_play(action).unwrap());
        assert!(position.outcome().is_none());
        position
    }

    #[test]
    fn positions_repeat_only_once_all_are_used() {
        fn distinct(game: Game, size: usize, count: usize) -> usize {
            let list = openings(game, size, count, 3).unwrap();
            assert_eq!(list.len(), count);
            list.iter().map(|opening| after(game, size, opening).likeness()).collect::<HashSet<_>>().len()
        }
        assert_eq!(distinct(cachex(), 7, 800), 800);
        assert_eq!(distinct(hex(), 7, 800), 800);
        // 8 first moves on 3 × 3 are 4 up to the half turn, and there are fewer than 8 · 8 · 7 longer openings.
        let few = distinct(cachex(), 3, 2_000);
        assert!((100..300).contains(&few), "{few}");
        let again: HashSet<Opening> = openings(cachex(), 3, 2_000, 3).unwrap().into_iter().collect();
        assert_eq!(again.len(), few, "a position that comes back is reached by the same moves");
        // On 2 × 2 in Hex three stones always win or threaten to.
        assert!(distinct(hex(), 2, 50) >= 2);
    }

    #[test]
    fn symmetric_positions_are_one() {
        let of = |moves: &str| {
            let mut position = cachex().start(5).unwrap();
            play_all(&mut position, moves).unwrap();
            position.likeness()
        };
        assert_eq!(of("a1 c2 b4"), of("e5 c4 d2"));
        assert_eq!(of("a1 c2 b4"), of("b4 c2 a1"));
        assert_ne!(of("a1 c2 b4"), of("e5 c2 d2"));
        assert_ne!(of("a1 c2 b4"), of("a1 b4 c2"));
    }

    #[test]
    fn seed_determines_the_list() {
        let list = |seed| openings(cachex(), 5, 30, seed).unwrap();
        assert_eq!(list(1), list(1));
        assert_ne!(list(1), list(2));
        assert_eq!(openings(cachex(), 5, 8, 1).unwrap(), list(1)[..8]);
        assert!(openings(cachex(), 2, 8, 1).is_err());
    }
}
