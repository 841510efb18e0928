//! Puzzles: positions of the engine's own games in which one move is clearly better than all others.
//!
//! | file | subject |
//! |---|---|
//! | `file` | [`PuzzleFile`]: puzzles as JSON |
//! | `goal` | [`Goal`]: what the solution does, and by how much |
//! | `judge` | what the best move of a position is worth, and the best of the others |
//! | `making` | games of self-play, and the puzzles found in them |
//! | `checking` | [`Verdict`] on a puzzle of a file |

mod checking;
mod file;
mod goal;
mod judge;
mod making;

pub use checking::{Verdict, check};
pub use file::{Puzzle, PuzzleFile, PuzzleFileError};
pub use goal::Goal;
pub use making::{CONFIRMED_BY, DEFAULT_VISITS, Found, PuzzleOptions, make};
