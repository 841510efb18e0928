//! Names of cells on a rhombus: a letter for the column, and a number from 1 for the row. `(row 1, column 3)` is `d2`.

/// An error in the name of a cell.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VertexError {
    /// The text is not a letter followed by a number.
    #[error("'{text}' is not a cell: write a column letter and a row number, such as 'd2'")]
    Unreadable {
        /// The text given.
        text: String,
    },
    /// The text is a well-formed name of a cell outside this board.
    #[error("'{text}' is not on this board, whose cells go from a1 to {last}")]
    OffBoard {
        /// The text given.
        text: String,
        /// The name of the board's last cell.
        last: String,
    },
    /// The text names no place, on a board whose places are not named as those of a rhombus.
    #[error("'{text}' is not a place of this board, whose places go from {first} to {last}")]
    Unknown {
        /// The text given.
        text: String,
        /// The name of the board's first playable place.
        first: String,
        /// The name of the board's last playable place.
        last: String,
    },
}

/// Returns the letter of a column: `a` for 0.
///
/// # Panics
/// If `column` is 26 or more.
pub fn column_letter(column: usize) -> char {
    assert!(column < 26, "column {column} has no letter");
    (b'a' + column as u8) as char
}

/// Returns the name of a cell of the rhombus with this side.
pub fn cell_name(side: usize, cell: usize) -> String {
    format!("{}{}", column_letter(cell % side), cell / side + 1)
}

/// Parses the name of a cell of the rhombus with this side, ignoring case.
///
/// # Errors
/// If the text is not a cell's name, or names one outside the board.
pub fn parse_cell(side: usize, text: &str) -> Result<usize, VertexError> {
    let unreadable = || VertexError::Unreadable { text: text.to_owned() };
    let mut letters = text.chars();
    let letter = letters.next().filter(char::is_ascii_alphabetic).ok_or_else(unreadable)?;
    let digits = letters.as_str();
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(unreadable());
    }
    let column = (letter.to_ascii_lowercase() as u8 - b'a') as usize;
    match digits.parse::<usize>() {
        Ok(row) if (1..=side).contains(&row) && column < side => Ok((row - 1) * side + column),
        _ => Err(VertexError::OffBoard { text: text.to_owned(), last: cell_name(side, side * side - 1) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Shape};

    #[test]
    fn names_and_cells_are_inverse() {
        for side in 1..=26 {
            for cell in 0..side * side {
                assert_eq!(parse_cell(side, &cell_name(side, cell)), Ok(cell));
            }
        }
        assert_eq!(parse_cell(5, "D2"), Ok(8));
    }

    #[test]
    fn invalid_cell_names_are_refused() {
        for text in ["", "d", "2", "2d", "dd2", "d-1", "d+1", "d2x", "ß2", "d 2"] {
            assert!(matches!(parse_cell(5, text), Err(VertexError::Unreadable { .. })), "{text}");
        }
        for text in ["f1", "a6", "a0", "a99999999999999999999999"] {
            assert!(matches!(parse_cell(5, text), Err(VertexError::OffBoard { .. })), "{text}");
        }
    }

    /// Draws the rhombus directly, without a layout.
    fn plainly(side: usize, glyph: impl Fn(usize) -> char, marked: Option<usize>) -> String {
        let letters: Vec<String> = (0..side).map(|column| column_letter(column).to_string()).collect();
        let letters = letters.join(" ");
        let mut text = format!("    {letters}\n");
        for row in 0..side {
            text += &format!("{}{:>2} ", " ".repeat(row), row + 1);
            for column in 0..=side {
                let cell = row * side + column;
                text.push(match marked {
                    Some(marked) if column > 0 && marked + 1 == cell => ']',
                    Some(marked) if column < side && marked == cell => '[',
                    _ => ' ',
                });
                if column < side {
                    text.push(glyph(cell));
                }
            }
            text += &format!(" {}\n", row + 1);
        }
        text + &format!("{}{letters}\n", " ".repeat(side + 4))
    }

    #[test]
    fn layout_agrees_with_a_plain_loop() {
        let glyph = |cell: usize| ['.', 'R', 'B'][cell * cell % 7 % 3];
        for side in 1..=26 {
            let (text, last) = (Board::of(&Shape::Rhombus { side }).text(), side * side - 1);
            for marked in [None, Some(0), Some(side - 1), Some(last / 2), Some(last)] {
                assert_eq!(text.draw(glyph, marked), plainly(side, glyph, marked), "side {side}, {marked:?}");
            }
        }
    }
}
