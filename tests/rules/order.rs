//! Where a game says that the order of moves is free, positions with the same moves are the same.

use hexzero::games::{Action, Position, all_games};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Plays random moves; returns them and the position, unless the game is over before.
fn random_moves(start: &Position, plies: usize, rng: &mut Xoshiro256PlusPlus) -> Option<(Vec<Action>, Position)> {
    let (mut position, mut moves) = (start.clone(), Vec::new());
    while moves.len() < plies {
        let action = position.random_action(rng)?;
        moves.push(action);
        position.play(action);
    }
    position.outcome().is_none().then_some((moves, position))
}

/// Plays moves, as long as they are legal and the game goes on.
fn played(start: &Position, moves: &[Action]) -> Option<Position> {
    moves.iter().try_fold(start.clone(), |mut position, &action| {
        position.try_play(action).ok()?;
        Some(position)
    })
}

#[test]
fn same_moves_in_any_order_lead_to_one_position() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let games: Vec<_> = all_games().into_iter().filter(|game| game.order_is_free).collect();
    assert!(games.iter().any(|game| game.name() == "hex"));
    for game in games {
        let start = game.start(5).unwrap();
        let mut compared = 0;
        for _ in 0..400 {
            let plies = rng.random_range(4..=12);
            let Some((mut moves, position)) = random_moves(&start, plies, &mut rng) else { continue };
            let mut of_players: [Vec<Action>; 2] = Default::default();
            moves.iter().enumerate().for_each(|(ply, &action)| of_players[ply % 2].push(action));
            // A swap depends on the move before it.
            let fixed = usize::from(start.game_board().swap() == Some(moves[1]));
            of_players.iter_mut().for_each(|own| own[fixed..].shuffle(&mut rng));
            moves.iter_mut().enumerate().for_each(|(ply, action)| *action = of_players[ply % 2][ply / 2]);
            // An early win ends the game.
            let Some(other) = played(&start, &moves) else { continue };
            assert_eq!(other.drawing(None), position.drawing(None), "{}: {moves:?}", game.name());
            assert_eq!((other.legal(), other.to_move()), (position.legal(), position.to_move()), "{}", game.name());
            compared += 1;
        }
        assert!(compared > 100, "{}: {compared}", game.name());
    }
}
