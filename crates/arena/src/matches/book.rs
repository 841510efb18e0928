//! Opening books: lists of openings from which the pairs of a match begin.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use serde::Serialize;

use hexzero_games::{Action, Game, GameRng, InvalidMove, Position, SizeError};
use hexzero_models::{SHIPPED, digest, shipped_balanced};
use hexzero_replay::recorded_games;
use hexzero_system::files;

use super::openings::{Opening, openings};

/// The maximum number of openings in a file: more than the longest match has pairs.
const MAX_OPENINGS: usize = 500_000;

/// Openings of a game, by board size. On a board without any, and after they are used up, pairs begin with random
/// plies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningBook {
    game: Game,
    name: String,
    boards: BTreeMap<usize, Vec<Opening>>,
}

/// Which openings the pairs of a match begin with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpeningUse {
    /// The name of the book: [`SHIPPED`], or a file; none if the book has no opening for the board.
    pub book: Option<String>,
    /// Pairs with an opening of the book.
    pub listed: usize,
    /// Pairs with random plies.
    pub random: usize,
}

/// Openings that cannot be used: the message names the file, or the game in it, and the problem.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BookError(String);

impl OpeningBook {
    /// Returns a book without openings: all pairs begin with random plies.
    pub fn random(game: Game) -> Self {
        Self { game, name: "random".to_owned(), boards: BTreeMap::new() }
    }

    /// Returns the balanced openings that ship for a game, for its default board; none ship for games from outside.
    pub fn shipped(game: Game) -> Self {
        let book = shipped_balanced(game).and_then(|text| Self::read(game, SHIPPED, text.as_bytes()).ok());
        book.unwrap_or_else(|| Self::random(game))
    }

    /// Reads a file of games as [`OpeningBook::read`] does.
    ///
    /// # Errors
    /// If it cannot be read or holds anything else; the error names the file.
    pub fn open(game: Game, path: &Path) -> Result<Self, BookError> {
        let name = path.display().to_string();
        let file = files::open(path).map_err(|error| BookError(format!("{name}: {error}")))?;
        Self::read(game, &name, BufReader::new(file)).map_err(|error| BookError(format!("{name}: {error}")))
    }

    /// Reads a file of games, whose moves are the openings. `name` is what results call it.
    ///
    /// # Errors
    /// If it cannot be read, or has a game of other rules, from a set-up position, with moves out of turn, or that is
    /// over.
    pub fn read(game: Game, name: &str, reader: impl BufRead) -> Result<Self, BookError> {
        let mut book = Self { name: name.to_owned(), ..Self::random(game) };
        for recorded in recorded_games(reader) {
            let (entry, recorded) = recorded.map_err(|error| BookError(error.to_string()))?;
            let refused = |problem: String| BookError(format!("{entry}: {problem}"));
            let found = recorded.game().map_err(|fault| refused(fault.to_string()))?;
            if found != game {
                return Err(refused(format!("a game of {}, not of {}", found.name(), game.name())));
            }
            let (mut position, moves) = recorded.moves(game).map_err(|fault| refused(fault.to_string()))?;
            let size = position.size();
            if game.start(size).is_ok_and(|start| start.likeness() != position.likeness()) {
                return Err(refused("it begins with a set-up position; openings begin on the empty board".to_owned()));
            }
            let mut opening = Opening::new();
            for (seat, action) in moves {
                if seat != position.to_move() {
                    return Err(refused(format!("move {} is out of turn", opening.len() + 1)));
                }
                position.play(action);
                opening.push(action);
            }
            if position.outcome().is_some() {
                return Err(refused("the game is over after these moves; give its first moves only".to_owned()));
            }
            if entry.game > MAX_OPENINGS {
                return Err(refused(format!("more openings than accepted; accepted: up to {MAX_OPENINGS}")));
            }
            book.boards.entry(size).or_default().push(opening);
        }
        Ok(book)
    }

    /// Makes a book from the names of moves, by board size, as [`OpeningBook::names`] returns them.
    ///
    /// # Errors
    /// If there is no such board, or a move cannot be played.
    pub fn from_names(game: Game, name: &str, boards: &[NamedBoard]) -> Result<Self, BookError> {
        let mut book = Self { name: name.to_owned(), ..Self::random(game) };
        for (size, list) in boards {
            let start = game.start(*size).map_err(|error| BookError(error.to_string()))?;
            let opening = |moves: &Vec<String>| -> Result<Opening, InvalidMove> {
                let mut position = start.clone();
                moves.iter().map(|name| position.play_named(name)).collect()
            };
            let list: Result<Vec<Opening>, InvalidMove> = list.iter().map(opening).collect();
            let list = list.map_err(|error| BookError(format!("an opening cannot be played: {error}")))?;
            book.boards.insert(*size, list);
        }
        Ok(book)
    }

    /// Returns the names of the moves, by board size.
    pub fn names(&self) -> Vec<NamedBoard> {
        let board = |(&size, list): (&usize, &Vec<Opening>)| {
            let start = self.game.start(size).ok()?;
            Some((size, list.iter().map(|opening| named(&start, opening)).collect()))
        };
        self.boards.iter().filter_map(board).collect()
    }

    /// Returns the game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the sizes of the boards with openings.
    pub fn sizes(&self) -> impl Iterator<Item = usize> {
        self.boards.keys().copied()
    }

    /// Returns the openings for a board.
    pub fn on(&self, size: usize) -> &[Opening] {
        self.boards.get(&size).map_or(&[], Vec::as_slice)
    }

    /// Returns a checksum of the openings for a board; none without any.
    pub fn digest(&self, size: usize) -> Option<String> {
        let bytes = |opening: &Opening| -> Vec<u8> {
            let moves = opening.iter().flat_map(|action| action.0.to_le_bytes());
            (opening.len() as u32).to_le_bytes().into_iter().chain(moves).collect()
        };
        let list = self.boards.get(&size)?;
        Some(digest(&list.iter().flat_map(bytes).collect::<Vec<u8>>()))
    }

    /// Returns the openings of the first `count` pairs: those of the book in an order that depends on the seed, then
    /// random plies.
    ///
    /// # Errors
    /// If the game is not played on boards of this size.
    pub fn openings(&self, size: usize, count: usize, seed: u64) -> Result<Vec<Opening>, SizeError> {
        let mut list = self.on(size).to_vec();
        list.shuffle(&mut GameRng::seed_from_u64(seed));
        list.truncate(count);
        list.extend(openings(self.game, size, count - list.len(), seed)?);
        Ok(list)
    }

    /// Returns which openings `pairs` pairs begin with.
    pub fn usage(&self, size: usize, pairs: usize) -> OpeningUse {
        let listed = self.on(size).len().min(pairs);
        let book = (listed > 0).then(|| self.name.clone());
        OpeningUse { book, listed, random: pairs - listed }
    }
}

/// The openings for a board of this size, as names of moves.
pub type NamedBoard = (usize, Vec<Vec<String>>);

fn named(start: &Position, opening: &[Action]) -> Vec<String> {
    opening.iter().map(|&action| start.action_name(action)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::{all_games, game_named};
    use std::collections::HashSet;

    fn cachex() -> Game {
        game_named("cachex").unwrap()
    }

    fn read(text: &str) -> Result<OpeningBook, String> {
        OpeningBook::read(cachex(), "openings", text.as_bytes()).map_err(|error| error.to_string())
    }

    /// Every opening that ships: legal (or it would not be read), in even numbers of plies, not decided at once, with
    /// the swap behind it, and no two the same by a symmetry.
    #[test]
    fn shipped_openings_keep_the_rules() {
        for game in all_games() {
            let Some(text) = shipped_balanced(game) else { continue };
            let book = OpeningBook::read(game, SHIPPED, text.as_bytes()).unwrap_or_else(|e| panic!("{game:?}: {e}"));
            assert_eq!(book.sizes().collect::<Vec<_>>(), [game.boards.default], "{game:?}");
            let list = book.on(game.boards.default);
            assert_eq!(list.len(), text.lines().count());
            let start = game.start(game.boards.default).unwrap();
            let mut seen = HashSet::new();
            for opening in list {
                let mut position = start.clone();
                opening.iter().for_each(|&action| position.play(action));
                let name = named(&start, opening).join(" ");
                assert!((2..=12).contains(&opening.len()) && opening.len().is_multiple_of(2), "{game:?}: {name}");
                assert!(position.outcome().is_none() && position.winning_action().is_none(), "{game:?}: {name}");
                assert!(
                    position.game_board().swap().is_none_or(|swap| position.check(swap).is_err()),
                    "{game:?}: {name}"
                );
                assert!(seen.insert(position.likeness()), "{game:?}: {name} is there twice");
            }
            assert!(list.iter().map(Vec::len).collect::<HashSet<_>>().len() > 1, "{game:?}: lengths");
        }
    }

    #[test]
    fn pairs_begin_with_the_book_and_then_with_random_plies() {
        let text = r#"{"game":"cachex","size":5,"moves":["a1","b2"]}
            {"game":"cachex","size":5,"moves":["a2","swap","c4","d4"],"value":0.5}
            {"game":"cachex","size":7,"moves":["a1"]}"#;
        let book = read(text).unwrap();
        let list = book.openings(5, 6, 3).unwrap();
        let first: HashSet<&Opening> = list[..2].iter().collect();
        assert_eq!(first, book.on(5).iter().collect());
        assert_eq!(list[2..], openings(cachex(), 5, 4, 3).unwrap());
        assert_eq!(book.openings(5, 1, 3).unwrap(), list[..1], "a longer match begins with the same openings");
        assert_eq!(book.usage(5, 6), OpeningUse { book: Some("openings".to_owned()), listed: 2, random: 4 });
        assert_eq!(book.usage(6, 6).random, 6);
        let orders: HashSet<Vec<Opening>> = (0..20).map(|seed| book.openings(5, 2, seed).unwrap()).collect();
        assert_eq!(orders.len(), 2);
        assert_ne!(book.digest(5), book.digest(7));
        assert_eq!(book.digest(6), None);
        let sent = OpeningBook::from_names(cachex(), "openings", &book.names()).unwrap();
        assert_eq!(sent, book);
    }

    #[test]
    fn sgf_is_read_too() {
        let hex = game_named("hex").unwrap();
        let book =
            OpeningBook::read(hex, "file", b"(;GM[11]SZ[5];B[a1];W[c3])(;GM[11]SZ[5];B[b1])".as_slice()).unwrap();
        assert_eq!(book.on(5).iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn games_that_are_no_openings_are_refused() {
        let problem =
            |line: &str| read(&format!("{{\"game\":\"cachex\",\"size\":3,\"moves\":[]}}\n{line}")).unwrap_err();
        for (line, expected) in [
            (r#"{"game":"hex","size":3,"moves":["a1"]}"#, "game 2 (line 2): a game of hex, not of cachex"),
            (r#"{"game":"cachex","size":3,"moves":["a1","a1"]}"#, "game 2 (line 2): move 2 'a1'"),
            (r#"{"game":"cachex","size":3,"moves":["a1","b1","a2","b2","a3"]}"#, "the game is over"),
            (r#"{"game":"cachex","size":3,"setup":{"first":["a1"],"second":[]},"moves":[]}"#, "a set-up position"),
            (r#"{"game":"cachex","size":99,"moves":[]}"#, "99"),
            ("nonsense", "'nonsense' is no game"),
        ] {
            assert!(problem(line).contains(expected), "{line}: {}", problem(line));
        }
    }

    #[test]
    fn books_of_other_machines_are_checked() {
        let book = |size, moves: &str| {
            OpeningBook::from_names(cachex(), "sent", &[(size, vec![moves.split(' ').map(str::to_owned).collect()])])
        };
        assert!(book(5, "a1 b2").is_ok());
        assert!(book(5, "a1 a1").is_err());
        assert!(book(99, "a1").is_err());
    }
}
