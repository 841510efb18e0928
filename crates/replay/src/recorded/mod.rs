//! Recorded games independent of the file format: the tree of moves, replayed by the rules; games as text for messages.

mod faults;
mod move_tree;
mod recorded_game;
mod replaying;
mod settled;
mod tree_walk;
mod warnings;
mod writing;

use hexzero_games::{Game, Outcome, Position};

pub use faults::{Entry, GameFault, InterchangeError, NotResigned};
pub use move_tree::{Marks, MoveNode, MoveTree};
pub use recorded_game::{Labels, RecordedGame};
pub use replaying::{ReplayOptions, ReplaySummary};
pub use warnings::GameWarning;
pub use writing::GameForm;
pub(crate) use {recorded_game::Comments, tree_walk::SWAP_SIDES};

/// The result of a drawn game.
const DRAW: &str = "draw";

/// Maximum length in characters of text quoted from a file in a message.
const MAX_QUOTE_LENGTH: usize = 60;

/// Returns the name of a result: the winner's, or `draw`.
pub fn result_name(game: Game, outcome: Outcome) -> &'static str {
    outcome.winner.map_or(DRAW, |winner| game.seat_name(winner))
}

/// Returns the board as one character for each place, in their order: `.` for an empty one,
/// otherwise the character of its piece, such as the first letter of its owner's name (`R` for
/// red). If the piece has a number, such as the power of a stack, the number follows.
pub fn position_text(position: &Position) -> String {
    (0..position.board().places().len()).map(|place| position.glyph(place)).collect()
}

/// Returns the text, cut if it is very long, with control characters escaped so that a terminal
/// does not obey them.
pub(crate) fn quoted(text: &str) -> String {
    let (start, dots) = match text.char_indices().nth(MAX_QUOTE_LENGTH) {
        Some((end, _)) => (&text[..end], "…"),
        None => (text, ""),
    };
    let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    start.chars().map(shown).collect::<String>() + dots
}
