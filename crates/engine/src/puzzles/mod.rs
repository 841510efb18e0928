//! Puzzles: positions of the engine's own games in which one move is clearly better than all others.
//!
//! | file | subject |
//! |---|---|
//! | `file` | [`PuzzleFile`]: puzzles as JSON |
//! | `judge` | [`Goal`]: what the solution does, and by how much; what the best move of a position is worth, and the best of the others; [`Verdict`] on a puzzle |
//! | `making` | games of self-play, and the puzzles found in them |

mod file;
mod judge;
mod making;

pub use file::{Puzzle, PuzzleFile, PuzzleFileError};
pub use judge::{Goal, Verdict, check};
pub use making::{CONFIRMED_BY, DEFAULT_VISITS, Found, PuzzleOptions, make};
