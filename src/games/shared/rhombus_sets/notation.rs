//! Names of moves with a direction: `m:c3-ne`, or `m:c3-ne-2` with a distance.

use crate::board::{Board, DIRECTIONS};
use crate::games::InvalidMove;

/// The names of the directions, in the order of [`crate::board::STEPS`].
pub const DIRECTION_NAMES: [&str; DIRECTIONS] = ["sw", "s", "e", "ne", "n", "w"];

/// A move from a cell in a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Directed {
    /// The number of the cell.
    pub cell: usize,
    /// The number of the direction.
    pub direction: usize,
    /// The distance, where a move may choose.
    pub distance: Option<usize>,
}

impl Directed {
    /// Reads a move that begins with a letter and a colon; none if it does not.
    ///
    /// # Errors
    /// If what follows is not a cell, a direction and perhaps a distance.
    pub fn parse(board: &Board, letter: char, text: &str) -> Option<Result<Self, InvalidMove>> {
        let text = text.to_ascii_lowercase();
        let rest = text.strip_prefix(letter)?.strip_prefix(':')?;
        Some(Self::parse_rest(board, letter, rest))
    }

    fn parse_rest(board: &Board, letter: char, rest: &str) -> Result<Self, InvalidMove> {
        let mut parts = rest.split('-');
        let place = parts.next().unwrap_or_default();
        let cell = board.parse(place).map_err(|source| InvalidMove::unreadable(source, Vec::new()))?;
        let word = parts.next().unwrap_or_default();
        let known = DIRECTION_NAMES.iter().position(|&name| name == word);
        let refused = |reason: String| InvalidMove::Refused { reason };
        let direction = known.ok_or_else(|| {
            let names = DIRECTION_NAMES.join(", ");
            refused(format!("'{word}' is no direction; write one of {names}, such as '{letter}:{place}-ne'"))
        })?;
        let number = |digits: &str| match digits.parse() {
            Ok(distance) if distance > 0 && !digits.starts_with(['0', '+']) => Ok(distance),
            _ => Err(refused(format!("'{digits}' is no number of cells; write one from 1"))),
        };
        let distance = parts.next().map(number).transpose()?;
        match parts.next() {
            Some(more) => Err(refused(format!("'-{more}' is too much"))),
            None => Ok(Self { cell, direction, distance }),
        }
    }

    /// The name, as [`Directed::parse`] reads it.
    pub fn name(self, board: &Board, letter: char) -> String {
        let mut name = format!("{letter}:{}-{}", board.label(self.cell), DIRECTION_NAMES[self.direction]);
        if let Some(distance) = self.distance {
            name += &format!("-{distance}");
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;

    #[test]
    fn names_are_read_and_faults_are_named() {
        let board = Board::of(&Shape::Rhombus { side: 5 });
        let far = Directed { cell: 8, direction: 3, distance: Some(2) };
        assert_eq!(far.name(board, 'm'), "m:d2-ne-2");
        assert_eq!(Directed::parse(board, 'm', "M:D2-NE-2"), Some(Ok(far)));
        let near = Directed { distance: None, ..far };
        assert_eq!(Directed::parse(board, 'p', &near.name(board, 'p')), Some(Ok(near)));
        assert_eq!(Directed::parse(board, 'p', "d2"), None);
        let fault = |text: &str| Directed::parse(board, 'm', text).unwrap().unwrap_err().to_string();
        assert!(fault("m:d2").contains("'' is no direction"));
        assert!(fault("m:d2-up").contains("'up' is no direction; write one of sw, s, e, ne, n, w"));
        assert!(fault("m:d9-n").contains("not on this board"));
        for text in ["m:d2-n-0", "m:d2-n-x", "m:d2-n--1", "m:d2-n-+1", "m:d2-n-"] {
            assert!(fault(text).contains("is no number of cells"), "{text}");
        }
        assert!(fault("m:d2-n-1-1").contains("too much"));
    }
}
