//! The memory of a tree: blocks of children, and limits of the two arrays.

use std::ops::Range;

use super::moves::Move;
use super::transpositions::Transpositions;
use super::tree::{NONE, Node, Tree};

/// Returns the size of a block for this many children: the next of 1, 2, 3, 4, 6, 8, 12, 16, ….
pub(super) fn capacity(children: usize) -> usize {
    let power = children.next_power_of_two();
    if children == 0 {
        0
    } else if power >= 4 && children <= power / 4 * 3 {
        power / 4 * 3
    } else {
        power
    }
}

/// Returns the number of a capacity, for the list of free blocks.
pub(super) fn class(capacity: usize) -> usize {
    2 * capacity.ilog2() as usize + usize::from(!capacity.is_power_of_two())
}

fn allocated<T>(array: &Vec<T>) -> usize {
    array.capacity() * size_of::<T>()
}

/// Makes room in `growing` for `needed` more elements. Doubles its memory, but takes at most half
/// of what `other` leaves of `most` bytes, the limit of both; if need be, frees the unused memory of
/// `other`.
pub(super) fn reserve<T, U>(growing: &mut Vec<T>, other: &mut Vec<U>, needed: usize, most: usize) {
    if growing.capacity() - growing.len() >= needed {
        return;
    }
    let used = size_of_val(&growing[..]);
    let left = |other: &Vec<U>| most.saturating_sub(used + allocated(other)) / size_of::<T>();
    if left(other) < needed {
        other.shrink_to_fit();
    }
    growing.reserve_exact(growing.len().min(left(other) / 2).max(needed));
}

impl Tree {
    /// Returns the first place of a free block of this capacity.
    pub fn take_block(&mut self, capacity: usize) -> u32 {
        let free = &mut self.free[class(capacity)];
        if *free != NONE {
            return std::mem::replace(free, self.nodes[*free as usize].first_child);
        }
        let first = self.nodes.len();
        let most = self.most_of_arrays();
        reserve(&mut self.nodes, &mut self.moves, capacity, most);
        self.nodes.resize(first + capacity, Node::new(Move::NONE));
        first as u32
    }

    /// Frees a block of nodes, which must all be new ones. Does nothing if it is empty.
    pub fn free_block(&mut self, block: Range<usize>) {
        if !block.is_empty() {
            let free = &mut self.free[class(block.len())];
            self.nodes[block.start].first_child = std::mem::replace(free, block.start as u32);
        }
    }

    /// Returns the most bytes for nodes and moves.
    pub fn most_of_arrays(&self) -> usize {
        self.most_bytes.saturating_sub(self.transpositions.bytes())
    }

    pub fn forget_transpositions(&mut self) {
        self.transpositions = Transpositions::default();
        self.nodes.iter_mut().for_each(|node| node.twins = NONE);
    }

    /// Returns the memory allocated for the tree, in bytes.
    pub fn bytes(&self) -> usize {
        allocated(&self.nodes) + allocated(&self.moves) + self.transpositions.bytes()
    }

    /// Limits the memory allocated from now on, and frees unused memory beyond the limit.
    pub fn bound(&mut self, bytes: usize) {
        self.most_bytes = bytes;
        if self.bytes() > bytes {
            self.free_unused();
        }
    }

    /// Returns the bytes of a node's moves and children.
    pub fn bytes_of(&self, node: u32) -> usize {
        let children = capacity(self.nodes[node as usize].child_count.into());
        size_of_val(self.moves_of(node)) + size_of::<Move>() + children * size_of::<Node>()
    }

    /// Returns the most bytes that a visit may take, judging by the positions so far: the moves of a
    /// position, and a larger block for its siblings.
    pub fn visit_bytes(&self) -> usize {
        self.moves_bytes() + capacity(self.most_children + 1) * size_of::<Node>()
    }

    fn moves_bytes(&self) -> usize {
        (1 + self.most_moves) * size_of::<Move>()
    }

    /// Returns whether `bytes` have room for the moves of the leaves in flight, and for another
    /// visit.
    pub fn has_room(&self, bytes: usize, in_flight: usize) -> bool {
        let needed = in_flight * self.moves_bytes() + self.visit_bytes();
        let shared = self.transpositions.bytes();
        size_of_val(&self.nodes[..]) + size_of_val(&self.moves[..]) + shared + needed <= bytes
            && self.moves.len() + needed < NONE as usize
    }

    pub fn free_unused(&mut self) {
        self.nodes.shrink_to_fit();
        self.moves.shrink_to_fit();
        self.transpositions.free_unused();
    }

    /// Clears the tree but keeps its memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.moves.clear();
        self.free.fill(NONE);
        self.transpositions.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capacities_have_classes_of_their_own() {
        let capacities: Vec<usize> = (1..=100).map(capacity).collect();
        let mut distinct = capacities.clone();
        distinct.dedup();
        assert_eq!(distinct, [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128]);
        assert!((1..=100).all(|children| capacity(children) >= children));
        let classes: std::collections::BTreeSet<usize> = distinct.iter().map(|&places| class(places)).collect();
        assert_eq!(classes.len(), distinct.len());
        assert!(class(capacity(1 << 16)) < Tree::default().free.len());
    }
}
