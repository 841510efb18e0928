//! Frees the least visited branches of a tree that has filled its memory, so that the search can go on (Powley, Cowling
//! and Whitehouse, *Memory bounded Monte Carlo tree search*, 2017, free the oldest).
//!
//! A pruned node keeps its visits, value and proof, but not its moves; if the search returns to it,
//! its position is evaluated again. It then has more visits than its children have together plus one.

use super::memory::capacity;
use super::statistics::Proof;
use super::tree::{NONE, Node, Tree};
use super::tree_search::{Search, Selection};

impl Search {
    /// Selects as [`Search::select`] does, in a tree of at most `memory` bytes. A full tree is pruned first, once no
    /// leaf is in flight. See also [`Search::is_out_of_memory`].
    pub(super) fn select_within(&mut self, memory: usize) -> Selection {
        self.tree.bound(memory);
        if self.is_full(memory) {
            if self.tree.nodes.first().is_none_or(|root| root.in_flight > 0) {
                return Selection::Awaited;
            }
            let line = self.best_line();
            self.tree.prune((memory / 2).min(memory.saturating_sub(self.tree.visit_bytes())), &line);
            if self.is_full(memory) {
                self.tree.forget_transpositions();
            }
        }
        self.select()
    }

    /// Returns whether another leaf might exceed the memory.
    pub(super) fn is_full(&self, memory: usize) -> bool {
        !self.tree.has_room(memory, self.tree.nodes.first().map_or(0, |root| root.in_flight.into()))
    }

    /// Returns whether the memory is full and pruning would not help: there is no room beside the root.
    pub(super) fn is_out_of_memory(&self, memory: usize) -> bool {
        self.is_full(memory)
            && !self.tree.nodes.is_empty()
            && self.tree.least_bytes() + self.tree.visit_bytes() > memory
    }

    /// Returns the nodes of the principal variation after the root.
    fn best_line(&self) -> Vec<u32> {
        let next = |&node: &u32| self.tree.child(node, self.best_at(node)?);
        std::iter::successors(next(&0), next).collect()
    }
}

impl Tree {
    /// Returns the bytes of the root with its moves and children.
    fn least_bytes(&self) -> usize {
        size_of::<Node>() + self.bytes_of(0)
    }

    /// Prunes the least visited branches until at most `most` bytes are left, or nothing but the root. The moves and
    /// children of the root are kept, and those of the nodes of `line` as long as they fit. Those of other proven nodes
    /// are always freed, since they are never searched again. No leaf may be in flight.
    pub fn prune(&mut self, most: usize, line: &[u32]) {
        let mut left = most.saturating_sub(self.least_bytes());
        let mut is_pinned = vec![false; self.nodes.len()];
        is_pinned[0] = true;
        for &node in line {
            let Some(rest) = left.checked_sub(self.bytes_of(node)) else { break };
            (is_pinned[node as usize], left) = (true, rest);
        }
        let mut branches = self.branches(&is_pinned);
        branches.sort_unstable_by(|a, b| b.cmp(a));
        // A node has at least the visits of each of its children.
        let mut threshold = 1;
        for same in branches.chunk_by(|a, b| a.0 == b.0) {
            let bytes: usize = same.iter().map(|&(_, bytes)| bytes as usize).sum();
            if bytes > left {
                threshold = same[0].0 + 1;
                break;
            }
            left -= bytes;
        }
        for (node, is_pinned) in self.nodes.iter_mut().zip(is_pinned) {
            let is_kept = node.proof == Proof::Unknown && node.statistics.visits >= threshold;
            if !is_kept && !is_pinned {
                node.collapse();
            }
        }
        self.keep_subtree(0);
        self.free_unused();
    }

    /// Returns the visits, and the bytes of the moves and children, of the expanded nodes that are not proven, without
    /// the pinned ones.
    fn branches(&self, is_pinned: &[bool]) -> Vec<(u32, u32)> {
        let (mut branches, mut open) = (Vec::new(), vec![0]);
        while let Some(number) = open.pop() {
            let node = &self.nodes[number as usize];
            let is_pinned = is_pinned[number as usize];
            if !node.is_expanded() || node.proof != Proof::Unknown && !is_pinned {
                continue;
            }
            if !is_pinned {
                branches.push((node.statistics.visits, self.bytes_of(number) as u32));
            }
            open.extend(node.children().map(|child| child as u32));
        }
        branches
    }

    /// Discards all but the subtree below a node, which becomes the root. The nodes are copied, each after its
    /// parent (Cheney 1970); their moves are put together in place.
    pub fn keep_subtree(&mut self, root: u32) {
        let old = std::mem::take(&mut self.nodes);
        self.nodes.push(old[root as usize].clone());
        let mut copied = 0;
        while copied < self.nodes.len() {
            let children = self.nodes[copied].children();
            if !children.is_empty() {
                let block = children.start..children.start + capacity(children.len());
                self.nodes[copied].first_child = self.nodes.len() as u32;
                self.nodes.extend_from_slice(&old[block]);
            }
            copied += 1;
        }
        self.free.fill(NONE);
        let expanded = self.nodes.iter().enumerate().filter(|(_, node)| node.is_expanded());
        let mut owners: Vec<(u32, u32)> = expanded.map(|(number, node)| (node.first_move, number as u32)).collect();
        owners.sort_unstable();
        let mut end = 0;
        for (first, owner) in owners {
            let list = first as usize..first as usize + 1 + self.moves[first as usize].count();
            self.nodes[owner as usize].first_move = end as u32;
            end += list.len();
            self.moves.copy_within(list.clone(), end - list.len());
        }
        self.moves.truncate(end);
        self.transpositions.keep(&mut self.nodes);
        // A root that was pruned and expanded again has fewer visits below it, so adopt their number.
        let known = 1 + self.children_of(0).iter().map(|child| child.statistics.visits).sum::<u32>();
        let Node { proof, statistics, .. } = &mut self.nodes[0];
        if *proof == Proof::Unknown && known < statistics.visits {
            *statistics = statistics.of_fewer(known);
        }
    }
}
