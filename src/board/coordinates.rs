//! Names of cells: a letter for the column, a number from 1 for the row. `(row 1, column 3)` is `d2`.

/// An error in the name of a cell.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VertexError {
    /// Not a letter followed by a number.
    #[error("'{text}' is not a cell: write a column letter and a row number, such as 'd2'")]
    Unreadable {
        /// The text given.
        text: String,
    },
    /// A well-formed name that lies outside this board.
    #[error("'{text}' is not on this board, whose cells go from a1 to {last}")]
    OffBoard {
        /// The text given.
        text: String,
        /// The name of the board's last cell.
        last: String,
    },
    /// Not a place of a board whose places are not named as those of a rhombus.
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

/// The letter of a column: `a` for 0.
///
/// # Panics
/// If `column` is 26 or more.
pub fn column_letter(column: usize) -> char {
    assert!(column < 26, "column {column} has no letter");
    (b'a' + column as u8) as char
}

/// The name of a cell of the rhombus with this side.
pub fn cell_name(side: usize, cell: usize) -> String {
    format!("{}{}", column_letter(cell % side), cell / side + 1)
}

/// The cell of the rhombus with this side that `text` names. Upper and lower case are the same.
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
    fn what_is_no_cell() {
        for text in ["", "d", "2", "2d", "dd2", "d-1", "d+1", "d2x", "ß2", "d 2"] {
            assert!(matches!(parse_cell(5, text), Err(VertexError::Unreadable { .. })), "{text}");
        }
        for text in ["f1", "a6", "a0", "a99999999999999999999999"] {
            assert!(matches!(parse_cell(5, text), Err(VertexError::OffBoard { .. })), "{text}");
        }
    }
}
