//! Games in the Smart Game Format (SGF, FF\[4\]) with variations and comments: the game by number
//! as `GM[11]` or by hexzero's name as `HZ[cachex]`, moves as `B[f3]` and `W[swap-pieces]`, set-up
//! stones as `AB[a1][b2]`.

use crate::recorded::{Labels, MoveTree, SWAP_SIDES, quoted};
use hexzero_games::{Arrangement, Game, Seat, all_games};

use super::little_golem;

/// The contents of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SgfGame {
    /// The number of the game (`GM`), if stated: see [`hexzero_games::GameInfo::sgf`].
    pub(crate) game: Option<u32>,
    /// Hexzero's name of the game (`HZ`), if stated.
    pub(crate) name: Option<String>,
    /// The board's size, or 0 if the file does not state it.
    pub(crate) size: usize,
    /// The set-up stones and the moves, in order, with variations and comments.
    pub(crate) tree: MoveTree,
    /// The number of stones set up before the first move, and the side to move then (`PL`), if
    /// stated.
    pub(crate) set_up: usize,
    to_move: Option<Seat>,
    /// The side to move at the end of the main line, if a pass or `PL` after the last move states it.
    pub(crate) next: Option<Seat>,
    /// The colour of the first node with a move, including resignations and passes.
    pub(super) first_colour: Option<Seat>,
    /// The position in which the game ended (`HE`, or a resignation before the last move), if it is
    /// not the last of the main line.
    pub(crate) end: Option<usize>,
    /// The winner, if the file states one (`RE`).
    pub(crate) winner: Option<Seat>,
    /// True if the file states how the winner won.
    pub(crate) has_reason: bool,
    /// True if the winner won on time.
    pub(crate) on_time: bool,
    /// The player of a move that resigns.
    pub(crate) resigned: Option<Seat>,
    /// The players and the date.
    pub(crate) labels: Labels,
    /// The irregularities found.
    pub(crate) warnings: Vec<String>,
    /// True if the program that wrote the game says `swap-pieces` where it means `swap-sides`.
    misnames_swap: bool,
    /// The event and the source, by which games of Little Golem are recognised.
    pub(super) event: String,
    pub(super) source: String,
}

/// Reads the value of `PL`.
fn side_to_move(value: &str) -> Option<Seat> {
    match value.chars().next() {
        Some('B' | 'b' | '1') => Some(Seat::First),
        Some('W' | 'w' | '2') => Some(Seat::Second),
        _ => None,
    }
}

/// Passes in games that have no word of their own for them.
const PASSES: [&str; 2] = ["", "pass"];

/// Moves that resign.
const RESIGNATIONS: [&str; 2] = ["resign", "forfeit"];

const SWAP_PIECES: &str = "swap-pieces";

/// Returns whether a word is a move that names no cell, in a game that has an SGF number.
fn is_word_of_move(word: &str) -> bool {
    let is_known = |game: Game| game.sgf.is_some() && game.actions.iter().any(|action| action.foreign == word);
    all_games().into_iter().any(is_known)
}

impl SgfGame {
    /// Completes a game after all its properties have been read.
    pub(super) fn finished(mut self) -> Self {
        if self.misnames_swap {
            let misnamed = self.tree.nodes_mut().iter_mut().filter(|node| node.name == SWAP_PIECES);
            misnamed.for_each(|node| node.name = SWAP_SIDES.to_owned());
        }
        if little_golem::wrote(&self) {
            little_golem::translate(&mut self);
        }
        if self.labels.name.is_empty() {
            self.labels.name = std::mem::take(&mut self.event);
        }
        self
    }

    /// Returns true if this is a game with those rules, or a variant with the same number.
    pub fn is_of(&self, game: Game) -> bool {
        self.name.as_deref() == Some(game.name()) || (game.sgf.is_some() && self.game == game.sgf)
    }

    /// Reads a property of a node, where the moves so far have led to `at`. Moves of a variation
    /// are not checked here; replaying reports those that cannot be played. An error says what is wrong with the value.
    pub(super) fn read(
        &mut self,
        name: &str,
        values: Vec<String>,
        at: &mut usize,
        main_line: bool,
    ) -> Result<(), String> {
        let value = || quoted(&values[0]);
        let seat = match name {
            "B" | "AB" => Seat::First,
            "W" | "AW" => Seat::Second,
            "AE" if main_line => {
                let problem = "takes stones off the board in the middle of a game, which cannot be played";
                return Err(format!("AE[{}] {problem}", value()));
            }
            "AE" => {
                *at = self.tree.add(*at, None, format!("AE[{}]", value()));
                return Ok(());
            }
            _ if main_line => return self.read_of_game(name, values),
            _ => return Ok(()),
        };
        let is_move = name.len() == 1;
        if is_move && main_line {
            self.first_colour = self.first_colour.or(Some(seat));
            self.next = None;
            let odd = "the moves after the resignation were kept as a variation";
            if self.resigned.is_some() && self.warnings.iter().all(|known| known != odd) {
                self.warnings.push(odd.to_owned());
            }
        }
        for mut text in values {
            // Words are case-insensitive, except in hexzero's own notation.
            if self.name.is_none() || RESIGNATIONS.iter().any(|word| text.eq_ignore_ascii_case(word)) {
                text.make_ascii_lowercase();
            }
            match text.as_str() {
                // These moves end the game, but not on the board.
                word if is_move && RESIGNATIONS.contains(&word) => {
                    if main_line && self.resigned.is_none() {
                        self.resigned = Some(seat);
                        self.end = self.end.or(Some(*at));
                    }
                }
                // The next move states its player, unless there is none.
                other if PASSES.contains(&other) && self.name.is_none() && !is_word_of_move(other) => {
                    if main_line {
                        self.next = Some(seat.opponent());
                    }
                }
                _ => {
                    // Up to here positions have been added one after another.
                    let is_first = main_line && *at == self.set_up && self.tree.len() == self.set_up + 1;
                    self.set_up += usize::from(!is_move && is_first);
                    *at = self.tree.add(*at, Some(seat), text);
                }
            }
        }
        Ok(())
    }

    /// Removes the stones set up before the first move from the tree, if the file states the side
    /// to move then, and returns them as the starting position. Otherwise the stones are placed one
    /// after another. The empty board is such a starting position if White moves first.
    pub(crate) fn take_setup(&mut self) -> Option<Arrangement> {
        // The moves before a variation belong to the variation too.
        let has_variations = (MoveTree::START..self.set_up).any(|number| self.tree.node(number).next.len() > 1);
        let to_move = match self.set_up {
            0 => self.tree.begins_with().or(self.to_move).filter(|&seat| seat == Seat::Second),
            _ => self.to_move,
        };
        let to_move = to_move.filter(|_| !has_variations)?;
        let mut setup = Arrangement { to_move, ..Arrangement::default() };
        let last = std::mem::take(&mut self.set_up);
        for number in 1..=last {
            let node = self.tree.node(number);
            setup.add(node.mover.unwrap_or(Seat::Second), &node.name);
        }
        let path: Vec<usize> = (1..=last).collect();
        self.tree.begin_after(&path);
        self.end = self.end.map(|end| if end <= last { MoveTree::START } else { end });
        Some(setup)
    }

    /// Reads a property of the game as a whole.
    fn read_of_game(&mut self, name: &str, mut values: Vec<String>) -> Result<(), String> {
        let value = || quoted(&values[0]);
        match name {
            // HexGui up to version 0.9.
            "AP" => {
                let minor = values[0].strip_prefix("HexGui:0.").unwrap_or_default().as_bytes();
                self.misnames_swap =
                    minor.first().is_some_and(u8::is_ascii_digit) && !minor.get(1).is_some_and(u8::is_ascii_digit);
            }
            "GM" => {
                let wrong = |_| format!("GM[{}] does not say which game it is; it is GM[11] for Hex", value());
                self.game = Some(values[0].parse().map_err(wrong)?);
            }
            "HZ" => self.name = Some(values.swap_remove(0)),
            "SZ" => {
                let (width, height) = values[0].split_once(':').unwrap_or((&values[0], &values[0]));
                let size = width.parse().ok().filter(|&size: &usize| size > 0 && width == height);
                let wrong = || format!("the board's size is '{}'; SGF has SZ[11] for a board of 11×11", value());
                self.size = size.ok_or_else(wrong)?;
            }
            "RE" => {
                let how = values[0].split_once('+').map(|(_, how)| how.to_ascii_lowercase()).unwrap_or_default();
                self.has_reason = !how.is_empty();
                self.on_time = how == "t" || how == "time";
                self.winner = match values[0].chars().next() {
                    Some('B' | 'b') => Some(Seat::First),
                    Some('W' | 'w') => Some(Seat::Second),
                    _ => None,
                }
            }
            // Elsewhere `PL` states the side to move in a later position.
            "PL" if self.tree.len() == self.set_up + 1 => {
                self.to_move = side_to_move(&values[0]);
            }
            "PL" => self.next = side_to_move(&values[0]),
            "PB" => self.labels.players[0] = values.swap_remove(0),
            "PW" => self.labels.players[1] = values.swap_remove(0),
            "GN" => self.labels.name = values.swap_remove(0),
            "DT" => self.labels.date = values.swap_remove(0),
            "EV" => self.event = values.swap_remove(0),
            "SO" => self.source = values.swap_remove(0),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::sgf_reader::{MAX_PARTS, SgfError, SgfGames};
    use super::*;

    fn read_all(text: &str) -> Result<Vec<SgfGame>, SgfError> {
        SgfGames::new(text.as_bytes().to_vec()).collect()
    }

    pub fn only(text: &str) -> SgfGame {
        let mut games = read_all(text).unwrap();
        assert_eq!(games.len(), 1);
        games.remove(0)
    }

    pub fn steps(game: &SgfGame) -> String {
        let letter = |player: Seat| ["B", "W"][player.index()];
        let node = |number| game.tree.node(number);
        game.tree.main_line().map(|at| format!("{}{} ", letter(node(at).mover.unwrap()), node(at).name)).collect()
    }

    #[test]
    fn hexgui_game_is_read() {
        let game = only(
            "(;FF[4]AP[HexGui:0.9]GM[11]SZ[11:11]C[a \\] and a \\\\]\n;B[f3];W[swap-pieces]BL[3.5]\n;B[d4];W[resign]RE[B+Resign])\n",
        );
        assert_eq!((game.game, game.size, game.winner), (Some(11), 11, Some(Seat::First)));
        assert_eq!(game.resigned, Some(Seat::Second));
        assert_eq!(steps(&game), "Bf3 Wswap-sides Bd4 ");
        for (client, word) in [
            ("HexGui:0.9.GIT", "swap-sides"),
            ("HexGui:0.8", "swap-sides"),
            ("HexGui:0.10.GIT", "swap-pieces"),
            ("HexGui:1.9", "swap-pieces"),
            ("PlayHex:0.9", "swap-pieces"),
        ] {
            let game = only(&format!("(;GM[11]AP[{client}]SZ[5];B[a2];W[swap-pieces])"));
            assert_eq!(steps(&game), format!("Ba2 W{word} "), "{client}");
        }
    }

    #[test]
    fn setup_stones_and_main_line_are_read() {
        let game = only("(;GM[11]SZ[5]AB[a1] [b2]AW[c3](;B[d4](;W[e5])(;W[e1]))(;B[a5];W[b5]))");
        assert_eq!(steps(&game), "Ba1 Bb2 Wc3 Bd4 We5 ");
        let two = read_all("\u{feff} (;SZ[3];B[a1]) (;SZ[4];W[b2])").unwrap();
        assert_eq!(two.iter().map(|game| game.size).collect::<Vec<_>>(), [3, 4]);
        assert_eq!(read_all(" \n"), Ok(Vec::new()));
    }

    #[test]
    fn setup_stones_with_a_mover_are_a_position() {
        let mut game = only("(;GM[11]SZ[5]AB[a1][b2]AW[c3]PL[W]C[so](;W[d4]AB[e5])(;W[e1]))");
        let setup = game.take_setup().unwrap();
        assert_eq!((setup.first, setup.second), (vec!["a1".to_owned(), "b2".to_owned()], vec!["c3".to_owned()]));
        assert_eq!((setup.to_move, steps(&game).as_str()), (Seat::Second, "Wd4 Be5 "));
        assert_eq!((game.tree.node(0).comment.as_str(), game.tree.node(0).next.len()), ("so", 2));
        assert_eq!(only("(;SZ[5]AB[a1];W[b1])").take_setup(), None);
        // White may begin on the empty board.
        let begins = Arrangement { to_move: Seat::Second, ..Arrangement::default() };
        assert_eq!(only("(;SZ[5]PL[W];W[b1]AB[a1])").take_setup(), Some(begins));
        // Neither the moves of a main line whose variation sets up stones, nor a position with
        // several continuations.
        for text in ["(;SZ[5]PL[B](;B[a1];W[b2])(;AB[c3]))", "(;SZ[5]PL[B](;AB[a1]AW[b1];B[c1])(;B[d4];W[d5]))"] {
            assert_eq!(only(text).take_setup(), None, "{text}");
        }
        // The side to move in a later position says nothing about the first.
        assert_eq!(only("(;SZ[5]AB[a1]AW[b2];B[c3];W[d4]PL[W])").take_setup(), None);
    }

    #[test]
    fn resigning_player_is_read() {
        let ends = |text: &str| {
            let game = only(text);
            (game.winner, game.resigned)
        };
        let (black, white) = (Some(Seat::First), Some(Seat::Second));
        assert_eq!(ends("(;SZ[3];B[a1];W[Resign])"), (None, white));
        assert_eq!(ends("(;SZ[3];B[a1];W[b1];B[RESIGN])"), (None, black));
        assert_eq!(ends("(;SZ[3]RE[W+R];B[a1])"), (white, None));
        assert_eq!(ends("(;SZ[3]RE[B+Resign];B[a1])"), (black, None));
        assert_eq!(ends("(;SZ[3]RE[b+];B[a1])"), (black, None));
        assert_eq!(ends("(;SZ[3]RE[B+Forfeit];B[a1];W[forfeit])"), (black, white));
    }

    #[test]
    fn malformed_games_are_refused() {
        for (text, message) in [
            ("x", "game 1, character 1: 'x' does not belong there; SGF has '(;' there"),
            ("(;SZ[3])(", "game 2, character 10: it ends in the middle of a game"),
            ("()", "game 1, character 3: it ends in the middle of a game"),
            ("(;SZ[3]GM[hex])", "game 1, character 8: GM[hex] does not say which game it is"),
            ("(;SZ[3];ß[a1])", "game 1, character 9: '\\u{df}' does not belong there; SGF has a property such as B"),
        ] {
            let error = read_all(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let deep = "(".repeat(1_000_000);
        assert!(read_all(&deep).is_err());
        let good = "(;SZ[3];B[a1])";
        let found: Vec<_> = SgfGame::read_from(format!("{good}{good}x{good}").as_bytes()).unwrap().collect();
        assert!(
            found.iter().map(|game| game.as_ref().map_or(9, |game| game.warnings.len())).eq([0, 0, 1]),
            "the text between is skipped: {found:?}"
        );
        for (parts, fits) in [(MAX_PARTS, true), (MAX_PARTS + 1, false)] {
            // The game, its size, and the moves.
            let large = format!("(;SZ[3]{})", ";B[a1]".repeat(parts - 2));
            assert_eq!(read_all(&large).is_ok(), fits);
            let marks = format!("(;SZ[3]LB{})", "[a1:x]".repeat(parts - 2));
            assert_eq!(read_all(&marks).is_ok(), fits);
        }
        let long = format!("(;SZ[{}])", "9".repeat(1_000_000));
        assert!(read_all(&long).unwrap_err().to_string().len() < 300);
    }

    #[test]
    fn variations_and_comments_keep_their_places() {
        let game =
            only("(;GM[11]SZ[5]C[none];C[one \\] two]B[a1](;W[b2]C[ main])(;C[x];W[b3];B[c4]C[y])(;W[AE];AE[a1]))");
        let said = |at: usize| (game.tree.node(at).name.as_str(), game.tree.node(at).comment.as_str());
        assert_eq!(said(0), ("", "none"));
        assert_eq!(said(1), ("a1", "one ] two\nx"));
        assert_eq!(game.tree.node(1).next, [2, 3, 5]);
        assert_eq!([2, 3, 4, 6].map(said), [("b2", " main"), ("b3", ""), ("c4", "y"), ("AE[a1]", "")]);
    }

    #[test]
    fn players_and_date_are_read() {
        let game = only(
            "(;GM[11]HZ[hex-noswap]SZ[3]PB[Ann ]PW[B\\]b]GN[Final]DT[2026-01-02]RE[W+Time];B[a1]HE[](;W[b1])(;W[b2]HE[]))",
        );
        assert_eq!(game.labels.players, ["Ann", "B]b"]);
        assert_eq!((game.labels.name.as_str(), game.labels.date.as_str()), ("Final", "2026-01-02"));
        assert_eq!((game.name.as_deref(), game.winner), (Some("hex-noswap"), Some(Seat::Second)));
        assert_eq!((game.has_reason, game.on_time, game.end), (true, true, Some(1)));
    }
}
