//! The rules of Hex against another implementation (see `tests/data/README.md`), and on positions by hand.

use std::io::Read;

use flate2::read::GzDecoder;
use hexzero::board::rhombus;
use hexzero::games::{Action, EndReason, InvalidMove, Outcome, Position, Seat, game_named};
use hexzero::replay::{position_text, result_name};
use proptest::prelude::*;
use serde::Deserialize;

use crate::games::{hex, hex_without_swap, position};
use crate::plain::transposed;

#[derive(Deserialize)]
struct Recorded {
    game: String,
    size: usize,
    moves: String,
    result: String,
    board: String,
}

impl Recorded {
    fn replay(&self) {
        let mut game = game_named(&self.game).unwrap().start(self.size).unwrap();
        for (turn, name) in self.moves.split(' ').enumerate() {
            assert_eq!(game.outcome(), None, "{} before turn {}", self.moves, turn + 1);
            assert_eq!((game.turns(), game.to_move()), (turn, Seat::BOTH[turn % 2]), "{}", self.moves);
            let wins_at_once = game.winning_action();
            let action = game.play_named(name).unwrap();
            assert_eq!(game.action_name(action), name);
            if game.outcome().is_some() {
                assert!(wins_at_once.is_some(), "{}: a win in one was not seen", self.moves);
            }
        }
        let outcome = game.outcome().unwrap();
        assert_eq!((result_name(game.game(), outcome), outcome.reason), (self.result.as_str(), EndReason::CONNECTION));
        assert_eq!(position_text(&game), self.board, "{}", self.moves);
    }
}

fn replay(text: &str) -> Vec<Recorded> {
    let games: Vec<Recorded> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    games.iter().for_each(Recorded::replay);
    games
}

#[test]
fn thousand_recorded_games_replay_exactly() {
    let mut text = String::new();
    GzDecoder::new(include_bytes!("../data/hex.jsonl.gz").as_slice()).read_to_string(&mut text).unwrap();
    let games = replay(&text);
    assert_eq!(games.len(), 1000);
    assert!(hex().boards.sizes.clone().all(|size| games.iter().any(|game| game.size == size)));
    let count = |what: fn(&Recorded) -> bool| games.iter().filter(|game| what(game)).count();
    assert!(count(|game| game.moves.contains("swap")) > 200 && count(|game| game.game == "hex-noswap") > 200);
    assert!(count(|game| game.result == "black") > 300 && count(|game| game.result == "white") > 300);
}

#[test]
fn further_recorded_games_replay_exactly() {
    assert_eq!(replay(include_str!("../data/hex_traces.jsonl")).len(), 12);
}

#[test]
fn swap_mirrors_the_stone_and_is_possible_once() {
    let mut game = position(hex(), 4, "c1");
    let swap = game.parse_action("SWAP-pieces").unwrap();
    assert_eq!(game.action_name(swap), "swap");
    game.play(swap);
    assert_eq!(position_text(&game), "........W.......");
    assert_eq!((game.turns(), game.to_move()), (2, Seat::First));
    assert_eq!(game.check(swap), Err(InvalidMove::swap_not_now(3)));
    assert_eq!(position(hex(), 4, "").check(swap), Err(InvalidMove::swap_not_now(1)));
    assert_eq!(position(hex(), 4, "c1 a1 b1").check(swap), Err(InvalidMove::swap_not_now(4)));
    let without = position(hex_without_swap(), 4, "c1");
    assert_eq!(without.check(swap), Err(InvalidMove::Refused { reason: "there is no swap in hex-noswap".to_owned() }));
    let legal = without.legal();
    assert_eq!(legal.len(), 15);
}

#[test]
fn impossible_moves_are_explained() {
    let game = position(hex(), 3, "b2");
    assert_eq!(game.check(Action(4)), Err(InvalidMove::Occupied { cell: "b2".into() }));
    assert_eq!(game.check(Action(10)), Err(InvalidMove::NoSuchAction { index: 10, actions: 10 }));
    let error = game.parse_action("x").unwrap_err().to_string();
    assert!(error.ends_with("; 'swap' is a move too, where the rules allow it"), "{error}");
    let error = position(hex_without_swap(), 3, "b2").parse_action("x").unwrap_err().to_string();
    assert!(!error.contains("swap"), "{error}");
    for size in [0, 1, 20] {
        assert_eq!(
            hex().start(size).unwrap_err().to_string(),
            format!("hex is played on boards of size 2 to 19, not {size}")
        );
    }
    let won = position(hex(), 2, "a1 b1 a2");
    let outcome = Some(Outcome::connection(Seat::First));
    assert_eq!((won.outcome(), won.check(Action(3))), (outcome, Err(InvalidMove::GameOver)));
}

#[test]
fn position_is_set_up_stone_by_stone() {
    let mut game = hex().start(3).unwrap();
    for (player, cell) in [(Seat::Second, "a1"), (Seat::Second, "b1"), (Seat::First, "c3")] {
        assert!(game.hand_turn_to(player));
        game.play_named(cell).unwrap();
    }
    assert_eq!((position_text(&game).as_str(), game.to_move()), ("WW......B", Seat::Second));
    game.play_named("c1").unwrap();
    assert_eq!(game.outcome().unwrap().winner, Some(Seat::Second));
    // The swap is for an opponent's single stone only.
    let mut game = hex().start(3).unwrap();
    game.hand_turn_to(Seat::Second);
    game.play_named("a1").unwrap();
    game.hand_turn_to(Seat::Second);
    assert!(game.play_named("swap").is_err());
    // After a stone of the first player it is possible, even if the turn was handed over and back.
    let mut game = position(hex(), 3, "a1");
    game.hand_turn_to(Seat::First);
    assert!(game.play_named("swap").is_err());
    game.hand_turn_to(Seat::Second);
    assert!(game.play_named("swap").is_ok());
}

/// Returns the network inputs: the planes of each cell, and the globals.
pub fn seen(game: &Position) -> (Vec<f32>, Vec<f32>) {
    game.encoded_through(&game.game_board().symmetries()[0])
}

/// The same inputs computed by flood fill from the stones alone.
fn seen_by_flood_fill(game: &Position) -> Vec<f32> {
    let n = game.size();
    let mover = game.to_move();
    // The board as the mover sees it: 0 for his stones, 1 for the enemy's.
    let there = |cell: usize| {
        let cell = if mover == Seat::First { cell } else { transposed(n, cell) };
        game.owner(cell).map(|owner| usize::from(owner != mover))
    };
    let on_side = |cell: usize, who: usize, side: usize| [cell / n, cell % n][who] == [0, n - 1][side];
    let joined = |cell: usize, who: usize, side: usize| {
        let (mut reached, mut next) = (vec![false; n * n], vec![cell]);
        while let Some(cell) = next.pop() {
            if !std::mem::replace(&mut reached[cell], true) {
                next.extend(rhombus(n).around(cell).filter(|&near| there(near) == Some(who)));
            }
        }
        (0..n * n).any(|cell| reached[cell] && on_side(cell, who, side))
    };
    let planes = |cell: usize| {
        let pairs = |what: &dyn Fn(usize, usize) -> bool| [what(0, 0), what(0, 1), what(1, 0), what(1, 1)];
        let stones = [there(cell) == Some(0), there(cell) == Some(1), there(cell).is_none()];
        let edges = pairs(&|who, side| on_side(cell, who, side));
        let chains = pairs(&|who, side| there(cell) == Some(who) && joined(cell, who, side));
        let wins = [0, 1].map(|who| there(cell).is_none() && joined(cell, who, 0) && joined(cell, who, 1));
        stones.into_iter().chain(edges).chain(chains).chain(wins).map(|on| f32::from(u8::from(on))).collect::<Vec<_>>()
    };
    (0..n * n).flat_map(planes).collect()
}

/// A game of Hex after some random moves, not over.
fn any_position() -> impl Strategy<Value = Position> {
    (hex().boards.sizes.clone(), prop::collection::vec(any::<prop::sample::Index>(), 0..200)).prop_map(
        |(size, choices)| {
            let mut game = hex().start(size).unwrap();
            for choice in choices {
                let legal = game.legal();
                let next = game.after(legal[choice.index(legal.len())]);
                if next.outcome().is_some() {
                    break;
                }
                game = next;
            }
            game
        },
    )
}

proptest! {
    #[test]
    fn network_sees_what_a_flood_fill_finds(game in any_position()) {
        let (cells, globals) = seen(&game);
        prop_assert_eq!(cells, seen_by_flood_fill(&game));
        let swap = game.turns() == 1;
        prop_assert_eq!(&globals[..2], &[f32::from(u8::from(swap)), f32::from(u8::from(game.turns() == 0))]);
        prop_assert_eq!(globals[2], game.size() as f32 / 19.0);
    }

    #[test]
    fn winning_move_is_seen_exactly_if_it_exists(game in any_position()) {
        let wins = |&action: &Action| game.after(action).outcome().is_some();
        prop_assert_eq!(game.winning_action(), game.legal().into_iter().find(wins));
    }
}

#[test]
fn opening_looks_the_same_swapped_or_not() {
    // The reply may no longer be a swap; all other inputs are the same in the mover's frame.
    for cell in 0..25 {
        let (mut swapped, mut kept) = (hex().start(5).unwrap(), hex_without_swap().start(5).unwrap());
        swapped.play(Action(cell));
        swapped.play_named("swap").unwrap();
        kept.play(Action(cell));
        assert_eq!(seen(&swapped), seen(&kept));
    }
}
