//! The rules of Hex against another implementation (see `tests/data/README.md`), and on positions by hand.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::GzDecoder;
use hexzero::board::{NO_CELL, rhombus};
use hexzero::games::{
    Action, EndReason, ForGame, Game, Hex, HexWithoutSwap, InvalidMove, Outcome, Player, play_named, with_game,
};
use hexzero::replay::{position_text, result_name};
use proptest::prelude::*;
use serde::Deserialize;

use crate::perft::perft;

#[test]
fn numbers_of_move_sequences() {
    let counts: BTreeMap<String, Vec<u64>> = serde_json::from_str(include_str!("../data/hex_perft.json")).unwrap();
    let mut compared = 0;
    for (name, counts) in counts {
        let size = name.trim_start_matches("hex").trim_end_matches("-noswap").parse().unwrap();
        for (index, &expected) in counts.iter().enumerate() {
            let depth = index + 1;
            let found = match name.ends_with("-noswap") {
                true => perft(&HexWithoutSwap::new(size).unwrap(), depth),
                false => perft(&Hex::new(size).unwrap(), depth),
            };
            assert_eq!(found, expected, "{name}, depth {depth}");
            compared += 1;
        }
    }
    assert_eq!(compared, 49);
}

#[derive(Deserialize)]
struct Recorded {
    game: String,
    size: usize,
    moves: String,
    result: String,
    board: String,
}

impl ForGame for &Recorded {
    type Output = ();

    fn for_game<G: Game>(self) {
        let mut game = G::new(self.size).unwrap();
        for (turn, name) in self.moves.split(' ').enumerate() {
            assert_eq!(game.outcome(), None, "{} before turn {}", self.moves, turn + 1);
            assert_eq!((game.turns(), game.to_move()), (turn, Player::BOTH[turn % 2]), "{}", self.moves);
            let wins_at_once = game.winning_action();
            let action = play_named(&mut game, name).unwrap();
            assert_eq!(game.action_name(action), name);
            if game.outcome().is_some() {
                assert!(wins_at_once.is_some(), "{}: a win in one was not seen", self.moves);
            }
        }
        let outcome = game.outcome().unwrap();
        assert_eq!((result_name::<G>(outcome), outcome.reason), (self.result.as_str(), EndReason::Connection));
        assert_eq!(position_text(&game), self.board, "{}", self.moves);
    }
}

fn replay(text: &str) -> Vec<Recorded> {
    let games: Vec<Recorded> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    games.iter().for_each(|recorded| with_game(&recorded.game, recorded).unwrap());
    games
}

#[test]
fn a_thousand_recorded_games_replay_without_a_difference() {
    let mut text = String::new();
    GzDecoder::new(include_bytes!("../data/hex.jsonl.gz").as_slice()).read_to_string(&mut text).unwrap();
    let games = replay(&text);
    assert_eq!(games.len(), 1000);
    assert!({ Hex::SIZES }.all(|size| games.iter().any(|game| game.size == size)));
    let count = |what: fn(&Recorded) -> bool| games.iter().filter(|game| what(game)).count();
    assert!(count(|game| game.moves.contains("swap")) > 200 && count(|game| game.game == "hex-noswap") > 200);
    assert!(count(|game| game.result == "black") > 300 && count(|game| game.result == "white") > 300);
}

#[test]
fn further_recorded_games_replay_without_a_difference() {
    assert_eq!(replay(include_str!("../data/hex_traces.jsonl")).len(), 12);
}

fn position<G: Game>(size: usize, moves: &str) -> G {
    let mut game = G::new(size).unwrap();
    moves.split_whitespace().for_each(|name| {
        play_named(&mut game, name).unwrap();
    });
    game
}

#[test]
fn the_swap_takes_over_the_stone_mirrored_and_once() {
    let mut game: Hex = position(4, "c1");
    let swap = game.parse_action("SWAP-pieces").unwrap();
    assert_eq!(game.action_name(swap), "swap");
    game.play(swap);
    assert_eq!(position_text(&game), "........W.......");
    assert_eq!((game.turns(), game.to_move()), (2, Player::First));
    assert_eq!(game.check(swap), Err(InvalidMove::SwapNotNow { turn: 3 }));
    assert_eq!(position::<Hex>(4, "").check(swap), Err(InvalidMove::SwapNotNow { turn: 1 }));
    assert_eq!(position::<Hex>(4, "c1 a1 b1").check(swap), Err(InvalidMove::SwapNotNow { turn: 4 }));
    let without: HexWithoutSwap = position(4, "c1");
    assert_eq!(without.check(swap), Err(InvalidMove::NoSwap { game: "hex-noswap" }));
    let mut legal = Vec::new();
    without.legal_actions(&mut legal);
    assert_eq!(legal.len(), 15);
}

#[test]
fn what_cannot_be_played_is_told() {
    let game: Hex = position(3, "b2");
    assert_eq!(game.check(Action(4)), Err(InvalidMove::Occupied { cell: "b2".into() }));
    assert_eq!(game.check(Action(10)), Err(InvalidMove::NoSuchAction { index: 10, actions: 10 }));
    let error = game.parse_action("x").unwrap_err().to_string();
    assert!(error.ends_with("or 'swap' where the rules allow it"), "{error}");
    for size in [0, 1, 20] {
        assert_eq!(
            Hex::new(size).unwrap_err().to_string(),
            format!("hex is played on boards of size 2 to 19, not {size}")
        );
    }
    let won: Hex = position(2, "a1 b1 a2");
    let winner = Some(Outcome { winner: Some(Player::First), reason: EndReason::Connection });
    assert_eq!((won.outcome(), won.check(Action(3))), (winner, Err(InvalidMove::GameOver)));
}

#[test]
fn a_position_is_set_up_stone_by_stone() {
    let mut game = Hex::new(3).unwrap();
    for (player, cell) in [(Player::Second, "a1"), (Player::Second, "b1"), (Player::First, "c3")] {
        assert!(game.hand_turn_to(player));
        play_named(&mut game, cell).unwrap();
    }
    assert_eq!((position_text(&game).as_str(), game.to_move()), ("WW......B", Player::Second));
    play_named(&mut game, "c1").unwrap();
    assert_eq!(game.outcome().unwrap().winner, Some(Player::Second));
    // The swap is for an opponent's single stone only.
    let mut game = Hex::new(3).unwrap();
    game.hand_turn_to(Player::Second);
    play_named(&mut game, "a1").unwrap();
    game.hand_turn_to(Player::Second);
    assert!(play_named(&mut game, "swap").is_err());
    // After a stone of the first player's it is there, whoever was to move for a while.
    let mut game: Hex = position(3, "a1");
    game.hand_turn_to(Player::First);
    assert!(play_named(&mut game, "swap").is_err());
    game.hand_turn_to(Player::Second);
    assert!(play_named(&mut game, "swap").is_ok());
}

/// What the network sees: the planes of each cell, and the globals.
fn seen<G: Game>(game: &G) -> (Vec<f32>, Vec<f32>) {
    let mut cells = vec![f32::NAN; game.topology().cells() * G::VIEW.cell_inputs];
    let mut globals = vec![f32::NAN; G::VIEW.global_inputs];
    game.encode(&mut cells, &mut globals);
    (cells, globals)
}

/// The same inputs computed by flood fill from the stones alone.
fn seen_by_flood_fill(game: &Hex) -> Vec<f32> {
    let n = game.size();
    let transposed = |cell: usize| cell % n * n + cell / n;
    let mover = game.to_move();
    // The board as the mover sees it: 0 for his stones, 1 for the enemy's.
    let there = |cell: usize| {
        let cell = if mover == Player::First { cell } else { transposed(cell) };
        game.stone(cell).map(|owner| usize::from(owner != mover))
    };
    let on_side = |cell: usize, who: usize, side: usize| [cell / n, cell % n][who] == [0, n - 1][side];
    let joined = |cell: usize, who: usize, side: usize| {
        let (mut reached, mut next) = (vec![false; n * n], vec![cell]);
        while let Some(cell) = next.pop() {
            if !std::mem::replace(&mut reached[cell], true) {
                let near = rhombus(n).neighbours()[cell].iter().filter(|&&slot| slot != NO_CELL);
                next.extend(near.map(|&slot| slot as usize).filter(|&slot| there(slot) == Some(who)));
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
fn any_position() -> impl Strategy<Value = Hex> {
    (Hex::SIZES, prop::collection::vec(any::<prop::sample::Index>(), 0..200)).prop_map(|(size, choices)| {
        let mut game = Hex::new(size).unwrap();
        for choice in choices {
            let mut legal = Vec::new();
            game.legal_actions(&mut legal);
            let mut next = game.clone();
            next.play(legal[choice.index(legal.len())]);
            if next.outcome().is_some() {
                break;
            }
            game = next;
        }
        game
    })
}

proptest! {
    #[test]
    fn the_network_sees_what_a_flood_fill_finds(game in any_position()) {
        let (cells, globals) = seen(&game);
        prop_assert_eq!(cells, seen_by_flood_fill(&game));
        let swap = game.turns() == 1;
        prop_assert_eq!(&globals[..2], &[f32::from(u8::from(swap)), f32::from(u8::from(game.turns() == 0))]);
        prop_assert_eq!(globals[2], game.size() as f32 / 19.0);
    }

    #[test]
    fn a_winning_move_is_seen_exactly_if_there_is_one(game in any_position()) {
        let wins = |&action: &Action| {
            let mut next = game.clone();
            next.play(action);
            next.outcome().is_some()
        };
        let mut legal = Vec::new();
        game.legal_actions(&mut legal);
        prop_assert_eq!(game.winning_action(), legal.into_iter().find(wins));
    }

    #[test]
    fn the_half_turn_changes_nothing_but_the_places(game in any_position()) {
        let cells = game.topology().cells();
        let mut turned = Hex::new(game.size()).unwrap();
        for cell in 0..cells {
            if let Some(owner) = game.stone(cell) {
                turned.hand_turn_to(owner);
                turned.play(Action(game.symmetric(1, cell) as u16));
            }
        }
        turned.hand_turn_to(game.to_move());
        let (planes, (before, _), (after, _)) = (Hex::VIEW.cell_inputs, seen(&game), seen(&turned));
        for cell in 0..cells {
            for plane in 0..planes {
                let there = game.symmetric(1, cell) * planes + game.symmetric_input(1, plane);
                prop_assert_eq!(before[cell * planes + plane], after[there], "cell {}, plane {}", cell, plane);
            }
        }
    }
}

#[test]
fn an_opening_looks_the_same_swapped_or_not() {
    // Whether the reply may be a swap is over; all else is the same in the mover's frame.
    for cell in 0..25 {
        let (mut swapped, mut kept) = (Hex::new(5).unwrap(), HexWithoutSwap::new(5).unwrap());
        swapped.play(Action(cell));
        play_named(&mut swapped, "swap").unwrap();
        kept.play(Action(cell));
        assert_eq!(seen(&swapped), seen(&kept));
    }
}
