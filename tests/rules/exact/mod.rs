//! Every way to an exact value gives the same one, in every game with a solver: the solver, the values of its moves,
//! trying every move, the variant without the swap, the proofs of a search, endgame solvers, alpha-beta, and
//! `hexzero games solve`.

mod binary;
mod forced;

use hexzero::games::{
    Action, Arrangement, EndgameSolver, Game, GameRng, Position, Solution, SolvedBoard, Value, Verdict, all_games,
    game_named,
};
use hexzero::players::{AlphaBeta, Player};
use hexzero::search::{Exact, Limits, Search, SearchSettings};
use rand::SeedableRng;

use crate::games::uniform;
use forced::{Forced, Within};

/// Boards that take more than a few seconds.
const SLOW: [(&str, usize); 9] = [
    ("cachex", 4),
    ("hex", 4),
    ("hex-noswap", 4),
    ("y", 5),
    ("y-swap", 5),
    ("tack", 4),
    ("tack-swap", 4),
    ("chameleon", 4),
    ("imnyss", 4),
];

/// The starts on all boards that are solved quickly.
fn quick_boards() -> Vec<Position> {
    let boards = |game: Game| game.solver().into_iter().flat_map(|solver| solver.sizes.clone());
    let boards = all_games().into_iter().flat_map(|game| boards(game).map(move |size| (game, size)));
    let quick = boards.filter(|&(game, size)| !SLOW.contains(&(game.name(), size)));
    let starts: Vec<Position> = quick.map(|(game, size)| game.start(size).unwrap()).collect();
    assert!(starts.len() > 15);
    starts
}

fn solution(position: &Position) -> &'static dyn Solution {
    position.game_board().solution().expect("a board that is solved")
}

/// The unfinished positions of random games.
fn random_positions(start: &Position, games: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for seed in 0..games {
        let (mut rng, mut position) = (GameRng::seed_from_u64(seed), start.clone());
        // Some games go on for long.
        while position.outcome().is_none() && position.turns() < 40 {
            positions.push(position.clone());
            position.play(position.random_action(&mut rng).unwrap());
        }
    }
    positions
}

fn at(position: &Position) -> String {
    let (name, size) = (position.game().name(), position.size());
    format!("{name} {size}, ply {}, {:?} to move\n{}", position.turns(), position.to_move(), position.drawing(None))
}

fn named(position: &Position, moves: &[(Action, Value)]) -> Vec<(String, Value)> {
    let mut named: Vec<_> = moves.iter().map(|&(action, value)| (position.action_name(action), value)).collect();
    named.sort_by(|a, b| a.0.cmp(&b.0));
    named
}

/// The sign of a value to the player to move.
pub fn sign(value: Value) -> i32 {
    match value {
        Value::Win(_) => 1,
        Value::Draw => 0,
        Value::Loss(_) => -1,
    }
}

#[test]
fn position_is_worth_its_best_move() {
    for start in quick_boards() {
        for position in random_positions(&start, 40) {
            let solution = solution(&position);
            let moves = solution.moves(&position);
            assert_eq!(moves.len(), position.legal().len(), "{}", at(&position));
            assert_eq!(solution.value(&position), Some(moves[0].1), "{}", at(&position));
            for (action, value) in moves {
                let after = position.after(action);
                let seat = position.to_move();
                let left = match after.outcome() {
                    Some(outcome) => Verdict { winner: outcome.winner, plies: None },
                    None => solution.verdict(&after).unwrap(),
                };
                assert_eq!(sign(left.value_for(seat)), sign(value), "{action:?}, {}", at(&position));
            }
        }
    }
}

/// Compares the value of a position with the result of trying every move. Returns whether there is one and the solver
/// knows the position.
fn agrees_with_trying(position: &Position) -> bool {
    let mut fresh = position.clone();
    fresh.forget_history();
    let Some((within, plies)) = Forced::of(&fresh, 12, 1_500) else { return false };
    let Some(Verdict { winner, plies: counted }) = solution(position).verdict(position) else { return false };
    let expected = if let Within::Won(seat) = within { Some(seat) } else { None };
    assert_eq!(winner, expected, "in {plies}, {}", at(position));
    if let (Some(counted), true) = (counted, winner.is_some()) {
        assert_eq!(usize::from(counted), plies, "{}", at(position));
    }
    true
}

#[test]
fn solvers_agree_with_trying_every_move() {
    for start in quick_boards() {
        let positions = random_positions(&start, 40);
        let decided = positions.iter().filter(|position| agrees_with_trying(position)).count();
        assert!(decided > 40, "{decided} of {}: {}", positions.len(), at(&start));
    }
}

#[test]
fn set_up_positions_have_their_exact_values() {
    let (mut handed, mut arranged) = (0, 0);
    for start in quick_boards() {
        for position in random_positions(&start, 20) {
            let mut other = position.clone();
            if other.hand_turn_to(position.to_move().opponent()) {
                handed += usize::from(agrees_with_trying(&other));
            }
            if let Ok(set_up) = other.game().arrange(other.size(), &Arrangement::of(&position)) {
                arranged += usize::from(set_up.outcome().is_none() && agrees_with_trying(&set_up));
            }
        }
    }
    assert!(handed > 100 && arranged > 100, "{handed}, {arranged}");
}

/// The games with the swap and their variants without it.
fn pairs() -> Vec<[Game; 2]> {
    let pairs =
        ["hex hex-noswap", "y-swap y", "tack-swap tack", "fan-swap fan", "link-swap link", "dozer dozer-noswap"];
    pairs
        .map(|pair| pair.split(' ').map(|name| game_named(name).unwrap()).collect::<Vec<_>>().try_into().unwrap())
        .into()
}

/// Compares all positions up to the swap with those of the variant.
fn agrees_with_the_variant([with, without]: [Game; 2], size: usize) {
    let mut line = vec![[with.start(size).unwrap(), without.start(size).unwrap()]];
    let swap = line[0][0].game_board().swap().unwrap();
    let mut swaps = 0;
    while let Some([position, plain]) = line.pop() {
        let (found, expected) = (solution(&position).moves_without_swap(&position), solution(&plain).moves(&plain));
        assert_eq!(named(&position, &found), named(&plain, &expected), "{}", at(&position));
        if position.check(swap).is_ok() {
            let value = solution(&position).value(&position).unwrap();
            let swapped =
                solution(&position).moves(&position).into_iter().find(|&(action, _)| action == swap).unwrap().1;
            assert_eq!(value, swapped.max(expected[0].1), "{}", at(&position));
            swaps += 1;
            continue;
        }
        for (action, _) in expected {
            let mut after = [position.clone(), plain.clone()];
            after.iter_mut().for_each(|position| position.play(action));
            line.extend(after[0].outcome().is_none().then_some(after));
        }
    }
    assert!(swaps >= 4, "{swaps}");
}

#[test]
fn game_without_the_swap_is_its_variant() {
    for pair in pairs() {
        let sizes = pair[0].solver().unwrap().sizes.clone();
        let quick = sizes.filter(|&size| pair.iter().all(|game| !SLOW.contains(&(game.name(), size))));
        quick.for_each(|size| agrees_with_the_variant(pair, size));
    }
}

fn searched(position: &Position, exact: Exact, visits: u32) -> Search {
    let mut search = Search::new(position.clone(), SearchSettings { exact, ..SearchSettings::default() });
    search.run(&mut uniform, &Limits::visits(visits));
    search
}

#[test]
fn search_proofs_match_the_solver() {
    for start in quick_boards() {
        let mut proven = 0;
        for position in random_positions(&start, 12).into_iter().filter(|position| !position.history_counts()) {
            let value = solution(&position).value(&position).unwrap();
            let moves = solution(&position).moves(&position);
            for exact in [Exact::Off, Exact::Ends, Exact::Board] {
                let search = searched(&position, exact, if exact == Exact::Board { 1 } else { 400 });
                if search.is_proven() {
                    assert_eq!(search.root_outcome().value(), sign(value) as f32, "{exact:?}, {}", at(&position));
                    proven += 1;
                }
                assert!(search.is_proven() || exact != Exact::Board, "{}", at(&position));
                for found in search.root_moves().iter().filter(|found| found.proven_in.is_some()) {
                    let value = moves.iter().find(|&&(action, _)| action == found.action).unwrap().1;
                    assert_eq!(found.outcome.value(), sign(value) as f32, "{exact:?}, {found:?}, {}", at(&position));
                    if let (Value::Win(Some(plies)), Some(most)) = (value, found.proven_in) {
                        assert!(u32::from(plies) <= most, "{exact:?}, {found:?}, {}", at(&position));
                    }
                }
            }
        }
        assert!(proven > 60, "{proven}, {}", at(&start));
    }
}

#[test]
fn solvers_of_ends_agree_with_those_of_boards() {
    let mut games = Vec::new();
    for start in quick_boards() {
        for position in random_positions(&start, 20) {
            let winner = solution(&position).verdict(&position).unwrap().winner;
            let by_board = SolvedBoard::of(&position).unwrap().solve(&position);
            assert!(by_board.is_none_or(|end| end.winner == winner), "{}", at(&position));
            if let Some(end) = position.endgame_solver().and_then(|mut ends| ends.solve(&position)) {
                assert_eq!(end.winner, winner, "{}", at(&position));
                games.push(position.game().name());
            }
        }
    }
    games.dedup();
    assert_eq!(games, ["gale", "hexifence"]);
}

#[test]
fn alpha_beta_finds_what_can_be_forced() {
    for start in quick_boards() {
        let mut found = 0;
        for position in random_positions(&start, 8).into_iter().filter(|position| !position.history_counts()) {
            let moves = solution(&position).moves(&position);
            for depth in [2, 4] {
                let mut player = AlphaBeta::new(depth);
                player.start_game(&position, found).unwrap();
                let chosen = player.choose(&position).unwrap().unwrap();
                let value = moves.iter().find(|&&(action, _)| action == chosen).unwrap().1;
                let is_seen = |value: Value| match value {
                    Value::Win(Some(plies)) | Value::Loss(Some(plies)) => u32::from(plies) <= depth,
                    Value::Win(None) | Value::Loss(None) | Value::Draw => false,
                };
                if is_seen(moves[0].1) {
                    assert_eq!(value, moves[0].1, "depth {depth}, {}", at(&position));
                    found += 1;
                }
                assert!(!is_seen(value) || value == moves[0].1, "depth {depth}, {}", at(&position));
            }
        }
        assert!(
            found > 20 || solution(&start).value(&start).is_some_and(|value| value == Value::Loss(None)),
            "{}",
            at(&start)
        );
    }
}

#[test]
#[ignore = "takes half a minute"]
fn slow_boards_agree_too() {
    std::thread::scope(|scope| {
        scope.spawn(|| agrees_with_the_variant(pairs()[1], 5));
        scope.spawn(|| {
            let random = |game: &str| random_positions(&game_named(game).unwrap().start(4).unwrap(), 40);
            for position in ["tack", "tack-swap", "chameleon"].into_iter().flat_map(random) {
                assert_eq!(solution(&position).value(&position), Some(solution(&position).moves(&position)[0].1));
                agrees_with_trying(&position);
            }
        });
        for pair in [0, 2] {
            scope.spawn(move || agrees_with_the_variant(pairs()[pair], 4));
        }
    });
}
