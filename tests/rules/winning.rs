//! Moves that win at once. The contract checks that what a game finds wins; here, that it finds one whenever there is one.

use hexzero::games::{Action, Game, game_named};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Plays games of random moves, and returns the number of winning moves in them.
fn winning_moves(game: Game, size: usize, games: usize, rng: &mut Xoshiro256PlusPlus) -> usize {
    let mut legal = Vec::new();
    let mut found = 0;
    for _ in 0..games {
        let mut position = game.start(size).unwrap();
        while let Some(action) = position.random_action(rng) {
            position.legal_actions(&mut legal);
            let won_by = |action: Action| position.after(action).outcome().and_then(|outcome| outcome.winner);
            let wins = |&action: &Action| won_by(action) == Some(position.to_move());
            let winning: Vec<_> = legal.iter().copied().filter(wins).collect();
            match position.winning_action() {
                Some(action) => assert!(winning.contains(&action), "{}", position.action_name(action)),
                None => assert_eq!(winning, [], "{game:?} {size}"),
            }
            found += winning.len();
            position.play(action);
        }
    }
    found
}

#[test]
fn winning_action_is_found_exactly_if_it_exists() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for name in ["cachex", "hex", "y", "tack", "fan", "link", "dozer"] {
        let game = game_named(name).unwrap();
        let sizes = game.boards.sizes.clone();
        let found: usize = sizes.map(|size| winning_moves(game, size, if size < 8 { 40 } else { 4 }, &mut rng)).sum();
        assert!(found > 400, "{found} winning moves of {name} are too few to judge by");
    }
}
