//! The table of positions.

use std::ops::{Index, IndexMut};

use rustc_hash::FxHashMap;

use super::file::Entry;
use super::node::Node;
use crate::hex::Stones;

/// No position yet.
pub(super) const NONE: u32 = u32::MAX;

/// Positions by number, and the numbers of positions.
#[derive(Debug, Default)]
pub(super) struct Table {
    numbers: FxHashMap<Stones, u32>,
    nodes: Vec<Node>,
    /// The positions expanded at and below each.
    work: Vec<u32>,
    /// The number of nodes when their bytes were last counted, and those bytes.
    counted: (usize, usize),
}

impl Table {
    /// Returns a table with these positions.
    pub(super) fn of(entries: Vec<Entry<Node>>) -> Self {
        let mut table = Self::default();
        for (stones, node, work) in entries {
            table.numbers.insert(stones, table.nodes.len() as u32);
            table.nodes.push(node);
            table.work.push(work);
        }
        table
    }

    pub(super) fn entries(&self) -> Vec<Entry<&Node>> {
        let mut stones = vec![Stones::NONE; self.nodes.len()];
        self.numbers.iter().for_each(|(&position, &number)| stones[number as usize] = position);
        let rest = self.nodes.iter().zip(&self.work);
        stones.into_iter().zip(rest).map(|(stones, (node, &work))| (stones, node, work)).collect()
    }

    /// Returns the number of a position, new or known.
    pub(super) fn number(&mut self, stones: Stones) -> u32 {
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry(stones).or_insert(next);
        if number == next {
            self.nodes.push(Node::New);
            self.work.push(0);
        }
        number
    }

    /// Returns a known position.
    pub(super) fn find(&self, stones: Stones) -> Option<&Node> {
        self.get(*self.numbers.get(&stones)?)
    }

    /// Returns a position, unless the number is [`NONE`].
    pub(super) fn get(&self, number: u32) -> Option<&Node> {
        self.nodes.get(number as usize)
    }

    /// Returns the proof numbers of a position, known or not.
    pub(super) fn numbers(&self, number: u32) -> [u32; 2] {
        self.get(number).unwrap_or(&Node::New).numbers()
    }

    /// Adds to the number of positions expanded at and below one.
    pub(super) fn add_work(&mut self, number: u32, expanded: u64) {
        let work = &mut self.work[number as usize];
        *work = work.saturating_add(expanded.try_into().unwrap_or(u32::MAX));
    }

    /// Returns the size, in bytes, at most a tenth off.
    pub(super) fn bytes(&mut self) -> usize {
        let (nodes, bytes) = self.counted;
        if self.nodes.len() <= nodes + nodes / 16 && nodes > 0 {
            return bytes;
        }
        let boxes: usize = self.nodes.iter().map(Node::bytes).sum();
        let flat = self.nodes.capacity() * (size_of::<Node>() + 4);
        let map = self.numbers.capacity() * (size_of::<(Stones, u32)>() + 1);
        self.counted = (self.nodes.len(), boxes + flat + map);
        self.counted.1
    }

    /// Forgets at least half of the positions, those with the least work. Returns whether any is left.
    pub(super) fn forget_half(&mut self) -> bool {
        let mut sorted = self.work.clone();
        let middle = sorted.len() / 2;
        let least = *sorted.select_nth_unstable(middle).1;
        let mut renumbered = vec![NONE; self.nodes.len()];
        let (mut nodes, mut work) = (Vec::new(), Vec::new());
        for (number, node) in std::mem::take(&mut self.nodes).into_iter().enumerate() {
            if self.work[number] > least {
                renumbered[number] = nodes.len() as u32;
                nodes.push(node);
                work.push(self.work[number]);
            }
        }
        for node in &mut nodes {
            if let Node::Open(open) = node {
                open.moves
                    .iter_mut()
                    .filter(|found| found.node != NONE)
                    .for_each(|found| found.node = renumbered[found.node as usize]);
            }
        }
        self.numbers.retain(|_, number| {
            *number = renumbered[*number as usize];
            *number != NONE
        });
        self.numbers.shrink_to_fit();
        (self.nodes, self.work, self.counted) = (nodes, work, (0, 0));
        !self.nodes.is_empty()
    }
}

impl Index<u32> for Table {
    type Output = Node;

    fn index(&self, number: u32) -> &Node {
        &self.nodes[number as usize]
    }
}

impl IndexMut<u32> for Table {
    fn index_mut(&mut self, number: u32) -> &mut Node {
        &mut self.nodes[number as usize]
    }
}
