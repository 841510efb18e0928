//! Games of Hex from Little Golem, which writes SGF of its own kind: without a number of the game, cells as two letters
//! (`kc` for k3), and the player who begins as White or Black.

use crate::games::Seat;
use crate::replay::recorded::Marks;

use super::hexworld::HEXWORLD_SGF;
use super::sgf::SgfGame;

/// The first word of its tournaments of Hex, as in `hex.ld.13.1`.
const EVENT: &str = "hex";

/// Its name in the source of a game.
const SOURCE: &str = "littlegolem";

/// Its moves without a cell.
const WORDS: [&str; 6] = ["", "swap", "swap-pieces", "swap-sides", "pass", "resign"];

/// Returns true if it wrote the game, or another program in the same way: the cells are letters only.
pub(super) fn wrote(game: &SgfGame) -> bool {
    let is_hex = match game.game {
        Some(number) => number == HEXWORLD_SGF,
        None => is_event_of_hex(&game.event) || game.event.is_empty() && game.source.contains(SOURCE),
    };
    let mut names = (1..game.tree.len()).map(|at| game.tree.node(at).name.as_str());
    let has_cells = names.clone().any(|name| translated(name).is_some());
    let is_word = |name: &str| WORDS.contains(&name.to_ascii_lowercase().as_str());
    is_hex && game.name.is_none() && has_cells && names.all(|name| is_word(name) || translated(name).is_some())
}

fn is_event_of_hex(event: &str) -> bool {
    event.strip_prefix(EVENT).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Gives its moves the names of Hex, and the first of its players the first seat.
pub(super) fn translate(game: &mut SgfGame) {
    game.game = Some(HEXWORLD_SGF);
    for node in game.tree.nodes_mut() {
        if let Some(name) = translated(&node.name) {
            node.name = name;
        }
        let marks = std::mem::take(&mut node.marks).into_iter();
        node.marks = marks.map(|(place, text)| (translated(&place).unwrap_or(place), text)).collect::<Marks>();
    }
    let first = game.tree.main_line().nth(game.set_up).and_then(|at| game.tree.node(at).mover);
    if first != Some(Seat::Second) {
        return;
    }
    for node in game.tree.nodes_mut() {
        node.mover = node.mover.map(Seat::opponent);
    }
    game.winner = game.winner.map(Seat::opponent);
    game.labels.players.reverse();
}

/// Returns a cell in the notation of Hex, such as `k3` for `kc`.
fn translated(name: &str) -> Option<String> {
    let &[column @ b'a'..=b'z', row @ b'a'..=b'z'] = name.as_bytes() else { return None };
    Some(format!("{}{}", char::from(column), row - b'a' + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> SgfGame {
        SgfGame::read_all(text).unwrap().remove(0)
    }

    fn steps(game: &SgfGame) -> String {
        let letter = |seat: Seat| ["B", "W"][seat.index()];
        let node = |at| game.tree.node(at);
        game.tree.main_line().map(|at| format!("{}{} ", letter(node(at).mover.unwrap()), node(at).name)).collect()
    }

    #[test]
    fn who_begins_has_the_first_seat() {
        let game = only(
            "(;FF[4]EV[hex.ld.13.1]PB[alice]PW[bob]SZ[13]RE[W]SO[http://www.littlegolem.com];W[kc];B[swap];W[ge];B[am];B[resign])",
        );
        assert_eq!((game.game, game.size, steps(&game).as_str()), (Some(11), 13, "Bk3 Wswap Bg5 Wa13 "));
        assert_eq!((game.winner, game.resigned), (Some(Seat::First), true));
        assert_eq!(game.labels.players, ["bob", "alice"]);
        assert_eq!(game.labels.name, "hex.ld.13.1");
        let game = only("(;FF[4]EV[hex.ch.1]PB[alice]PW[bob]SZ[11];B[aa]LB[cd:x];W[bb];B[resign])");
        assert_eq!((steps(&game).as_str(), game.winner), ("Ba1 Wb2 ", Some(Seat::Second)));
        assert_eq!(game.labels.players, ["alice", "bob"]);
        assert_eq!(game.tree.node(1).marks, Marks::from([("c4".to_owned(), "x".to_owned())]));
    }

    #[test]
    fn games_of_others_stay_as_they_are() {
        for text in
            ["(;SZ[9];B[aa])", "(;EV[hexdame.1]SZ[9];B[aa])", "(;GM[1]EV[hex.1]SZ[9];B[aa])", "(;EV[hex.1]SZ[9];B[a1])"]
        {
            assert!(!wrote(&only(text)), "{text}");
        }
        assert!(steps(&only("(;GM[11]SZ[9];B[ab])")).contains("a2"), "the number says that it is Hex");
    }
}
