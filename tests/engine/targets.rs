//! Training targets of positions of recorded games, on games short enough to work them out by hand.

use std::sync::Arc;

use hexzero::games::{Action, EndReason, Outcome, Seat, Value, WinDrawLoss};
use hexzero::network::UNKNOWN_CLASS;
use hexzero::replay::{GameRecord, GameStart, SampledPosition, SearchRecord, TurnRecord};
use hexzero::training::{Batch, Counters, ExactTargets, Recipe, SearchValue};

use crate::games::cachex;
use crate::network::{assert_close, values};

/// A game with these moves, given up by the player to move if the rules do not end it.
fn record(size: usize, moves: &str) -> GameRecord {
    let mut position = cachex().start(size).unwrap();
    let turns = moves.split_whitespace().map(|name| position.play_named(name).unwrap());
    let turns = turns.map(|action| TurnRecord { action, search: None }).collect();
    let given_up = Outcome { winner: Some(position.to_move().opponent()), reason: EndReason::RESIGNATION };
    let outcome = position.outcome().unwrap_or(given_up);
    GameRecord { size: size as u8, turns, outcome, evaluations: 0, played_out: false, start: GameStart::Random }
}

const VALUE: SearchValue = SearchValue { share: 0.25, proven: true };

/// The targets of one position, unless its record breaks the rules.
fn drawn(record: &GameRecord, turn: usize, symmetry: usize, value: SearchValue, exact: &ExactTargets) -> Option<Batch> {
    let position = SampledPosition { record: Arc::new(record.clone()), turn };
    Batch::new(cachex(), &[(position, symmetry)], value, exact).unwrap()
}

/// The targets of one position, 0.25 of the outcome's from the search.
fn targets(record: &GameRecord, turn: usize, symmetry: usize) -> Batch {
    drawn(record, turn, symmetry, VALUE, &ExactTargets::default()).expect("a record that follows the rules")
}

/// The classes of cells on a board drawn row by row from row 1: `o` own, `x` the enemy's, `.` neither, `?` unknown.
/// As the network sees them: for the second player the board is transposed, and the symmetry is the half turn.
fn seen(drawing: &str, mover: Seat, symmetry: usize) -> Vec<u8> {
    let rows: Vec<Vec<char>> = drawing.split_whitespace().map(|row| row.chars().collect()).collect();
    let n = rows.len();
    let class = |place: usize| {
        let place = if symmetry == 1 { n * n - 1 - place } else { place };
        let (row, column) = (place / n, place % n);
        let glyph = if mover == Seat::First { rows[row][column] } else { rows[column][row] };
        match glyph {
            'o' => 0,
            'x' => 1,
            '.' => 2,
            _ => UNKNOWN_CLASS,
        }
    };
    (0..n * n).map(class).collect()
}

/// Compares the owners of the cells at the end, in every symmetry.
#[track_caller]
fn assert_owners(record: &GameRecord, turn: usize, mover: Seat, expected: &str) {
    let symmetries = cachex().game_board(record.size.into()).unwrap().symmetries().len();
    for symmetry in 0..symmetries {
        let batch = targets(record, turn, symmetry);
        assert_eq!(*batch.ownership, seen(expected, mover, symmetry), "symmetry {symmetry}");
    }
}

/// Blue's fourth ply closes the diamond c1 b2 c2 b3 and captures two stones; his row 3 wins with the tenth.
const CAPTURES: &str = "b2 c1 c2 b3 a1 c3 b1 a3 d1 d3";

#[test]
fn owners_of_a_game_with_captures() {
    let record = record(4, CAPTURES);
    assert_eq!(record.outcome, Outcome { winner: Some(Seat::Second), reason: EndReason::CONNECTION });
    assert_owners(&record, 2, Seat::First, "ooxo .... xxxx ....");
    assert_owners(&record, 3, Seat::Second, "xxox .... oooo ....");
    assert_owners(&record, 9, Seat::Second, "xxox .... oooo ....");
    let batch = targets(&record, 3, 0);
    assert_eq!((values(&batch.moves_left), batch.finishes), (vec![7.0 / 16.0], 1));
}

#[test]
fn resigned_game_teaches_only_its_past() {
    let moves: Vec<&str> = CAPTURES.split(' ').take(5).collect();
    let record = record(4, &moves.join(" "));
    assert_eq!(record.outcome, Outcome { winner: Some(Seat::First), reason: EndReason::RESIGNATION });
    let unknown = "???? ???? ???? ????";
    assert_owners(&record, 1, Seat::Second, unknown);
    assert_owners(&record, 2, Seat::First, unknown);
    let batch = targets(&record, 1, 0);
    assert_eq!((values(&batch.finished), batch.finishes), (vec![0.0], 0));
    assert_close(&values(&batch.outcome), &[0.0, 0.0, 1.0], 5e-6, "outcome");

    let mut unfinished = record;
    unfinished.outcome.reason = EndReason::CONNECTION;
    assert!(drawn(&unfinished, 1, 0, VALUE, &ExactTargets::default()).is_none(), "a record that breaks the rules");
}

/// A game whose last two plies were searched with these findings.
fn searched_at_the_end(last_but_one: [f32; 3], last: [f32; 3]) -> GameRecord {
    let mut record = record(4, CAPTURES);
    for (turn, [win, draw, loss]) in [(8, last_but_one), (9, last)] {
        let outcome = WinDrawLoss { win, draw, loss };
        let action = record.turns[turn].action;
        let search =
            SearchRecord { full: true, visits: 9, policy: vec![(action, 9)], outcome, proven: false, surprise: 0.0 };
        record.turns[turn].search = Some(search);
    }
    record
}

#[test]
fn outcome_is_of_search_and_result() {
    // Red hopes for a win, Blue is nearly sure of his, and wins.
    let record = searched_at_the_end([0.2, 0.1, 0.7], [0.9, 0.0, 0.1]);
    assert_close(&values(&targets(&record, 8, 0).outcome), &[0.05, 0.025, 0.925], 5e-6, "outcome");
    assert_close(&values(&targets(&record, 9, 1).outcome), &[0.975, 0.0, 0.025], 5e-6, "outcome");

    let impossible = searched_at_the_end([0.2, 0.1, 0.7], [f32::NAN, 0.0, 0.1]);
    assert!(drawn(&impossible, 8, 0, VALUE, &ExactTargets::default()).is_none());
}

#[test]
fn proven_result_is_the_target() {
    // Proven a draw, and lost nevertheless.
    let mut record = searched_at_the_end([0.0, 1.0, 0.0], [0.9, 0.0, 0.1]);
    assert_eq!(values(&targets(&record, 8, 0).outcome), [0.0, 0.25, 0.75]);
    if let Some(search) = &mut record.turns[8].search {
        search.proven = true;
    }
    assert_eq!(values(&targets(&record, 8, 0).outcome), [0.0, 1.0, 0.0]);
    let otherwise = drawn(&record, 8, 0, SearchValue { proven: false, ..VALUE }, &ExactTargets::default()).unwrap();
    assert_eq!(values(&otherwise.outcome), [0.0, 0.25, 0.75]);
}

#[test]
fn policy_is_the_share_of_the_visits() {
    let mut record = searched_at_the_end([0.2, 0.1, 0.7], [0.9, 0.0, 0.1]);
    let moves = ["d1", "a2"].map(|name| cachex().start(4).unwrap().parse_action(name).unwrap());
    if let Some(search) = &mut record.turns[8].search {
        search.policy = vec![(moves[0], 3), (moves[1], 1)];
    }
    let batch = targets(&record, 8, 0);
    // Eight stones were placed and two of them captured: ten legal moves, eight of them without a visit.
    let places: Vec<u32> = batch.policy_places.to_vec1().unwrap();
    let shares = values(&batch.policy);
    assert_eq!((shares.len(), batch.policies, shares.iter().sum::<f32>()), (10, 1, 1.0));
    let share = |action: Action| shares[places.iter().position(|&place| place == u32::from(action.0)).unwrap()];
    assert_eq!(moves.map(share), [0.75, 0.25]);
    assert_eq!(targets(&record, 7, 0).policies, 0);
}

#[test]
fn solved_board_takes_targets_from_the_solver() {
    let mut record = record(3, "a1 swap c1 b1 c2 a3");
    record.turns[4].search = Some(SearchRecord {
        full: false,
        visits: 1,
        surprise: 0.0,
        policy: Vec::new(),
        outcome: WinDrawLoss::certain(-1.0),
        proven: false,
    });
    let solved = ExactTargets::of_boards(cachex(), 3..=4);
    let mut checked = [0; 3];
    for turn in 2..record.turns.len() {
        let mut position = cachex().start(3).unwrap();
        record.turns[..turn].iter().for_each(|played| position.play(played.action));
        let exact = (cachex().solver().unwrap().solve)(3);
        let moves = exact.moves(&position);
        let batch = drawn(&record, turn, 0, VALUE, &solved).unwrap();
        let expected = match moves[0].1 {
            Value::Win(_) => 0,
            Value::Draw => 1,
            Value::Loss(_) => 2,
        };
        checked[expected] += 1;
        assert_eq!(values(&batch.outcome)[expected], 1.0, "{moves:?}");
        let best = moves.iter().filter(|(_, value)| *value == moves[0].1).count();
        let policy = values(&batch.policy);
        assert_eq!(policy.iter().filter(|&&share| share > 0.0).count(), best);
        assert!(policy.iter().all(|&share| share == 0.0 || (share - 1.0 / best as f32).abs() < 1e-6), "{policy:?}");
    }
    assert!(checked[0] > 0 && checked[2] > 0, "{checked:?}");
    // Larger boards learn from the game.
    let unsolved = ExactTargets::of_boards(cachex(), [2, 5]);
    let batch = drawn(&record, 4, 0, VALUE, &unsolved).unwrap();
    assert!(values(&batch.policy).iter().all(|&share| share == 0.0));
}

#[test]
fn recipe_plays_the_boards_of_all_stages() {
    let text = "[selfplay]\nsizes = [{ size = 5, weight = 1.0 }]\n[[stage]]\nafter_steps = 10\n\
                selfplay.sizes = [{ size = 3, weight = 1.0 }, { size = 6, weight = 1.0 }]\n";
    let recipe = Recipe::parse(cachex(), text, "of a test").unwrap();
    assert_eq!(recipe.all_sizes().into_iter().collect::<Vec<_>>(), [3, 5, 6]);
}

/// Stages by steps and by time may stand together; each waits for those before it.
#[test]
fn stages_begin_in_their_order() {
    let text = "[[stage]]\nafter_minutes = 10\nselfplay.full_visits = 11\n\
                [[stage]]\nafter_steps = 100\nselfplay.full_visits = 12\n\
                [[stage]]\nafter_minutes = 20.5\nselfplay.full_visits = 13\n";
    let recipe = Recipe::parse(cachex(), text, "of a test").unwrap();
    let visits = |minutes: f64, step| {
        recipe.at(&Counters { step, seconds: minutes * 60.0, ..Counters::default() }).selfplay.full_visits
    };
    let before = Recipe::of(cachex()).selfplay.full_visits;
    assert_eq!((visits(0.0, 0), visits(9.9, 100)), (before, before));
    assert_eq!((visits(10.0, 0), visits(10.0, 99), visits(30.0, 99)), (11, 11, 11));
    assert_eq!((visits(10.0, 100), visits(20.4, 900), visits(20.5, 100)), (12, 12, 13));
}
