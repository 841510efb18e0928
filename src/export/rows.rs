//! The rows and columns of a board, from which exported networks find the neighbours of a cell; only a rhombus has them.

use crate::board::Shape;
use crate::games::{Game, Position};

use super::error::ExportError;

/// Returns the number of rows, and of columns, of a position's board.
///
/// # Errors
/// If the board is not a rhombus.
pub(super) fn rows(position: &Position) -> Result<usize, ExportError> {
    match position.board().shape() {
        Some(Shape::Rhombus { side }) => Ok(*side),
        _ => Err(ExportError::OtherShape { game: position.game().name() }),
    }
}

/// Checks that a game's boards have rows and columns.
///
/// # Errors
/// If they are not rhombi.
pub(super) fn check_rows(game: Game) -> Result<(), ExportError> {
    rows(&game.start(game.boards.default)?).map(|_| ())
}
