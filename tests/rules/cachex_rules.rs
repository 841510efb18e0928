//! The rules of Cachex, one by one, on positions set up by hand.

use hexzero::games::{Action, InvalidMove, Outcome, Position, Seat, TURN_LIMIT};
use hexzero::replay::position_text;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::{cachex, drawn, position, set_up};

type Step = (isize, isize);

/// All diamonds of which a stone can be a corner, as steps `(row, column)` from it: the two corners
/// beside it and the one opposite. First those of which it is a tip, then those on whose short
/// diagonal it lies.
const DIAMONDS: [(Step, Step, Step); 12] = [
    ((1, -1), (1, 0), (2, -1)),
    ((1, 0), (0, 1), (1, 1)),
    ((0, 1), (-1, 1), (-1, 2)),
    ((-1, 1), (-1, 0), (-2, 1)),
    ((-1, 0), (0, -1), (-1, -1)),
    ((0, -1), (1, -1), (1, -2)),
    ((1, -1), (0, 1), (1, 0)),
    ((1, 0), (-1, 1), (0, 1)),
    ((0, 1), (-1, 0), (-1, 1)),
    ((-1, 1), (0, -1), (-1, 0)),
    ((-1, 0), (1, -1), (0, -1)),
    ((0, -1), (1, 0), (1, -1)),
];

/// The position after `to_move` plays `action`, as rows.
fn after(rows: &[&str], to_move: Seat, action: &str) -> Vec<String> {
    let mut game = drawn(rows, to_move);
    game.play_named(action).unwrap();
    let board = position_text(&game);
    (0..rows.len()).map(|row| board[row * rows.len()..][..rows.len()].to_owned()).collect()
}

fn played(size: usize, moves: &str) -> Position {
    position(cachex(), size, moves)
}

fn cell(game: &Position, name: &str) -> Option<Seat> {
    game.owner(game.parse_action(name).unwrap().index())
}

/// Calls `visit` with the cells of every diamond of the board: a corner, the two beside it and the
/// one opposite.
fn each_diamond(size: usize, mut visit: impl FnMut([usize; 4])) {
    let on_board = |cell: usize, step: Step| {
        let row = (cell / size).checked_add_signed(step.0).filter(|&row| row < size)?;
        let column = (cell % size).checked_add_signed(step.1).filter(|&column| column < size)?;
        Some(row * size + column)
    };
    for corner in 0..size * size {
        for (a, b, opposite) in DIAMONDS {
            if let (Some(a), Some(b), Some(c)) = (on_board(corner, a), on_board(corner, b), on_board(corner, opposite))
            {
                visit([corner, a, b, c]);
            }
        }
    }
}

/// Sets up the stones, lets `mover` play on `cell`, and returns all stones.
fn stones_after(size: usize, stones: &[(usize, Seat)], mover: Seat, cell: usize) -> Vec<Option<Seat>> {
    let mut board = vec![None; size * size];
    for &(cell, player) in stones {
        board[cell] = Some(player);
    }
    let mut game = set_up(size, &board, mover);
    game.play(Action(cell as u16));
    (0..size * size).map(|cell| game.owner(cell)).collect()
}

#[test]
fn diamonds_capture_from_each_corner() {
    for (size, most) in [(3, 8), (4, 10), (5, 12), (9, 12), (15, 12)] {
        for mover in Seat::BOTH {
            let enemy = mover.opponent();
            let mut closed = vec![0; size * size];
            each_diamond(size, |[corner, a, b, opposite]| {
                let board = stones_after(size, &[(a, enemy), (b, enemy), (opposite, mover)], mover, corner);
                let mut expected = vec![None; size * size];
                expected[corner] = Some(mover);
                expected[opposite] = Some(mover);
                assert_eq!(board, expected, "size {size}, {mover:?} at {corner}, opposite {opposite}");
                closed[corner] += 1;
            });
            assert_eq!(closed.iter().max(), Some(&most), "size {size}");
        }
    }
}

#[test]
fn one_stone_closes_several_diamonds() {
    let all_six = ["...R.", ".RBBR", ".B.B.", "RBBR.", ".R..."];
    assert_eq!(after(&all_six, Seat::First, "c3"), ["...R.", ".R..R", "..R..", "R..R.", ".R..."]);
    let one_stone_in_both = [".....", "...BR", "...B.", "..BR.", "....."];
    assert_eq!(after(&one_stone_in_both, Seat::First, "c3"), [".....", "....R", "..R..", "...R.", "....."]);
    let as_tip_and_on_the_short_diagonal = [".....", "...RB", "...R.", ".RB..", "....."];
    let expected = [".....", "....B", "..B..", "..B..", "....."];
    assert_eq!(after(&as_tip_and_on_the_short_diagonal, Seat::Second, "c3"), expected);
}

#[test]
fn placing_into_an_enemy_pattern_is_safe() {
    // Blue holds the tips and one stone of Red lies between them; Red fills the gap and captures.
    let rows = [".....", "..B..", ".R...", ".B...", "....."];
    assert_eq!(after(&rows, Seat::First, "c3"), [".....", ".....", ".RR..", ".....", "....."]);
    // Blue would capture both red stones from b2; but it is Red who plays there.
    let rows = ["....", "..R.", ".RB.", "...."];
    assert_eq!(after(&rows, Seat::First, "b2"), ["....", ".RR.", ".RB.", "...."]);
    assert_eq!(after(&rows, Seat::Second, "b2"), ["....", ".B..", "..B.", "...."]);
}

#[test]
fn only_the_placed_stone_captures() {
    let standing = ["....", ".BR.", ".RB.", "...."];
    assert_eq!(after(&standing, Seat::First, "d4"), ["....", ".BR.", ".RB.", "...R"]);
}

#[test]
fn first_stone_may_not_take_an_odd_centre() {
    for size in cachex().boards.sizes.clone() {
        let mut game = cachex().start(size).unwrap();
        let middle = Action((size / 2 * size + size / 2) as u16);
        let legal = game.legal();
        assert_eq!(legal.len(), size * size - size % 2);
        if size % 2 == 1 {
            let cell = game.action_name(middle);
            let refused = |reason: &str| reason.starts_with(&format!("{cell} is the centre"));
            assert!(matches!(game.check(middle), Err(InvalidMove::Refused { reason }) if refused(&reason)));
            assert!(!legal.contains(&middle));
        } else {
            assert_eq!(game.check(middle), Ok(()));
        }
        game.play(Action(0));
        assert_eq!(game.check(middle), Ok(()), "size {size}, second turn");
        game.play(Action(1));
        assert_eq!(game.check(middle), Ok(()), "size {size}, third turn");
    }
}

#[test]
fn swap_transposes_and_exchanges_the_colours() {
    for word in ["swap", "steal", "SWAP"] {
        let game = played(5, &format!("d2 {word}"));
        assert_eq!(position_text(&game), "................B........");
        assert_eq!((game.to_move(), game.turns()), (Seat::First, 2));
    }
    let game = played(5, "b2 swap b1");
    assert_eq!((cell(&game, "b2"), cell(&game, "b1")), (Some(Seat::Second), Some(Seat::First)));
}

#[test]
fn swap_is_only_possible_as_the_second_move() {
    for (moves, turn) in [("", 1), ("a1 a2", 3), ("a1 swap", 3), ("a1 a2 a3", 4)] {
        let game = played(5, moves);
        let swap = game.parse_action("swap").unwrap();
        assert_eq!(game.check(swap), Err(InvalidMove::swap_not_now(turn)));
    }
    let game = played(5, "a1");
    let legal = game.legal();
    assert_eq!((legal.len(), legal.last().copied()), (25, Some(game.parse_action("swap").unwrap())));
}

#[test]
fn chain_wins_between_its_own_sides_only() {
    let [red, blue] = Seat::BOTH.map(|seat| Some(Outcome::connection(seat)));
    let outcome = |rows: &[&str], to_move, action| {
        let mut game = drawn(rows, to_move);
        assert_eq!(game.outcome(), None);
        game.play_named(action).unwrap();
        game.outcome()
    };
    assert_eq!(outcome(&["..R", "...", "R.."], Seat::First, "b2"), red);
    assert_eq!(outcome(&["..B", "...", "B.."], Seat::Second, "b2"), blue, "corners lie on both sides");
    assert_eq!(outcome(&[".R.", "...", ".R."], Seat::First, "b2"), red);
    assert_eq!(outcome(&[".B.", "...", ".B."], Seat::Second, "b2"), None);
    assert_eq!(outcome(&["...", "R.R", "..."], Seat::First, "b2"), None);
    assert_eq!(outcome(&["...", "B.B", "..."], Seat::Second, "b2"), blue);
    // a1 and c3 do not touch b2.
    assert_eq!(outcome(&["R..", "...", "..R"], Seat::First, "b2"), None);
}

#[test]
fn positions_set_up_by_hand() {
    let two = [Some(Seat::First), None, None, None, None, Some(Seat::Second), None, None, None];
    let after_two = |to_move| set_up(3, &two, to_move);
    assert_eq!((after_two(Seat::First).turns(), after_two(Seat::Second).turns()), (2, 3));
    assert_eq!(after_two(Seat::Second).to_move(), Seat::Second);
    let after_one = drawn(&["R..", "...", "..."], Seat::Second);
    assert_eq!(after_one.check(after_one.parse_action("swap").unwrap()), Ok(()));
    let over = drawn(&["BBB", "R.R", "R.."], Seat::First);
    assert_eq!(over.outcome(), Some(Outcome::connection(Seat::Second)));
    assert!(cachex().with_stones(2, &two[..4], Seat::First).is_none());
    assert!(cachex().with_stones(3, &two[..8], Seat::First).is_none());
}

/// A game on the largest board that goes on for as long as one likes. Eight captures in the corner
/// at a1 go round in a circle, which Red's last move of [`Circle::OPENING`] begins. Far away are
/// cells for waiting moves, each of which makes all later positions new; with his first fourteen
/// Red fills column o but for o8.
struct Circle {
    game: Position,
    waiting: [Vec<String>; 2],
    step: usize,
}

impl Circle {
    const OPENING: &str = "a4 a1 a2 c2 c4 c3 b1 a3 c1 b2 b3 b4 a4 b2 d2 c4 b3 c2 b3 c1 b1";
    const STEPS: [&str; 8] = ["b4", "a2", "a3", "a4", "a1", "b3", "b2", "b1"];

    fn new() -> Self {
        let column = |letter: char, step| (1..=15).rev().step_by(step).map(move |row| format!("{letter}{row}"));
        let red = column('o', 1).filter(|name| name != "o8").chain(column('g', 2).take(5));
        let blue = column('i', 2).chain(column('k', 2)).chain(column('m', 2));
        let backwards = |names: Vec<String>| names.into_iter().rev().collect();
        let waiting = [red.collect(), blue.collect()].map(backwards);
        Self { game: played(15, Self::OPENING), waiting, step: 0 }
    }

    /// Plays on in the circle.
    fn turn(&mut self, moves: usize) {
        for _ in 0..moves {
            assert_eq!(self.game.outcome(), None);
            self.game.play_named(Self::STEPS[self.step % 8]).unwrap();
            self.step += 1;
        }
    }

    /// Plays waiting moves, as many for each player.
    fn wait(&mut self, pairs: usize) {
        for _ in 0..2 * pairs {
            let cell = self.waiting[self.game.to_move().index()].pop().unwrap();
            self.game.play_named(&cell).unwrap();
        }
    }
}

fn draw(key: &str) -> Option<Outcome> {
    Some(Outcome { winner: None, reason: cachex().ending_named(key).unwrap() })
}

#[test]
fn seventh_occurrence_is_a_draw() {
    // The position before Red's move into the circle is the first to come back. The official referee ends the game with
    // the same move, on 4×4; test_repetition_of_cachex plays that game.
    let mut circle = Circle::new();
    circle.turn(5 * 8 + 6);
    assert_eq!(circle.game.outcome(), None);
    circle.turn(1);
    assert_eq!(circle.game.outcome(), draw("repetition"));

    let mut circle = Circle::new();
    circle.turn(5 * 8);
    circle.wait(1);
    circle.turn(6 * 8 - 1);
    assert_eq!(circle.game.outcome(), None, "other stones, another position");
    circle.turn(1);
    assert_eq!(circle.game.outcome(), draw("repetition"));
}

#[test]
fn turn_343_is_a_draw_but_a_win_on_it_is_a_win() {
    let mut circle = Circle::new();
    for _ in 0..7 {
        circle.wait(1);
        circle.turn(5 * 8);
    }
    circle.wait(12);
    circle.turn(3);
    let game = circle.game;
    assert_eq!((game.turns(), game.outcome(), game.to_move()), (TURN_LIMIT - 1, None, Seat::First));

    let mut drawn = game.clone();
    drawn.play_named(Circle::STEPS[3]).unwrap();
    assert_eq!(drawn.outcome(), draw("turns"));

    let mut won = game.clone();
    assert_eq!(won.winning_action(), won.parse_action("o8").ok());
    won.play_named("o8").unwrap();
    assert_eq!(won.outcome(), Some(Outcome::connection(Seat::First)));
}

#[test]
fn repetition_is_tested_before_the_turn_limit() {
    let mut circle = Circle::new();
    for _ in 0..6 {
        circle.wait(1);
        circle.turn(5 * 8);
    }
    circle.wait(11);
    circle.turn(6 * 8);
    assert_eq!(circle.game.turns(), TURN_LIMIT);
    assert_eq!(circle.game.outcome(), draw("repetition"));
}

#[test]
fn random_action_is_uniform() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    for moves in ["", "a1", "a1 b2"] {
        let game = played(3, moves);
        let legal = game.legal();
        let mut drawn = vec![0; game.actions()];
        for _ in 0..1000 * legal.len() {
            drawn[game.random_action(&mut rng).unwrap().index()] += 1;
        }
        for (index, &count) in drawn.iter().enumerate() {
            let expected = if legal.contains(&Action(index as u16)) { 800..1200 } else { 0..1 };
            assert!(expected.contains(&count), "action {index} was drawn {count} times after {moves:?}");
        }
    }
}
