//! Games of Hex from Little Golem, which writes a dialect of SGF: without the number of the game,
//! with cells as two letters (`kc` for k3), and with the first move as White's although `PB` makes
//! it.

use crate::recorded::Marks;
use hexzero_games::Seat;

use super::hexworld::HEXWORLD_SGF;
use super::sgf::SgfGame;
use super::sgf_writer::of_letters;

/// The first word in the names of Little Golem's Hex tournaments, as in `hex.ld.13.1`.
const EVENT: &str = "hex";

/// Little Golem's name in the source of a game.
const SOURCE: &str = "littlegolem";

/// The event that Little Golem writes for a game outside of tournaments.
const NO_EVENT: &str = "null";

/// The moves of Little Golem that name no cell.
const WORDS: [&str; 4] = ["swap", "swap-pieces", "swap-sides", "pass"];

/// Returns true if Little Golem wrote the game, or another program in the same way: all cells are
/// letters.
pub(super) fn wrote(game: &SgfGame) -> bool {
    let is_its = game.source.contains(SOURCE);
    let is_hex = match game.game {
        Some(number) => number == HEXWORLD_SGF,
        None => is_event_of_hex(&game.event) || matches!(game.event.as_str(), "" | NO_EVENT) && is_its,
    };
    let mut names = (1..game.tree.len()).map(|at| game.tree.node(at).name.as_str());
    let has_cells = names.clone().any(|name| of_letters(name).is_some());
    let is_in_its_form = names.all(|name| WORDS.contains(&name) || of_letters(name).is_some());
    is_hex && game.name.is_none() && (has_cells || is_its) && is_in_its_form
}

fn is_event_of_hex(event: &str) -> bool {
    event.strip_prefix(EVENT).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Translates the moves to the names of Hex, and the colours: Little Golem's nodes alternate W, B,
/// W, … while `PB` moves first, and `RE` names `PB` or `PW`.
pub(super) fn translate(game: &mut SgfGame) {
    game.game = Some(HEXWORLD_SGF);
    if game.event == NO_EVENT {
        game.event.clear();
    }
    let is_exchanged = game.first_colour == Some(Seat::Second);
    for node in game.tree.nodes_mut() {
        node.name = of_letters(&node.name).unwrap_or_else(|| std::mem::take(&mut node.name));
        let marks = std::mem::take(&mut node.marks).into_iter();
        node.marks = marks.map(|(place, text)| (of_letters(&place).unwrap_or(place), text)).collect::<Marks>();
        node.mover = node.mover.map(|mover| if is_exchanged { mover.opponent() } else { mover });
    }
    if is_exchanged {
        game.resigned = game.resigned.map(Seat::opponent);
        game.next = game.next.map(Seat::opponent);
    }
}

#[cfg(test)]
mod tests {
    use super::super::sgf::tests::{only, steps};
    use super::*;

    #[test]
    fn pb_plays_the_first_move() {
        let game = only("(;FF[4]EV[hex.ch.1]PB[alice]PW[bob]SZ[11];B[aa]LB[cd:x];W[bb];B[resign])");
        assert_eq!((steps(&game).as_str(), game.resigned), ("Ba1 Wb2 ", Some(Seat::First)));
        assert_eq!(game.labels.players, ["alice", "bob"]);
        assert_eq!(game.tree.node(1).marks, Marks::from([("c4".to_owned(), "x".to_owned())]));
    }

    #[test]
    fn games_without_a_move_or_an_event() {
        for text in [
            "(;FF[4]EV[hex.ld.DEFAULT]PB[a]PW[b]SZ[13]RE[W]GC[game #2384695]SO[https://www.littlegolem.net])",
            "(;FF[4]EV[null]PB[a]PW[b]SZ[13]RE[W]SO[https://www.littlegolem.net];W[resign])",
            "(;FF[4]EV[null]PB[a]PW[b]SZ[11]RE[B]SO[http://www.littlegolem.com];W[ad])",
        ] {
            let game = only(text);
            assert_eq!(game.game, Some(11), "{text}");
            assert_ne!(game.labels.name, NO_EVENT);
            assert_ne!(game.resigned, Some(Seat::Second), "{text}");
        }
    }

    #[test]
    fn games_of_other_programs_stay_as_they_are() {
        for text in
            ["(;SZ[9];B[aa])", "(;EV[hexdame.1]SZ[9];B[aa])", "(;GM[1]EV[hex.1]SZ[9];B[aa])", "(;EV[hex.1]SZ[9];B[a1])"]
        {
            assert!(!wrote(&only(text)), "{text}");
        }
        assert!(steps(&only("(;GM[11]SZ[9];B[ab])")).contains("a2"), "the number says that it is Hex");
    }
}
