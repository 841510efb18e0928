//! The search tree: nodes in one growing array, the legal moves of the expanded ones in another.

use std::ops::Range;

use hexzero_games::{Action, Seat, WinDrawLoss};

use super::memory::{capacity, reserve};
use super::moves::{Move, lead};
use super::statistics::{Proof, Statistics};
use super::transpositions::{MoveSet, Transpositions};

/// Marks a missing index: of a node that is not expanded, or at the end of a list.
pub(super) const NONE: u32 = u32::MAX;

/// A position that has been selected at least once, or is proven, and the move that leads to it.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub statistics: Statistics,
    pub led_by: Move,
    /// The likeliest legal move that has no node.
    pub next: Option<Move>,
    /// The index of the header that counts the legal moves. They follow it: first those that have a
    /// node, in the order of the children, then `next`, then all others.
    pub first_move: u32,
    /// The index of the first child. The children follow each other in a block of [`capacity`]
    /// places. The first place of a free block has the index of the next free block here.
    pub first_child: u32,
    pub child_count: u16,
    /// For a proven node, the most plies to the end of the game.
    pub plies: u16,
    /// The proven result: the game is over, can be won at once, or is decided by the proofs of its
    /// successors. Each node is reached by only one sequence of moves, so a draw by repetition is
    /// as certain as a win.
    pub proof: Proof,
    pub to_move: Seat,
    /// Visits in flight: leaves at or below the node that are being evaluated.
    pub in_flight: u8,
    /// The place of its position among the [`Transpositions`], or [`NONE`].
    pub twins: u32,
}

impl Node {
    pub fn new(led_by: Move) -> Self {
        Self {
            statistics: Statistics::default(),
            led_by,
            next: None,
            first_move: NONE,
            first_child: NONE,
            child_count: 0,
            plies: 0,
            proof: Proof::Unknown,
            to_move: Seat::First,
            in_flight: 0,
            twins: NONE,
        }
    }

    /// Returns the visits, including those in flight.
    #[inline]
    pub fn begun(&self) -> u32 {
        self.statistics.visits + u32::from(self.in_flight)
    }

    /// Returns whether the moves of the node are known. They are not for a leaf, a proven end and a
    /// pruned node.
    pub fn is_expanded(&self) -> bool {
        self.first_move != NONE
    }

    /// Forgets the moves and the children.
    pub fn collapse(&mut self) {
        (self.first_move, self.next, self.child_count) = (NONE, None, 0);
    }

    pub fn children(&self) -> Range<usize> {
        let first = if self.child_count == 0 { 0 } else { self.first_child as usize };
        first..first + usize::from(self.child_count)
    }
}

/// A search tree; node 0 is the root.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    pub moves: Vec<Move>,
    /// The first free block of each class.
    pub free: [u32; 34],
    /// The most bytes for which memory may be allocated.
    pub most_bytes: usize,
    /// The most legal moves, and the most children, of any node so far.
    pub most_moves: usize,
    pub most_children: usize,
    pub transpositions: Transpositions,
}

impl Default for Tree {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            moves: Vec::new(),
            free: [NONE; 34],
            most_bytes: usize::MAX,
            most_moves: 0,
            most_children: 0,
            transpositions: Transpositions::default(),
        }
    }
}

impl Tree {
    /// Adds the root, if there is none.
    pub fn add_root(&mut self) {
        if self.nodes.is_empty() {
            self.take_block(1);
        }
    }

    /// Gives a node its legal moves.
    pub fn expand(&mut self, node: u32, to_move: Seat, moves: impl ExactSizeIterator<Item = Move>) {
        let (first, count) = (self.moves.len(), moves.len());
        let most = self.most_of_arrays();
        reserve(&mut self.moves, &mut self.nodes, 1 + count, most);
        self.most_moves = self.most_moves.max(count);
        self.moves.push(Move::counting(count));
        self.moves.extend(moves);
        let node = &mut self.nodes[node as usize];
        (node.first_move, node.to_move) = (first as u32, to_move);
        node.next = lead(&mut self.moves[first + 1..]);
    }

    fn moves_range(&self, node: u32) -> Range<usize> {
        let Some(node) = self.nodes.get(node as usize).filter(|node| node.is_expanded()) else { return 0..0 };
        let first = node.first_move as usize;
        first + 1..first + 1 + self.moves[first].count()
    }

    /// Returns the legal moves of a node, those that have nodes first. There are none without a root.
    pub fn moves_of(&self, node: u32) -> &[Move] {
        &self.moves[self.moves_range(node)]
    }

    pub fn children_of(&self, node: u32) -> &[Node] {
        &self.nodes[self.nodes.get(node as usize).map_or(0..0, Node::children)]
    }

    /// Returns the child of a node after a move, if it has a node.
    pub fn child(&self, node: u32, action: Action) -> Option<u32> {
        let place = self.children_of(node).iter().position(|child| child.led_by.action() == action)?;
        Some(self.nodes[node as usize].first_child + place as u32)
    }

    /// Returns the nodes along a path from the root.
    pub fn nodes_on(&self, path: &[u16]) -> impl Iterator<Item = u32> {
        let below = path.iter().scan(0, |node, &place| {
            *node = self.nodes[*node as usize].first_child + u32::from(place);
            Some(*node)
        });
        std::iter::once(0).chain(below)
    }

    /// Changes every node along a path from the root.
    pub fn for_each_on(&mut self, path: &[u16], mut change: impl FnMut(&mut Node)) {
        let mut node = &mut self.nodes[0];
        change(node);
        for &place in path {
            let child = node.first_child as usize + usize::from(place);
            node = &mut self.nodes[child];
            change(node);
        }
    }

    /// Adds a result to every node along a path, of a visit that was in flight (1) or not (0).
    pub fn back_up(&mut self, path: &[u16], outcome: WinDrawLoss, in_flight: u8) {
        let mut transpositions = std::mem::take(&mut self.transpositions);
        self.for_each_on(path, |node| {
            node.in_flight -= in_flight;
            node.statistics.add(outcome);
            transpositions.add(node, outcome);
        });
        self.transpositions = transpositions;
    }

    /// Lets a node share its statistics with all nodes of its position, as long as there is memory.
    pub fn join(&mut self, node: u32, moves: MoveSet) {
        let (shared, growth) = (self.transpositions.bytes(), self.transpositions.growth());
        if shared + growth <= self.most_bytes / 4 && self.bytes() + growth <= self.most_bytes {
            self.nodes[node as usize].twins = self.transpositions.place(moves);
        }
    }

    /// Records the proven result of a node, `plies` before the end.
    pub fn set_proof(&mut self, node: u32, proof: Proof, plies: u16) {
        let node = &mut self.nodes[node as usize];
        (node.proof, node.plies) = (proof, plies);
    }

    /// Adds a child for the move at this place in the list, which has none, and returns the child.
    /// Its siblings may move in memory.
    pub fn open(&mut self, node: u32, place: usize) -> u32 {
        let range = self.moves_range(node);
        let siblings = self.nodes[node as usize].children();
        let count = siblings.len();
        let moves = &mut self.moves[range];
        moves.swap(count, place);
        let (led_by, next) = (moves[count], lead(&mut moves[count + 1..]));
        if count == capacity(count) {
            let grown = self.take_block(capacity(count + 1));
            for (place, sibling) in siblings.clone().enumerate() {
                self.nodes.swap(grown as usize + place, sibling);
            }
            self.free_block(siblings);
            self.nodes[node as usize].first_child = grown;
        }
        let parent = &mut self.nodes[node as usize];
        (parent.next, parent.child_count) = (next, parent.child_count + 1);
        let child = parent.first_child + count as u32;
        self.most_children = self.most_children.max(count + 1);
        self.nodes[child as usize] = Node::new(led_by);
        child
    }

    /// Replaces the priors of a node's moves.
    pub fn set_priors(&mut self, node: u32, prior: impl Fn(Action) -> f32) {
        let (range, children) = (self.moves_range(node), self.nodes[node as usize].children());
        let moves = &mut self.moves[range];
        moves.iter_mut().for_each(|found| *found = Move::new(found.action(), prior(found.action())));
        let next = lead(&mut moves[children.len()..]);
        for (child, &found) in self.nodes[children].iter_mut().zip(&*moves) {
            child.led_by = found;
        }
        self.nodes[node as usize].next = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const _: () = assert!(size_of::<Node>() == 56 && size_of::<Move>() == 4);

    /// Returns a tree of two plies, of `legal` moves each, in which these moves were opened. The visits of a node tell
    /// which move led to it.
    fn grown(legal: u16, opened: &[u16]) -> Tree {
        let mut tree = Tree::default();
        tree.add_root();
        let moves = |shift: u16| {
            let prior = move |action: u16| f32::from((action * 7 + shift) % legal) / f32::from(legal);
            (0..legal).map(move |action| Move::new(Action(action), prior(action)))
        };
        tree.expand(0, Seat::First, moves(0));
        for (number, &action) in opened.iter().enumerate() {
            let place = tree.moves_of(0).iter().position(|found| found.action().0 == action).unwrap();
            let child = tree.open(0, place);
            tree.nodes[child as usize].statistics.visits = 1 + u32::from(action);
            tree.expand(child, Seat::Second, moves(action));
            for _ in 0..number % 5 {
                let node = tree.child(0, Action(action)).unwrap();
                let grandchild = tree.open(node, tree.children_of(node).len());
                let led_by = tree.nodes[grandchild as usize].led_by;
                tree.nodes[grandchild as usize].statistics.visits = 100 + u32::from(led_by.action().0);
            }
        }
        tree
    }

    /// Returns everything below a node, after checking the order of its moves.
    fn below(tree: &Tree, node: u32) -> Vec<(Move, u32, usize)> {
        let (moves, children) = (tree.moves_of(node), tree.children_of(node));
        let (opened, rest) = moves.split_at(children.len());
        assert!(opened.iter().eq(children.iter().map(|child| &child.led_by)));
        assert_eq!(tree.nodes[node as usize].next, rest.iter().max().copied());
        assert_eq!(tree.nodes[node as usize].next, rest.first().copied());
        let mut actions: Vec<u16> = moves.iter().map(|found| found.action().0).collect();
        actions.sort_unstable();
        assert!(actions.into_iter().eq(0..moves.len() as u16));
        let mut found = Vec::new();
        for (child, number) in children.iter().zip(tree.nodes[node as usize].children()) {
            found.push((child.led_by, child.statistics.visits, tree.moves_of(number as u32).len()));
            found.extend(below(tree, number as u32));
        }
        found
    }

    #[test]
    fn moves_and_children_go_together() {
        let opened: Vec<u16> = (0..41).map(|number| number * 9 % 41).collect();
        for count in 0..=opened.len() {
            let tree = grown(41, &opened[..count]);
            below(&tree, 0);
            for child in tree.children_of(0) {
                assert_eq!(child.statistics.visits, 1 + u32::from(child.led_by.action().0));
            }
        }
    }

    #[test]
    fn blocks_left_behind_are_used_again() {
        // Without it the root's blocks would take 1 + 2 + 3 + 4 + 6 + 8 + 12 + 16 + 24 places, and those of its
        // children up to 1 + 2 + 3 + 4.
        let tree = grown(17, &(0..17).collect::<Vec<u16>>());
        let places = 1 + 76 + 4 + 3 * (3 + 6 + 10);
        assert!(tree.nodes.len() + 20 < places, "{} of {places} places", tree.nodes.len());
    }

    #[test]
    fn kept_subtree_is_what_it_was() {
        let opened = [3, 17, 5, 20, 0, 11, 9];
        let tree = grown(23, &opened);
        for action in opened {
            let (child, mut kept) = (tree.child(0, Action(action)).unwrap(), tree.clone());
            kept.keep_subtree(child);
            assert_eq!((below(&kept, 0), kept.moves_of(0).len()), (below(&tree, child), 23));
            // It grows on.
            kept.open(0, kept.children_of(0).len());
            below(&kept, 0);
        }
        let mut whole = tree.clone();
        whole.keep_subtree(0);
        assert_eq!(below(&whole, 0), below(&tree, 0));
    }

    #[test]
    fn kept_root_does_without_pruned_visits() {
        let mut tree = grown(5, &[3, 1]);
        let child = tree.child(0, Action(1)).unwrap();
        tree.nodes[child as usize].statistics = Statistics::of(vec![0.25; 1000]);
        let known = 1 + tree.children_of(child)[0].statistics.visits;
        tree.keep_subtree(child);
        let Statistics { visits, value_sum, .. } = tree.nodes[0].statistics;
        assert_eq!((visits, value_sum), (known, 0.25 * f64::from(known)));
    }

    #[test]
    fn new_priors_are_in_order() {
        let mut tree = grown(23, &[3, 17, 5, 20, 0, 11, 9]);
        tree.set_priors(0, |action| f32::from(action.0) / 32.0);
        below(&tree, 0);
        assert!(tree.moves_of(0).iter().all(|found| found.prior() == f32::from(found.action().0) / 32.0));
        assert_eq!(tree.nodes[0].next.map(Move::action), Some(Action(22)));
    }
}
