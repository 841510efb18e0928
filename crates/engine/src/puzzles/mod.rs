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

use hexzero_games::{Action, Game, Position};

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

/// An error in a file of puzzles.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct PuzzleFileError(String);

impl Puzzle {
    /// Plays the moves; returns the position and the action that solves it.
    ///
    /// # Errors
    /// If there is no such board, a move cannot be played, or after the moves the game is over or
    /// another player is to move.
    pub fn position(&self, game: Game) -> Result<(Position, Action), PuzzleFileError> {
        let wrong = |problem: String| PuzzleFileError(format!("puzzle {}: {problem}", self.id));
        let play = |position: &mut Position, name: &String| {
            position.play_named(name).map_err(|error| wrong(format!("move '{name}': {error}")))
        };
        let mut position = game.start(self.size).map_err(|error| wrong(error.to_string()))?;
        for name in &self.moves {
            play(&mut position, name)?;
        }
        if position.outcome().is_some() {
            return Err(wrong("the game is over after its moves".to_owned()));
        }
        let (said, mover) = (&self.to_move, game.seat_name(position.to_move()));
        if said != mover {
            return Err(wrong(format!("it says that {said} is to move, but after its moves {mover} is")));
        }
        let solution = play(&mut position.clone(), &self.solution)?;
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
        let no_file = |problem: String| {
            let advice = "'hexzero study puzzles --out FILE' writes such a file";
            PuzzleFileError(format!("not a file of puzzles: it {problem}; {advice}"))
        };
        let json = serde_json::from_str(text);
        let json: Value = json.map_err(|error| no_file(format!("is not JSON, by line {}", error.line())))?;
        let lacks = |what: &str| no_file(format!("has no {what}"));
        let version = json["version"].as_u64().ok_or_else(|| lacks("number 'version'"))?;
        if version != u64::from(FORMAT_VERSION) {
            let problem = format!("its version is {version}, but this program reads version {FORMAT_VERSION}");
            return Err(PuzzleFileError(problem));
        }
        let game = json["game"].as_str().ok_or_else(|| lacks("name of a 'game'"))?.to_owned();
        let list = json["puzzles"].as_array().ok_or_else(|| lacks("list of 'puzzles'"))?;
        if list.is_empty() {
            return Err(PuzzleFileError("there are no puzzles in it".to_owned()));
        }
        let puzzles = (1..).zip(list).map(|(number, puzzle): (u32, _)| {
            let unread = |error: serde_json::Error| {
                PuzzleFileError(format!("puzzle {number} of the file cannot be read: {error}"))
            };
            Puzzle::deserialize(puzzle).map_err(unread)
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
