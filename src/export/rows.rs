//! The rows and columns of a board. An exported network finds the neighbours of a cell by them, so it needs a rhombus.

use crate::board::Shape;
use crate::games::{Game, Position};

use super::error::ExportError;

/// Returns the number of rows of a position's board, which is also that of its columns.
///
/// # Errors
/// If the board is no rhombus.
pub(super) fn rows(position: &Position) -> Result<usize, ExportError> {
    match position.board().shape() {
        Some(Shape::Rhombus { side }) => Ok(*side),
        _ => Err(ExportError::OtherShape { game: position.game().name() }),
    }
}

/// Checks that a game's boards have rows and columns.
///
/// # Errors
/// If they have not.
pub(super) fn check_rows(game: Game) -> Result<(), ExportError> {
    rows(&game.start(game.boards.default)?).map(|_| ())
}
