//! Puzzles: positions of the engine's own games in which exactly one move wins.
//!
//! | file | subject |
//! |---|---|
//! | `file` | [`PuzzleFile`]: puzzles as JSON |
//! | `judge` | which moves of a position win |
//! | `making` | games of self-play, and the puzzles found in them |
//! | `checking` | [`Verdict`] on a puzzle of a file |

mod checking;
mod file;
mod judge;
mod making;

pub use checking::{Verdict, check};
pub use file::{Puzzle, PuzzleFile, PuzzleFileError};
pub use making::{CONFIRMED_BY, DEFAULT_VISITS, Found, PuzzleOptions, make};
