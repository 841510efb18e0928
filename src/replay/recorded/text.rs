//! Games as text: results, boards, and quotations from files in messages.

use crate::games::{Game, Outcome, Position};

/// The result of a drawn game.
const DRAW: &str = "draw";

/// Text of a file that is quoted in a message is cut after this many characters.
const LONGEST_QUOTE: usize = 60;

/// Returns the name of a result: the winner's, or `draw`.
pub fn result_name(game: Game, outcome: Outcome) -> &'static str {
    outcome.winner.map_or(DRAW, |winner| game.seat_name(winner))
}

/// Returns the board as one character a place, in their order: `.` for an empty one, else the character of the piece on
/// it, such as the first letter of its owner's name (`R` for red). The number of a piece that has one, such as the power of
/// a stack, follows its character.
pub fn position_text(position: &Position) -> String {
    (0..position.board().places().len()).map(|place| position.glyph(place)).collect()
}

/// Returns the text, cut if it is very long, with control characters written as such: a terminal would obey them.
pub(in crate::replay) fn quoted(text: &str) -> String {
    let (start, dots) = match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => (&text[..end], "…"),
        None => (text, ""),
    };
    let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    start.chars().map(shown).collect::<String>() + dots
}
