//! Games of Hex as HexWorld links: `https://hexworld.org/board/#11,c2d4:s,e5`. After the number
//! sign come the size with flags for the display of the board, a comma, the moves up to the
//! position shown, and optionally another comma with the moves after it.

use crate::recorded::{GameFault, SWAP_SIDES, quoted};
use hexzero_games::{Arrangement, Game, Seat};

use super::InterchangeGame;

/// The beginning of a link.
const BEGINNING: &str = "https://hexworld.org/board/#";

/// The SGF number of the game played on HexWorld.
pub const HEXWORLD_SGF: u32 = 11;

/// The contents of a link.
#[derive(Debug)]
pub(crate) struct HexWorldGame {
    pub size: usize,
    /// The moves, each with its player where that is stated.
    pub moves: Vec<(Option<Seat>, String)>,
    /// The number of moves up to the position shown.
    pub shown: usize,
    /// The player who resigned.
    pub loser: Option<Seat>,
    /// The number of moves so far, including passes, and whether there was a pass.
    turns: usize,
    has_pass: bool,
}

/// Returns true if a line is a HexWorld link, or the part after its number sign, rather than a game
/// in another format.
pub(super) fn is_address(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let begins = |starts: &[&[u8]]| starts.iter().any(|start| line.starts_with(start));
    begins(&[b"http", b"www.", b"hexworld.org"]) || is_bare(&String::from_utf8_lossy(line))
}

/// Returns true for the part after the number sign, such as `11r9c1,a2b3`. The moves of other games
/// may begin with numbers too.
fn is_bare(text: &str) -> bool {
    let text = text.strip_prefix('#').unwrap_or(text);
    let Some((board, moves)) = text.split_once(',') else { return false };
    board.starts_with(|c: char| c.is_ascii_digit())
        && board.chars().all(|c| c.is_ascii_digit() || matches!(c, 'x' | 'r' | 'm' | 'n' | 'c'))
        && (moves.is_empty() || moves.starts_with(|c: char| c.is_ascii_lowercase() || c == ':' || c == ','))
        && !moves.contains(char::is_whitespace)
}

/// Creates the error for a link with an unreadable part.
fn unreadable(what: &str) -> GameFault {
    let example = "one looks like https://hexworld.org/board/#11,c2d4:s";
    GameFault::Other(format!("'{}' cannot be read as a HexWorld link; {example}", quoted(what)))
}

impl HexWorldGame {
    /// Parses a link.
    ///
    /// # Errors
    /// If the text is not such a link, or its board is not square.
    pub fn read(address: &str) -> Result<Self, GameFault> {
        let address = address.trim();
        let bare = address.split_once("://").map_or(address, |(_, bare)| bare);
        let bare = bare.strip_prefix("www.").unwrap_or(bare);
        let rest =
            bare.strip_prefix("hexworld.org/board").and_then(|rest| rest.trim_start_matches('/').strip_prefix('#'));
        let bare = rest.or_else(|| is_bare(address).then(|| address.trim_start_matches('#')));
        let mut parts = bare.ok_or_else(|| unreadable(address))?.splitn(3, ',');
        let board = parts.next().unwrap_or_default();
        let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (width, signs) = board.split_at(digits(board));
        let (height, signs) = match signs.strip_prefix('x') {
            Some(rest) => rest.split_at(digits(rest)),
            None => (width, signs),
        };
        let size = width.parse().map_err(|_| unreadable(board))?;
        if width != height {
            let board = quoted(&format!("{width}×{height}"));
            let problem = "Hex is played here on boards that are as wide as high";
            return Err(GameFault::Other(format!("the board is {board}; {problem}")));
        }
        // The rotation, reflection, numbering and colours of the board are ignored.
        if !signs.chars().all(|c| c.is_ascii_digit() || matches!(c, 'r' | 'm' | 'n' | 'c')) {
            return Err(unreadable(board));
        }
        let mut game = Self { size, moves: Vec::new(), shown: 0, loser: None, turns: 0, has_pass: false };
        game.take(parts.next().unwrap_or_default())?;
        game.shown = game.moves.len();
        game.take(parts.next().unwrap_or_default())?;
        Ok(game)
    }

    /// Returns the side to move at the end, if there was a pass.
    pub fn next(&self) -> Option<Seat> {
        self.has_pass.then(|| Seat::BOTH[self.turns % 2])
    }

    /// Adds a move. After a pass, every move states its player.
    fn add(&mut self, name: &str) {
        self.moves.push((self.next(), name.to_owned()));
        self.turns += 1;
    }

    /// Parses moves written without separators.
    fn take(&mut self, text: &str) -> Result<(), GameFault> {
        let mut rest = text;
        while !rest.is_empty() {
            let wrong = || unreadable(rest);
            let length = match rest.strip_prefix(':') {
                Some(sign) if sign.starts_with(['r', 'f']) => 3,
                Some(_) => 2,
                None => {
                    let letters = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(0);
                    let digits = rest[letters..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - letters);
                    if letters == 0 || digits == 0 {
                        return Err(wrong());
                    }
                    letters + digits
                }
            };
            let one = rest.get(..length).ok_or_else(wrong)?;
            match one {
                ":s" => self.add("swap"),
                // A swap of sides is made by the second player and takes no turn: the same colour moves again.
                ":S" => self.moves.push((Some(Seat::Second), SWAP_SIDES.to_owned())),
                ":p" => {
                    self.has_pass = true;
                    self.turns += 1;
                }
                ":rb" | ":fb" => self.loser = Some(Seat::First),
                ":rw" | ":fw" => self.loser = Some(Seat::Second),
                sign if sign.starts_with(':') => return Err(unreadable(sign)),
                cell => self.add(cell),
            }
            rest = &rest[length..];
        }
        Ok(())
    }
}

/// Formats a game's main line up to `end` as a link, in HexWorld's notation.
///
/// # Errors
/// If HexWorld does not support the game.
pub(crate) fn write(game: Game, line: &InterchangeGame, loser: Option<Seat>) -> Result<String, GameFault> {
    if game.sgf != Some(HEXWORLD_SGF) {
        return Err(GameFault::Other(format!("HexWorld has no {}, only Hex", game.name())));
    }
    // If the second player moves first, the link begins with a pass.
    let first = match &line.setup {
        None => "",
        Some(setup) if *setup == (Arrangement { to_move: Seat::Second, ..Arrangement::default() }) => ":p",
        Some(_) => {
            return Err(GameFault::other("it begins with a position that was set up; write JSON lines or SGF"));
        }
    };
    let name = |name: &String| match name.as_str() {
        "swap" => ":s".to_owned(),
        cell => cell.to_owned(),
    };
    let shown = line.shown.unwrap_or(line.moves.len()).min(line.moves.len());
    let (before, after) = line.moves.split_at(shown);
    let mut address = format!("{BEGINNING}{},{first}{}", line.size, before.iter().map(name).collect::<String>());
    if !after.is_empty() {
        address.push(',');
        address.extend(after.iter().map(name));
    }
    address.push_str(match loser {
        Some(Seat::First) => ":rb",
        Some(Seat::Second) => ":rw",
        None => "",
    });
    Ok(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (usize, Vec<String>, usize, Option<Seat>) {
        let game = HexWorldGame::read(text).unwrap();
        (game.size, game.moves.into_iter().map(|(_, name)| name).collect(), game.shown, game.loser)
    }

    fn moves(names: &str) -> Vec<String> {
        names.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn addresses_are_read() {
        assert_eq!(read("https://hexworld.org/board/#15c1,e6:sf7i8g10"), (15, moves("e6 swap f7 i8 g10"), 5, None));
        assert_eq!(
            read(" http://www.hexworld.org/board#11r9mnc1,a2:S,b3:rw\n"),
            (11, moves("a2 swap-sides b3"), 2, Some(Seat::Second))
        );
        assert_eq!(read("hexworld.org/board/#11x11,:fb"), (11, moves(""), 0, Some(Seat::First)));
        assert_eq!(read("https://hexworld.org/board/#11"), (11, moves(""), 0, None));
        assert_eq!(read("11r9c1,a2b3"), (11, moves("a2 b3"), 2, None));
    }

    #[test]
    fn moves_after_a_pass_name_their_players() {
        let movers: Vec<_> =
            HexWorldGame::read("#11,a2:pb3,c4").unwrap().moves.into_iter().map(|(seat, _)| seat).collect();
        assert_eq!(movers, [None, Some(Seat::First), Some(Seat::Second)]);
    }

    #[test]
    fn addresses_without_a_host_are_recognised() {
        for text in ["11r9c1,a1b2:p", "#11,", "3x4,a1", "5,:s", "11,,a1", " https://hexworld.org/board/#5"] {
            assert!(is_address(text.as_bytes()), "{text}");
        }
        for text in ["0,0 10,5", "3,6", "a1 b2", "{\"size\":3}", "11", "(;SZ[3])", "11,a1 b2"] {
            assert!(!is_address(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn addresses_that_hold_no_game() {
        for (address, found) in [
            ("https://example.org/board/#11,a1", "https://example.org/board/#11,a1"),
            ("https://hexworld.org/board/#,a1", ""),
            ("https://hexworld.org/board/#11q,a1", "11q"),
            ("https://hexworld.org/board/#11,a1b", "b"),
            ("https://hexworld.org/board/#11,a1:x", ":x"),
            ("https://hexworld.org/board/#11,a1:r", ":r"),
            ("https://hexworld.org/board/#11,a1:ü", ":ü"),
        ] {
            let error = HexWorldGame::read(address).unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{found}' cannot be read as a HexWorld link")), "{error}");
        }
    }
}
