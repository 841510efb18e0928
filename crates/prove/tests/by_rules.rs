//! Proofs of any game against the values of all positions of small boards.

use std::collections::HashMap;

use hexzero_games::{Action, Evaluation, GameBoard, Position, Seat, Transform, Value, WinDrawLoss, game_named};
use hexzero_prove::by_rules::{GameProver, ProofLimits};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn after_random_moves(game: &str, size: usize, rng: &mut Xoshiro256PlusPlus) -> Position {
    loop {
        let mut position = game_named(game).unwrap().start(size).unwrap();
        for _ in 0..rng.random_range(0..2 * size) {
            if let Some(action) = position.random_action(rng) {
                position.play(action);
            }
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

fn without_plies(value: Value) -> Value {
    match value {
        Value::Win(_) => Value::Win(None),
        Value::Draw => Value::Draw,
        Value::Loss(_) => Value::Loss(None),
    }
}

fn prover(game: &str, size: usize) -> GameProver<'static> {
    let board = game_named(game).unwrap().game_board(size).unwrap();
    let limits = ProofLimits { max_plies: 40, ..ProofLimits::default() };
    GameProver::new(board, limits).unwrap()
}

/// Proves random positions of a board that a solver knows.
fn agrees_with_the_solver(mut prover: GameProver, game: &str, size: usize, positions: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(size as u64);
    let board = game_named(game).unwrap().game_board(size).unwrap();
    for _ in 0..positions {
        let position = after_random_moves(game, size, &mut rng);
        let known = board.solution().unwrap().value(&position).unwrap();
        let told = || format!("{game} {size}\n{}{:?}", position.drawing(None), position.to_move());
        let Some(found) = prover.prove(&position) else {
            assert_eq!(known, Value::Draw, "{}", told());
            continue;
        };
        if prover.is_bounded() {
            let plies = |value| if let Value::Win(plies) | Value::Loss(plies) = value { plies } else { None };
            assert!(plies(found) >= plies(known), "{found} instead of {known}: {}", told());
        }
        assert_eq!(without_plies(found), without_plies(known), "{}", told());
        let moves = board.solution().unwrap().moves(&position);
        let best = prover.best_move(&position, found);
        let value_of = |best: Action| moves.iter().find(|(action, _)| *action == best).unwrap().1;
        let kept = best.map(|best| without_plies(value_of(best)));
        let expected = (!matches!(known, Value::Loss(_))).then(|| without_plies(known));
        assert_eq!(kept, expected, "{} {best:?}", told());
    }
}

#[test]
fn values_are_those_of_the_solver() {
    for game in ["tack", "fan", "link", "vex", "chameleon", "imnyss", "dozer", "dozer-noswap", "y", "gale", "cachex"] {
        agrees_with_the_solver(prover(game, 3), game, 3, 150);
    }
    for game in ["tack-swap", "fan-swap", "link-swap", "y-swap"] {
        agrees_with_the_solver(prover(game, 3), game, 3, 50);
    }
    for (game, size) in [("12star", 4), ("tack", 4), ("y", 4), ("cachex", 4)] {
        agrees_with_the_solver(prover(game, size), game, size, 100);
    }
}

/// Guesses without any sense, some of them certain and some no numbers, make no proof wrong.
#[test]
fn senseless_guesses_change_no_value() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let guess = move |_: &Position, legal: &[Action]| {
        let priors = legal.iter().map(|_| rng.random::<f32>().powi(20)).collect();
        let win = [0.0, 0.25, 0.5, 1.0, f32::NAN, f32::INFINITY][rng.random_range(0..6)];
        Evaluation { priors, outcome: WinDrawLoss { win, draw: 0.0, loss: 1.0 - win } }
    };
    for (game, size) in [("tack", 4), ("fan", 3), ("vex", 3), ("12star", 4), ("cachex", 3), ("dozer", 3)] {
        agrees_with_the_solver(prover(game, size).guided(Box::new(guess.clone())), game, size, 20);
    }
}

/// The winner by trying all moves, with a memory of exact positions.
fn winner(position: &Position, known: &mut HashMap<u128, Option<Seat>>) -> Option<Seat> {
    if let Some(outcome) = position.outcome() {
        return outcome.winner;
    }
    let key = position.state().unwrap().key();
    if let Some(&winner) = known.get(&key) {
        return winner;
    }
    let mover = position.to_move();
    let mut best = Some(mover.opponent());
    for action in position.legal() {
        let found = winner(&position.after(action), known);
        if found == Some(mover) || found.is_none() {
            best = found;
        }
        if best == Some(mover) {
            break;
        }
    }
    known.insert(key, best);
    best
}

/// Returns a random unfinished position with at most seven empty cells; of Infexion, after any number of plies.
fn late_position(board: &'static GameBoard, rng: &mut Xoshiro256PlusPlus) -> Position {
    loop {
        let mut position = board.game().start(board.size()).unwrap();
        let plies = rng.random_range(0..position.turn_limit());
        let is_early = |position: &Position| match board.game().name() {
            "infexion" => position.turns() < plies,
            _ => (0..board.cells()).filter(|&place| position.piece(place).is_none()).count() > 7,
        };
        while position.outcome().is_none() && is_early(&position) {
            let action = position.random_action(rng).unwrap();
            position.play(action);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// Proves late positions of boards that no solver knows, and solves them by brute force.
fn agrees_with_brute_force(boards: &[(&str, usize)], positions: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    for &(game, size) in boards {
        let board = game_named(game).unwrap().game_board(size).unwrap();
        let mut prover = GameProver::new(board, ProofLimits::default()).unwrap();
        let (mut wins, mut known) = (0, HashMap::new());
        for _ in 0..positions {
            let position = late_position(board, &mut rng);
            let mover = position.to_move();
            let expected = match winner(&position, &mut known) {
                None => Value::Draw,
                Some(winner) if winner == mover => Value::Win(None),
                Some(_) => Value::Loss(None),
            };
            let found = prover.prove(&position).map(without_plies);
            assert_eq!(found, Some(expected), "{game} {size}\n{}{mover:?}", position.drawing(None));
            wins += usize::from(matches!(expected, Value::Win(_)));
        }
        assert!((1..positions).contains(&wins), "{game} {size}: {wins}");
    }
}

#[test]
fn values_of_late_positions_are_those_of_brute_force() {
    let boards = [("tack", 5), ("fan", 4), ("link", 4), ("vex", 4), ("chameleon", 5), ("imnyss", 4), ("y", 6)];
    agrees_with_brute_force(&boards, 40);
    agrees_with_brute_force(&[("infexion", 3)], 40);
}

/// Every board whose openings docs/proofs.md lists, but Dozer Hex 4×4, which nothing else solves.
#[test]
#[ignore = "takes minutes"]
fn thousand_positions_of_each_table() {
    let boards =
        [("tack", 5), ("chameleon", 5), ("12star", 5), ("fan", 4), ("link", 4), ("vex", 4), ("y", 6), ("gale", 5)];
    agrees_with_brute_force(&boards, 1000);
    agrees_with_brute_force(&[("infexion", 3)], 1000);
    for (game, size) in [("tack", 4), ("chameleon", 4), ("12star", 4), ("cachex", 4), ("imnyss", 4)] {
        agrees_with_the_solver(prover(game, size), game, size, 1000);
    }
}

/// Returns the symmetry of the mover's frame that is a given one of the first player's.
fn symmetry_of_the_board(position: &Position, number: usize) -> usize {
    let (symmetries, frame) = (position.game_board().symmetries(), &position.frame().cells);
    let wanted = &symmetries[number % symmetries.len()];
    let is_same = |by: &Transform| {
        let cells = 0..position.topology().cells();
        by.inputs.apply(0) == wanted.inputs.apply(0)
            && cells.into_iter().all(|cell| by.cells.apply(frame.apply(cell)) == frame.apply(wanted.cells.apply(cell)))
    };
    symmetries.iter().position(is_same).unwrap()
}

/// A position and its image by a symmetry have one key, and so have positions with the seats exchanged.
#[test]
fn keys_are_those_of_all_symmetric_forms() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for game in "tack fan link vex chameleon imnyss dozer y gale cachex 12star hex infexion".split(' ') {
        let game = game_named(game).unwrap();
        let size = *game.boards.sizes.start().max(&4);
        for number in 0..200 {
            let (mut position, mut image) = (game.start(size).unwrap(), game.start(size).unwrap());
            let mut keys = vec![position.canonical_key()];
            for _ in 0..12 {
                let Some(action) = position.random_action(&mut rng).filter(|_| position.outcome().is_none()) else {
                    break;
                };
                image.play(position.image(action, symmetry_of_the_board(&position, number)));
                position.play(action);
                position.forget_history();
                image.forget_history();
                assert_eq!(position.canonical_key(), image.canonical_key(), "{game:?}");
                keys.push(position.canonical_key());
            }
            keys.sort();
            keys.dedup();
            assert!(keys.len() > 3 && keys[0].is_some(), "{game:?}");
        }
    }
}
