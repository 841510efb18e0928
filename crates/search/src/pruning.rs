//! Frees the least visited branches of a tree that has filled its memory, so that the search can go on (as Powley, Cowling
//! and Whitehouse, *Memory bounded Monte Carlo tree search*, 2017, do by age).
//!
//! A pruned edge keeps its visits, value and proof; if the search returns to it, its position is
//! expanded again. The new node then has fewer visits than the edge, but always one more than all
//! its own edges together.

use super::tree::{NO_NODE, Proof, Tree, UNIT};
use super::tree_search::{Search, Selection};

/// The level of a node that must be kept, with its edges.
const PINNED: u32 = u32::MAX;

impl Search {
    /// Selects as [`Search::select`] does, in a tree of at most `memory` bytes. A full tree is pruned first, once no leaf
    /// is in flight. See also [`Search::is_out_of_memory`].
    pub(super) fn select_within(&mut self, memory: usize) -> Selection {
        self.tree.bound(memory);
        if self.is_full(memory) {
            if self.tree.nodes.first().is_none_or(|root| root.in_flight > 0) {
                return Selection::Awaited;
            }
            let line = self.best_line();
            let units = memory / UNIT;
            self.tree.prune((units / 2).min(units.saturating_sub(self.tree.expansion())), &line);
        }
        self.select()
    }

    /// Returns whether another leaf might exceed the memory.
    pub(super) fn is_full(&self, memory: usize) -> bool {
        let in_flight = self.tree.nodes.first().map_or(0, |root| usize::from(root.in_flight));
        !self.tree.has_room(memory, in_flight + 1)
    }

    /// Returns whether the memory is full and pruning would not help: there is no room beside the root.
    pub(super) fn is_out_of_memory(&self, memory: usize) -> bool {
        self.is_full(memory) && !self.tree.nodes.is_empty() && {
            self.tree.least_units(0) + self.tree.expansion() > memory / UNIT
        }
    }

    /// Returns the nodes of the principal variation after the root.
    fn best_line(&self) -> Vec<u32> {
        let mut line = Vec::new();
        let mut next = self.best_edge();
        while let Some(node) = next.map(|edge| self.tree.edges[edge].child).filter(|&node| node != NO_NODE) {
            line.push(node);
            next = self.settings.choice.best(&self.settings.puct, &self.tree, &self.tree.nodes[node as usize]);
        }
        line
    }
}

impl Tree {
    /// Returns the size of what must be kept of a node: the node itself, its edges, and the nodes
    /// that prove some of them.
    fn least_units(&self, node: u32) -> usize {
        let edges = self.edges_of(node);
        1 + edges.len() + edges.iter().filter(|edge| edge.proof != Proof::Unknown && edge.child != NO_NODE).count()
    }

    /// Prunes the least visited branches until at most `most` nodes and edges are left, or nothing
    /// beside the root. The nodes of `line` are kept as long as they fit. No leaf may be in flight.
    pub fn prune(&mut self, most: usize, line: &[u32]) {
        let levels = self.levels(most, line);
        let threshold = self.threshold(&levels, most);
        for node in 0..self.nodes.len() {
            if levels[node] < threshold {
                continue;
            }
            if self.is_leaf_when_pruned(node, levels[node]) {
                self.nodes[node].edge_count = 0;
                continue;
            }
            let edges = self.nodes[node].edges();
            for edge in self.edges[edges].iter_mut().filter(|edge| edge.child != NO_NODE) {
                if levels[edge.child as usize] < threshold {
                    edge.child = NO_NODE;
                }
            }
        }
        self.keep_subtree(0);
        self.free_unused();
    }

    /// Returns the level of each node; nodes below a threshold are pruned. The level is the number
    /// of visits of the edge to the node. A proven node is kept as long as its parent, because it
    /// holds the length of the proof, but the nodes below it have level 0, since they are never
    /// searched again.
    fn levels(&self, most: usize, line: &[u32]) -> Vec<u32> {
        let mut levels = vec![0; self.nodes.len()];
        let mut left = most;
        for &node in [0].iter().chain(line) {
            let units = self.least_units(node);
            if node != 0 && units > left {
                break;
            }
            left = left.saturating_sub(units);
            levels[node as usize] = PINNED;
        }
        // A node always comes after its parent.
        for node in 0..self.nodes.len() {
            let level = levels[node];
            if level == 0 || self.is_leaf_when_pruned(node, level) {
                continue;
            }
            for edge in self.edges_of(node as u32).iter().filter(|edge| edge.child != NO_NODE) {
                let child = &mut levels[edge.child as usize];
                if *child != PINNED {
                    let is_proven = edge.proof != Proof::Unknown;
                    *child = if is_proven { level.min(PINNED - 1) } else { edge.statistics.visits.min(PINNED - 1) };
                }
            }
        }
        levels
    }

    fn is_leaf_when_pruned(&self, node: usize, level: u32) -> bool {
        level != PINNED && self.nodes[node].proof != Proof::Unknown
    }

    /// Returns the lowest level that leaves at most `most` nodes and edges.
    fn threshold(&self, levels: &[u32], most: usize) -> u32 {
        let units = |node: usize| match self.is_leaf_when_pruned(node, levels[node]) {
            true => 1,
            false => 1 + usize::from(self.nodes[node].edge_count),
        };
        let mut sizes: Vec<(u32, u32)> = (0..levels.len()).map(|node| (levels[node], units(node) as u32)).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let mut kept = 0;
        for same in sizes.chunk_by(|a, b| a.0 == b.0) {
            kept += same.iter().map(|&(_, units)| units as usize).sum::<usize>();
            let level = same[0].0;
            // The nodes that prove the moves of pinned nodes have the level below `PINNED`.
            if kept > most && level < PINNED - 1 {
                return level + 1;
            }
        }
        1
    }
}
