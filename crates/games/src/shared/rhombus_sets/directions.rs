//! Steps along the six directions, and the notation of moves with a direction: `m:c3-ne`, or `m:c3-ne-2` with a
//! distance.

use crate::shared::rhombus::half_turns;
use crate::{InvalidMove, NetworkView, Seat, Transform};
use hexzero_board::{Board, DIRECTIONS, RhombusSet, STEPS, Shape, Symmetry};

use super::Stones;

/// The row and column of a cell.
pub type Cell = (usize, usize);

/// Returns a set moved one or two steps in a direction, or back if `steps` is negative. Cells
/// beyond the board are not removed.
#[inline]
pub fn moved(set: RhombusSet, direction: usize, steps: isize) -> RhombusSet {
    let (rows, columns) = STEPS[direction];
    set.shifted(rows * steps, columns * steps)
}

impl Stones {
    /// Returns the cell next to another in a direction, if there is one.
    #[inline]
    pub fn next(&self, (row, column): Cell, direction: usize) -> Option<Cell> {
        let (rows, columns) = STEPS[direction];
        // Numbers before the first row or column wrap around and become too large.
        let (row, column) = (row.wrapping_add_signed(rows), column.wrapping_add_signed(columns));
        (row < self.side() && column < self.side()).then_some((row, column))
    }

    /// Returns the cell some steps away, which must be on the board.
    #[inline]
    pub fn away(&self, (row, column): Cell, direction: usize, steps: usize) -> Cell {
        let (rows, columns) = STEPS[direction];
        (row.wrapping_add_signed(rows * steps as isize), column.wrapping_add_signed(columns * steps as isize))
    }

    /// Counts the stones of a player in an unbroken line from a cell in a direction, including the
    /// cell itself. Also returns the cell after them, if there is one.
    #[inline]
    pub fn run(&self, player: Seat, from: Cell, direction: usize) -> (usize, Option<Cell>) {
        let (mut length, mut cell) = (0, Some(from));
        while let Some(on) = cell.filter(|&on| self.has(player, on)) {
            length += 1;
            cell = self.next(on, direction);
        }
        (length, cell)
    }
}

/// The names of the directions, in the order of [`hexzero_board::STEPS`].
pub const DIRECTION_NAMES: [&str; DIRECTIONS] = ["sw", "s", "e", "ne", "n", "w"];

/// A move from a cell in a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Directed {
    /// The index of the cell.
    pub cell: usize,
    /// The index of the direction.
    pub direction: usize,
    /// The distance, if the move has a choice of distances.
    pub distance: Option<usize>,
}

impl Directed {
    /// Parses a move that begins with a letter and a colon, or returns `None` if it does not.
    ///
    /// # Errors
    /// If the rest is not a cell, a direction and optionally a distance.
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
        let refused = |reason: String| InvalidMove::refused(reason);
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

    /// Returns the name, in the notation of [`Directed::parse`].
    pub fn name(self, board: &Board, letter: char) -> String {
        let mut name = format!("{letter}:{}-{}", board.label(self.cell), DIRECTION_NAMES[self.direction]);
        if let Some(distance) = self.distance {
            name += &format!("-{distance}");
        }
        name
    }
}

/// The number of planes that [`Stones::encode`] writes before a game's own.
pub const PLANES: usize = 13;

impl Stones {
    /// Writes the common planes: own stones, enemy stones, empty cells; the mover's two sides and the enemy's two;
    /// stones connected to each of these four; cells where a stone of the mover and of the enemy completes a chain.
    /// The game's own planes follow.
    ///
    /// # Panics
    /// If `own` does not hold the rest of the `N` planes.
    pub fn encode<const N: usize>(&self, mover: Seat, own: &[RhombusSet], cells: &mut [f32]) {
        let mut planes = [RhombusSet::EMPTY; N];
        planes[2] = self.empty();
        for (index, player) in [mover, mover.opponent()].into_iter().enumerate() {
            planes[index] = self.of(player);
            planes[3 + 2 * index..][..2].copy_from_slice(&self.edges(player));
            planes[7 + 2 * index..][..2].copy_from_slice(&self.joined(player));
            planes[11 + index] = self.completing(player);
        }
        planes[PLANES..].copy_from_slice(own);
        self.write(mover, &planes, cells);
    }

    /// Writes planes from the mover's point of view: the second player sees the board transposed.
    pub fn write<const N: usize>(&self, mover: Seat, planes: &[RhombusSet; N], cells: &mut [f32]) {
        let (next_row, next_column) = match mover {
            Seat::First => (self.side(), 1),
            Seat::Second => (1, self.side()),
        };
        for row in 0..self.side() {
            let bits = planes.each_ref().map(|plane| plane.row_bits(row));
            for column in 0..self.side() {
                let inputs = &mut cells[(row * next_row + column * next_column) * N..][..N];
                for (input, bits) in inputs.iter_mut().zip(bits) {
                    *input = f32::from(bits >> column & 1);
                }
            }
        }
    }
}

/// Returns a symmetry that also permutes the policy planes of directions.
fn directed(size: usize, number: usize, view: &NetworkView) -> Transform {
    let symmetry: &Symmetry = &Board::of(&Shape::Rhombus { side: size }).symmetries()[number];
    let plane_to = |plane: usize| match plane.checked_sub(1) {
        None => 0,
        Some(rest) => 1 + rest / DIRECTIONS * DIRECTIONS + symmetry.direction(0, rest % DIRECTIONS),
    };
    Transform::of(symmetry, view).with_planes(view.policy_planes, plane_to)
}

/// Returns the frames of the two seats: the second player sees the board transposed.
pub fn frames(size: usize, view: &NetworkView) -> Vec<Transform> {
    vec![directed(size, 0, view), directed(size, 2, view)]
}

/// Returns the identity and the half turn, which exchanges the two sides of each player and the
/// stones connected to them.
pub fn symmetries(size: usize, view: &NetworkView) -> Vec<Transform> {
    let [_, turned] = half_turns(size, view, 3..11);
    vec![directed(size, 0, view), Transform { inputs: turned.inputs, ..directed(size, 1, view) }]
}

#[cfg(test)]
mod tests {
    use super::*;

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
