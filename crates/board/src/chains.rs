//! Chains of stones on boards where stones are never removed: which stones are connected, and which
//! sides they reach.

/// A disjoint-set forest over the stones of a board with up to `CELLS` cells, with union by size
/// and path halving (Tarjan and van Leeuwen, *Worst-case analysis of set union algorithms*, 1984).
/// In games that remove no stones, looking at six neighbours replaces a flood fill.
#[derive(Debug, Clone)]
pub struct Chains<const CELLS: usize> {
    /// The parent of each stone in the forest; for a root, the negated size of its chain.
    links: [i16; CELLS],
    /// For each root, a bit mask of the sides that its chain touches.
    sides: [u8; CELLS],
}

impl<const CELLS: usize> Default for Chains<CELLS> {
    fn default() -> Self {
        const { assert!(CELLS <= i16::MAX as usize, "a cell's number must fit a link") };
        Self { links: [-1; CELLS], sides: [0; CELLS] }
    }
}

impl<const CELLS: usize> Chains<CELLS> {
    /// Adds the stone on a cell as a chain of its own that touches these sides.
    #[inline]
    pub fn place(&mut self, cell: usize, sides: u8) {
        self.links[cell] = -1;
        self.sides[cell] = sides;
    }

    /// Joins the chains of two stones.
    #[inline]
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.halved_root(a), self.halved_root(b));
        if a == b {
            return;
        }
        let (large, small) = if self.links[a] <= self.links[b] { (a, b) } else { (b, a) };
        self.links[large] += self.links[small];
        self.links[small] = large as i16;
        self.sides[large] |= self.sides[small];
    }

    /// Returns the sides that a stone's chain touches, as a bit mask.
    #[inline]
    pub fn sides(&self, mut cell: usize) -> u8 {
        while self.links[cell] >= 0 {
            cell = self.links[cell] as usize;
        }
        self.sides[cell]
    }

    #[inline]
    fn halved_root(&mut self, mut cell: usize) -> usize {
        while self.links[cell] >= 0 {
            let next = self.links[cell] as usize;
            if self.links[next] >= 0 {
                self.links[cell] = self.links[next];
            }
            cell = next;
        }
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_chains_touch_the_sides_of_both() {
        let mut chains = Chains::<9>::default();
        for cell in 0..9 {
            chains.place(cell, if cell == 0 { 1 } else { u8::from(cell == 8) << 1 });
        }
        for (a, b) in [(0, 1), (7, 8), (2, 1), (6, 7), (1, 0)] {
            chains.join(a, b);
        }
        assert_eq!([0, 1, 2, 3, 6, 7, 8].map(|cell| chains.sides(cell)), [1, 1, 1, 0, 2, 2, 2]);
        chains.join(2, 6);
        assert!([0, 1, 2, 6, 7, 8].iter().all(|&cell| chains.sides(cell) == 3));
        assert_eq!(chains.sides(3), 0);
        chains.place(2, 0);
        assert_eq!(chains.sides(2), 0, "a cell can be used again when all chains are given up");
    }
}
