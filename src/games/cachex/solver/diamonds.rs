//! The captures of a stone, on sets of at most 16 cells.

/// A set of cells.
pub(super) type Mask = u16;

/// The ways to close a diamond with a stone on one cell: the two enemy stones, and the own stone opposite.
type Closings = Vec<(Mask, Mask)>;

/// All diamonds of a board, by the cell that closes them.
#[derive(Debug)]
pub(super) struct Diamonds {
    closings: Vec<Closings>,
}

impl Diamonds {
    /// The diamonds of a board, from the neighbours of each cell: a diamond is two neighbours and the two
    /// cells that both of them neighbour.
    pub(super) fn new(around: &[Mask]) -> Self {
        let mut closings = vec![Closings::new(); around.len()];
        for a in 0..around.len() {
            for b in (a + 1..around.len()).filter(|b| around[a] >> b & 1 != 0) {
                let tips = around[a] & around[b];
                if tips.count_ones() < 2 {
                    continue;
                }
                let (c, d) = (tips.trailing_zeros() as usize, 15 - tips.leading_zeros() as usize);
                for (placed, opposite, pair) in [(a, b, [c, d]), (b, a, [c, d]), (c, d, [a, b]), (d, c, [a, b])] {
                    closings[placed].push((1 << pair[0] | 1 << pair[1], 1 << opposite));
                }
            }
        }
        Self { closings }
    }

    /// The enemy stones that the own stone on a cell takes, all diamonds judged on the same board.
    #[inline]
    pub(super) fn captured(&self, placed: usize, own: Mask, enemy: Mask) -> Mask {
        let closed =
            self.closings[placed].iter().filter(|(pair, opposite)| enemy & pair == *pair && own & opposite != 0);
        closed.fold(0, |taken, (pair, _)| taken | pair)
    }
}
