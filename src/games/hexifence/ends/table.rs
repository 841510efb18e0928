//! What has been found out about positions.

use super::graph::Edges;

/// Entries, a power of two: a mebibyte.
const ENTRIES: usize = 1 << 16;

/// Bounds of the margin of the player to move, in the cells still to be taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub least: i8,
    pub most: i8,
    /// The move that showed the lower bound.
    pub best: u8,
}

/// Bounds of positions, by their open edges. An entry is lost when another takes its place.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    entries: Vec<(Edges, Bounds)>,
}

impl Bounds {
    pub const UNKNOWN: Self = Self { least: i8::MIN, most: i8::MAX, best: 0 };
}

impl Table {
    fn slot(open: Edges) -> usize {
        // Fibonacci hashing (Knuth, *The Art of Computer Programming*, volume 3, 6.4).
        (open.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (Edges::BITS - ENTRIES.trailing_zeros())) as usize
    }

    pub fn get(&self, open: Edges) -> Bounds {
        let entry = self.entries.get(Self::slot(open)).filter(|(known, _)| *known == open);
        entry.map_or(Bounds::UNKNOWN, |&(_, bounds)| bounds)
    }

    pub fn put(&mut self, open: Edges, bounds: Bounds) {
        // Most games never come to where it is needed. A position without open edges is never looked up.
        self.entries.resize(ENTRIES, (0, Bounds::UNKNOWN));
        self.entries[Self::slot(open)] = (open, bounds);
    }
}
