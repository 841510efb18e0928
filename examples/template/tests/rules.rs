//! Tests of the rules: positions worked out by hand, and the number of move sequences.

use hexzero::contract;
use hexzero::games::{Game, Position, Seat, play_all};
use my_game::game::Fours;

fn after(size: usize, moves: &str) -> Position {
    let mut position = Game::new::<Fours>().start(size).unwrap();
    play_all(&mut position, moves).unwrap();
    position
}

/// Counts the sequences of `moves` legal moves.
fn sequences(position: &Position, moves: usize) -> u64 {
    let legal = position.legal().into_iter();
    if moves == 0 { 1 } else { legal.map(|action| sequences(&position.after(action), moves - 1)).sum() }
}

#[test]
fn four_in_a_line_win_and_three_lose() {
    let winner = |moves| after(4, moves).outcome().map(|end| end.winner);
    assert_eq!(winner("a1 a3 b1 b3"), None);
    assert_eq!(winner("a1 a3 b1 b3 c1"), Some(Some(Seat::Second)));
    assert_eq!(winner("a1 a4 b1 b4 d1 d4 c1"), Some(Some(Seat::First)));
}

#[test]
fn what_every_game_keeps() {
    contract::check(Game::new::<Fours>());
}

#[test]
fn every_empty_cell_can_be_played_on() {
    // The hexagon of side 3 has 19 cells; no game ends within three moves.
    let start = after(3, "");
    assert_eq!([1, 2, 3].map(|moves| sequences(&start, moves)), [19, 19 * 18, 19 * 18 * 17]);
}
