//! A board as a list of cells and, for each, six neighbour slots in a fixed direction order; symmetries of boards:
//! permutations of cells, places, sides and directions.

/// The number of neighbour slots of a cell.
pub const DIRECTIONS: usize = 6;

/// Marks a missing neighbour.
pub const NO_CELL: u16 = u16::MAX;

/// The direction order as steps `(row, column)`: sw, s, e, ne, n, w (row 0 is drawn on top). The
/// opposite of direction `d` is `(d + 3) % 6`; successive directions are 60 degrees apart.
pub const STEPS: [(isize, isize); DIRECTIONS] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];

/// The neighbours of each cell. Everything hexagonal in the project follows from this table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topology {
    neighbours: Vec<[u16; DIRECTIONS]>,
    key: u64,
}

impl Topology {
    /// Creates a topology from its table: for each cell its neighbours in the order of [`STEPS`], with
    /// [`NO_CELL`] where there is none.
    ///
    /// # Panics
    /// If a neighbour is not a cell of the board, or if `b` is the neighbour of `a` in direction
    /// `d` but `a` is not the neighbour of `b` in the opposite direction.
    pub fn new(neighbours: Vec<[u16; DIRECTIONS]>) -> Self {
        for (cell, slots) in neighbours.iter().enumerate() {
            for (direction, &other) in slots.iter().enumerate().filter(|&(_, &other)| other != NO_CELL) {
                let back = neighbours[other as usize][(direction + 3) % DIRECTIONS];
                assert_eq!(back as usize, cell, "neighbours must be mutual");
            }
        }
        let bytes = neighbours.iter().flatten().flat_map(|slot| slot.to_le_bytes());
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let key = bytes.fold(0xcbf2_9ce4_8422_2325, mix);
        Self { neighbours, key }
    }

    /// Returns the number of cells.
    #[inline]
    pub fn cells(&self) -> usize {
        self.neighbours.len()
    }

    /// Returns the six neighbour slots of each cell.
    pub fn neighbours(&self) -> &[[u16; DIRECTIONS]] {
        &self.neighbours
    }

    /// Returns the cells next to a cell.
    #[inline]
    pub fn around(&self, cell: usize) -> impl Iterator<Item = usize> {
        self.neighbours[cell].iter().filter(|&&slot| slot != NO_CELL).map(|&slot| usize::from(slot))
    }

    /// Returns a hash of the table as a key for caches. It is the same in every process and
    /// version, and equal for equal tables (64-bit FNV-1a over the slots, two bytes each, low byte
    /// first).
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Joins topologies into one whose parts are not connected. The cells of each follow those of
    /// the previous one.
    ///
    /// # Panics
    /// If there are more cells than fit a `u16`.
    pub fn disjoint<'a>(parts: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut neighbours = Vec::new();
        for part in parts {
            let first = neighbours.len();
            assert!(first + part.cells() < NO_CELL as usize, "too many cells");
            let moved = |slot: u16| if slot == NO_CELL { NO_CELL } else { slot + first as u16 };
            neighbours.extend(part.neighbours.iter().map(|slots| slots.map(moved)));
        }
        Self::new(neighbours)
    }
}

/// A bijection of the numbers from 0 up to its length.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Permutation {
    forward: Vec<u16>,
    inverse: Vec<u16>,
}

impl Permutation {
    /// Makes the permutation that takes `i` to `forward[i]`, or returns `None` if two numbers have
    /// the same image or one is too large.
    pub fn new(forward: Vec<u16>) -> Option<Self> {
        let mut inverse = vec![u16::MAX; forward.len()];
        for (from, &to) in forward.iter().enumerate() {
            let slot = inverse.get_mut(to as usize).filter(|slot| **slot == u16::MAX)?;
            *slot = from as u16;
        }
        Some(Self { forward, inverse })
    }

    /// Returns the permutation that moves nothing.
    pub fn identity(length: usize) -> Self {
        let numbers: Vec<u16> = (0..length as u16).collect();
        Self { forward: numbers.clone(), inverse: numbers }
    }

    /// Returns the image of each number.
    #[inline]
    pub fn forward(&self) -> &[u16] {
        &self.forward
    }

    /// Returns the preimage of each number.
    #[inline]
    pub fn inverse(&self) -> &[u16] {
        &self.inverse
    }

    /// Returns the image of a number.
    #[inline]
    pub fn apply(&self, number: usize) -> usize {
        self.forward[number] as usize
    }

    /// Returns the inverse permutation.
    pub fn inverted(&self) -> Self {
        Self { forward: self.inverse.clone(), inverse: self.forward.clone() }
    }

    /// Returns the permutation that applies this one first and then `next`.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn then(&self, next: &Self) -> Self {
        assert_eq!(self.forward.len(), next.forward.len(), "permutations of different lengths");
        Self {
            forward: self.forward.iter().map(|&to| next.forward[to as usize]).collect(),
            inverse: next.inverse.iter().map(|&from| self.inverse[from as usize]).collect(),
        }
    }
}

/// A way to map a board to itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// The permutation of the network's cells. Phantom cells are mapped to phantom cells.
    pub cells: Permutation,
    /// The permutation of the places.
    pub places: Permutation,
    /// The permutation of the sides, by side number.
    pub sides: Permutation,
    /// For each part of the board, the image of each of the six directions. A board that is not
    /// several boards side by side has one part.
    pub directions: Vec<[u8; DIRECTIONS]>,
}

impl Symmetry {
    /// Returns the image of a direction, starting from a cell of this part of the board.
    #[inline]
    pub fn direction(&self, part: usize, direction: usize) -> usize {
        self.directions[part][direction] as usize
    }
}

#[cfg(test)]
mod tests {
    use crate::rhombus;

    use super::*;

    #[test]
    #[should_panic(expected = "mutual")]
    fn one_sided_neighbours_are_refused() {
        let mut table = rhombus(2).neighbours().to_vec();
        table[0][2] = NO_CELL;
        Topology::new(table);
    }

    #[test]
    fn keys_tell_tables_apart() {
        let keys: std::collections::HashSet<u64> = (1..=26).map(|side| rhombus(side).key()).collect();
        assert_eq!(keys.len(), 26);
        // Computed by an independent Python script: keys must not change from version to version.
        assert_eq!((rhombus(1).key(), rhombus(2).key()), (0x9378_30ad_34fe_6de9, 0xbe38_4a59_0520_e69a));
        let both = |one, other| Topology::disjoint([rhombus(one), rhombus(other)]).key();
        assert_ne!(both(2, 3), both(3, 2));
    }

    #[test]
    fn permutations_compose_and_invert() {
        let turn = Permutation::new(vec![1, 2, 0, 3]).unwrap();
        let swap = Permutation::new(vec![3, 1, 2, 0]).unwrap();
        assert_eq!(turn.then(&swap).forward(), [1, 2, 3, 0], "the turn is done first");
        assert_eq!(swap.then(&turn).forward(), [3, 2, 0, 1]);
        assert_eq!(Permutation::new(turn.then(&swap).forward().to_vec()), Some(turn.then(&swap)), "inverse too");
        assert_eq!(turn.apply(1), 2);
        assert_eq!(turn.then(&turn.inverted()), Permutation::identity(4));
        assert_eq!(turn.then(&turn).then(&turn), Permutation::identity(4));
    }

    #[test]
    fn invalid_permutations_are_refused() {
        assert_eq!(Permutation::new(vec![0, 0]), None);
        assert_eq!(Permutation::new(vec![0, 2]), None);
    }
}
