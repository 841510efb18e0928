//! Positions of every game by the names of moves, against a plain implementation where there is one.
#![no_main]

use hexzero::games::{Action, Position, all_games};
use libfuzzer_sys::fuzz_target;
use plain::{Plain, stones};

#[path = "../../tests/common/plain.rs"]
mod plain;

/// The games that [`Plain`] plays, and whether their diamonds capture.
const PLAIN: [(&str, bool); 3] = [("cachex", true), ("hex", false), ("hex-noswap", false)];

/// What can be seen of a position.
fn seen(position: &Position) -> impl PartialEq + use<> {
    let legal = position.legal();
    let pieces: Vec<_> = (0..position.board().places().len()).map(|place| position.piece(place)).collect();
    let score = position.score_in_words();
    (legal, pieces, position.to_move(), position.outcome(), position.state(), score)
}

fuzz_target!(|input: &[u8]| {
    let [which, size, moves @ ..] = input else { return };
    let games = all_games();
    let game = games[*which as usize % games.len()];
    let sizes = game.boards.sizes.clone();
    let size = sizes.start() + *size as usize % (sizes.end() - sizes.start() + 1).min(6);
    let Ok(mut position) = game.start(size) else { return };
    let mut plain =
        PLAIN.iter().find(|(name, _)| *name == game.name()).map(|(_, captures)| Plain::new(&position, *captures));
    let mut legal = Vec::new();
    let mut played: Vec<Action> = Vec::new();
    let (mut cells, mut globals) =
        (vec![0.0; position.topology().cells() * game.view.cell_inputs], vec![0.0; game.view.global_inputs]);
    for word in moves.split(|&byte| byte == b' ' || byte == b'\n').take(400) {
        position.legal_actions(&mut legal);
        // A word is a name, or a single byte the number of a legal move.
        let action = match word {
            [number] if !legal.is_empty() => Ok(legal[*number as usize % legal.len()]),
            _ => position.parse_action(&String::from_utf8_lossy(word)),
        };
        let Ok(action) = action else { continue };
        assert_eq!(position.check(action).is_ok(), legal.contains(&action), "{}", position.action_name(action));
        if position.check(action).is_err() {
            continue;
        }
        let name = position.action_name(action);
        assert_eq!(position.parse_action(&name).ok(), Some(action), "{name}");
        assert_eq!(position.parse_action(&position.foreign_action_name(action)).ok(), Some(action), "{name}");
        position.encode(&mut cells, &mut globals);
        assert!(cells.iter().chain(&globals).all(|value| value.is_finite()));
        let wins = position.winning_action();
        assert!(wins.is_none_or(|action| legal.contains(&action)));
        position.play(action);
        played.push(action);
        assert!(position.turns() <= position.turn_limit());
        if let Some(plain) = &mut plain {
            let (_, outcome) = plain.play(action);
            assert_eq!(position.outcome(), outcome, "after {name}");
            assert_eq!(stones(&position), plain.stones, "after {name}");
        }
        assert_eq!(
            position.outcome().is_some(),
            {
                position.legal_actions(&mut legal);
                legal.is_empty()
            },
            "after {name}"
        );
    }
    let mut again = game.start(size).expect("it began");
    played.iter().for_each(|&action| again.play(action));
    assert!(seen(&again) == seen(&position), "played again, {} moves lead elsewhere", played.len());
});
