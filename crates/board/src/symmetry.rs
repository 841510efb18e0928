//! Symmetries of boards: permutations of cells, places, sides and directions.

use super::topology::DIRECTIONS;

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

    /// Returns true if this is the identity.
    pub fn is_identity(&self) -> bool {
        self.forward.iter().enumerate().all(|(from, &to)| from == to as usize)
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
    use super::*;

    #[test]
    fn permutations_compose_and_invert() {
        let turn = Permutation::new(vec![1, 2, 0, 3]).unwrap();
        let swap = Permutation::new(vec![3, 1, 2, 0]).unwrap();
        assert_eq!(turn.then(&swap).forward(), [1, 2, 3, 0], "the turn is done first");
        assert_eq!(swap.then(&turn).forward(), [3, 2, 0, 1]);
        assert_eq!(Permutation::new(turn.then(&swap).forward().to_vec()), Some(turn.then(&swap)), "inverse too");
        assert_eq!(turn.apply(1), 2);
        assert!(turn.then(&turn.inverted()).is_identity() && !turn.is_identity());
        assert_eq!(turn.then(&turn).then(&turn), Permutation::identity(4));
    }

    #[test]
    fn invalid_permutations_are_refused() {
        assert_eq!(Permutation::new(vec![0, 0]), None);
        assert_eq!(Permutation::new(vec![0, 2]), None);
    }
}
