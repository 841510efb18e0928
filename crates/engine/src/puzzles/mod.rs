//! Puzzles: positions of the engine's own games in which one move is clearly better than all others.
//!
//! | file | subject |
//! |---|---|
//! | here | [`PuzzleFile`]: puzzles as JSON, which docs/formats/puzzles.md describes |
//! | `judge` | [`Goal`]: what the solution achieves; the value of the best move and of the best other; [`Verdict`] on a puzzle |
//! | `making` | games of self-play, and the puzzles found in them |

mod judge;
mod making;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use hexzero_games::{Action, Game, InvalidMove, Position, SizeError};

pub use judge::{Goal, Verdict, check};
pub use making::{CONFIRMED_BY, DEFAULT_VISITS, Found, PuzzleOptions, make};

/// The format version of the file.
const FORMAT_VERSION: u32 = 1;

/// A position in which one move is clearly better than all others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Puzzle {
    /// The puzzle's name, such as `hex-11-0001`; unique in its file.
    pub id: String,
    /// The board's size.
    pub size: usize,
    /// The moves that lead to the position from the empty board.
    pub moves: Vec<String>,
    /// The name of the player to move.
    pub to_move: String,
    /// What the solution achieves; omitted from the file for a win.
    #[serde(default, skip_serializing_if = "is_win")]
    pub goal: Goal,
    /// The move to find.
    pub solution: String,
    /// The moves that the engine expects after the solution; may be empty.
    pub reply: Vec<String>,
    /// The difficulty, from 1 to 5.
    pub grade: u8,
    /// Whether the search has proven that the solution wins and that no other move does.
    pub proved: bool,
}

fn is_win(goal: &Goal) -> bool {
    *goal == Goal::Win
}

/// The puzzles of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PuzzleFile {
    version: u32,
    /// The game's name.
    pub game: String,
    /// The puzzles, the easiest first.
    pub puzzles: Vec<Puzzle>,
}

/// Error reading a file of puzzles.
#[derive(Debug, thiserror::Error)]
pub enum PuzzleFileError {
    /// The file is not JSON; this is the line of the error.
    #[error(
        "not a file of puzzles: it is not JSON, by line {0}; 'hexzero study puzzles --out FILE' writes such a file"
    )]
    NotJson(usize),
    /// The file is JSON, but lacks this.
    #[error("not a file of puzzles: it has no {0}; 'hexzero study puzzles --out FILE' writes such a file")]
    Form(&'static str),
    /// There are no puzzles in the file.
    #[error("there are no puzzles in it")]
    Empty,
    /// A puzzle lacks something, or has something of a wrong kind.
    #[error("puzzle {number} of the file cannot be read: {problem}")]
    Puzzle {
        /// The puzzle's number in the file, from 1.
        number: usize,
        /// The reason.
        problem: String,
    },
    /// A puzzle says that the other player is to move.
    #[error("puzzle {id}: it says that {said} is to move, but after its moves {mover} is")]
    Mover {
        /// The puzzle.
        id: String,
        /// The player that the puzzle names.
        said: String,
        /// The player to move.
        mover: &'static str,
    },
    /// The game of this puzzle is over before its solution.
    #[error("puzzle {0}: the game is over after its moves")]
    Over(String),
    /// The file has this other version.
    #[error("its version is {0}, but this program reads version {FORMAT_VERSION}")]
    Version(u64),
    /// A puzzle is on a board that the game does not have.
    #[error("puzzle {id}: {source}")]
    Size {
        /// The puzzle.
        id: String,
        /// The reason.
        source: SizeError,
    },
    /// A move of a puzzle cannot be played.
    #[error("puzzle {id}: move '{name}': {source}")]
    Move {
        /// The puzzle.
        id: String,
        /// The move.
        name: String,
        /// The reason.
        source: InvalidMove,
    },
}

impl Puzzle {
    /// Plays the moves; returns the position and the action that solves it.
    ///
    /// # Errors
    /// If there is no such board, a move cannot be played, or after the moves the game is over or
    /// another player is to move.
    pub fn position(&self, game: Game) -> Result<(Position, Action), PuzzleFileError> {
        let size = |source| PuzzleFileError::Size { id: self.id.clone(), source };
        let wrong = |name: &str| {
            let (id, name) = (self.id.clone(), name.to_owned());
            |source| PuzzleFileError::Move { id, name, source }
        };
        let mut position = game.start(self.size).map_err(size)?;
        for name in &self.moves {
            position.play_named(name).map_err(wrong(name))?;
        }
        if position.outcome().is_some() {
            return Err(PuzzleFileError::Over(self.id.clone()));
        }
        let mover = game.seat_name(position.to_move());
        if self.to_move != mover {
            return Err(PuzzleFileError::Mover { id: self.id.clone(), said: self.to_move.clone(), mover });
        }
        let solution = position.clone().play_named(&self.solution).map_err(wrong(&self.solution))?;
        Ok((position, solution))
    }
}

impl PuzzleFile {
    /// Puts puzzles together, the easiest first, and names them by board and number.
    pub fn new(game: Game, mut puzzles: Vec<Puzzle>) -> Self {
        puzzles.sort_by_key(|puzzle| (puzzle.grade, puzzle.size));
        for (number, puzzle) in (1..).zip(&mut puzzles) {
            puzzle.id = format!("{}-{}-{number:04}", game.name(), puzzle.size);
        }
        Self { version: FORMAT_VERSION, game: game.name().to_owned(), puzzles }
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// If the text is no such file, or is of another version.
    pub fn parse(text: &str) -> Result<Self, PuzzleFileError> {
        let json: Value = serde_json::from_str(text).map_err(|error| PuzzleFileError::NotJson(error.line()))?;
        let lacks = PuzzleFileError::Form;
        let version = json["version"].as_u64().ok_or(lacks("number 'version'"))?;
        if version != u64::from(FORMAT_VERSION) {
            return Err(PuzzleFileError::Version(version));
        }
        let game = json["game"].as_str().ok_or(lacks("name of a 'game'"))?.to_owned();
        let list = json["puzzles"].as_array().ok_or(lacks("list of 'puzzles'"))?;
        if list.is_empty() {
            return Err(PuzzleFileError::Empty);
        }
        let puzzles = (1..).zip(list).map(|(number, puzzle)| {
            let problem = |error: serde_json::Error| PuzzleFileError::Puzzle { number, problem: error.to_string() };
            Puzzle::deserialize(puzzle).map_err(problem)
        });
        Ok(Self { version: FORMAT_VERSION, game, puzzles: puzzles.collect::<Result<_, _>>()? })
    }

    /// Formats the file, one puzzle per line.
    pub fn to_text(&self) -> String {
        let line = |puzzle| serde_json::to_string(puzzle).expect("texts and numbers are JSON");
        let lines: Vec<String> = self.puzzles.iter().map(line).collect();
        let game = serde_json::to_string(&self.game).expect("a text is JSON");
        format!("{{\"version\":{FORMAT_VERSION},\"game\":{game},\"puzzles\":[\n{}\n]}}\n", lines.join(",\n"))
    }
}
