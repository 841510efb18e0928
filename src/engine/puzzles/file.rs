//! Puzzles as JSON: docs/formats/puzzles.md describes the file.

use serde::{Deserialize, Serialize};

use crate::games::{Action, Game, InvalidMove, Position, SizeError};

/// The number of the form of the file.
const FORMAT_VERSION: u32 = 1;

/// A position in which exactly one move wins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Puzzle {
    /// Its name, such as `hex-11-0001`; unique in its file.
    pub id: String,
    /// The board's size.
    pub size: usize,
    /// The moves that lead to the position from the empty board.
    pub moves: Vec<String>,
    /// The name of the player to move.
    pub to_move: String,
    /// The move that wins.
    pub solution: String,
    /// The moves that the engine expects after it; may be empty.
    pub reply: Vec<String>,
    /// How hard it is, from 1 to 5.
    pub grade: u8,
    /// Whether the search has proven that this move wins and that no other does.
    pub proved: bool,
}

/// The puzzles of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The file is not JSON of this form.
    #[error("not a file of puzzles: {0}")]
    Form(#[from] serde_json::Error),
    /// The file has another version.
    #[error("its version is {found}, but this program reads version {FORMAT_VERSION}")]
    Version {
        /// The version.
        found: u32,
    },
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
    /// If there is no such board, or a move cannot be played.
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
    /// If it is none, or of another version.
    pub fn parse(text: &str) -> Result<Self, PuzzleFileError> {
        let file: Self = serde_json::from_str(text)?;
        if file.version != FORMAT_VERSION {
            return Err(PuzzleFileError::Version { found: file.version });
        }
        Ok(file)
    }

    /// Formats the file, a puzzle on a line.
    pub fn to_text(&self) -> String {
        let line = |puzzle| serde_json::to_string(puzzle).expect("texts and numbers are JSON");
        let lines: Vec<String> = self.puzzles.iter().map(line).collect();
        let game = serde_json::to_string(&self.game).expect("a text is JSON");
        format!("{{\"version\":{FORMAT_VERSION},\"game\":{game},\"puzzles\":[\n{}\n]}}\n", lines.join(",\n"))
    }
}
