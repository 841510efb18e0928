//! Nodes and edges, each kind in one growing array, and proven results.

use std::ops::Range;

use hexzero_games::{Action, Seat, WinDrawLoss};

/// The child of an edge that has not been expanded.
pub(super) const NO_NODE: u32 = u32::MAX;

/// Sums over visits, all from the *first* player's point of view: values belong to players, not to
/// plies.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Statistics {
    pub visits: u32,
    /// Sum of the values.
    pub value_sum: f32,
    /// Sum of the squared values.
    pub square_sum: f32,
    /// Sum of the probabilities of a draw.
    pub draw_sum: f32,
}

impl Statistics {
    /// Adds a visit that ended in a position where the first player has these chances.
    pub fn add(&mut self, outcome: WinDrawLoss) {
        let value = outcome.value();
        self.visits += 1;
        self.value_sum += value;
        self.square_sum += value * value;
        self.draw_sum += outcome.draw;
    }

    /// Returns the mean of the visits from the first player's point of view.
    pub fn outcome(&self) -> WinDrawLoss {
        if self.visits == 0 {
            return WinDrawLoss::EVEN;
        }
        let visits = self.visits as f32;
        let (value, draw) = (self.value_sum / visits, self.draw_sum / visits);
        WinDrawLoss { win: (1.0 - draw + value) / 2.0, draw, loss: (1.0 - draw - value) / 2.0 }
    }

    /// Returns the variance of the visits' values around their mean, with a prior of `weight`
    /// visits of variance `prior`.
    pub fn variance(&self, prior: f32, weight: f32) -> f32 {
        let visits = (self.visits as f32).max(1.0);
        let around_mean = (self.square_sum - self.value_sum * self.value_sum / visits).max(0.0);
        (around_mean + prior * weight) / (self.visits as f32 + weight)
    }
}

/// A move from a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub action: Action,
    pub proof: Proof,
    /// Visits in flight: leaves below that are being evaluated. Action, proof and this field share
    /// four bytes.
    pub in_flight: u8,
    pub prior: f32,
    pub child: u32,
    /// Statistics of the visits through this edge.
    pub statistics: Statistics,
}

impl Edge {
    pub fn new(action: Action, prior: f32) -> Self {
        let statistics = Statistics::default();
        Self { action, proof: Proof::Unknown, in_flight: 0, prior, child: NO_NODE, statistics }
    }

    /// Returns the visits, including those in flight.
    pub fn begun(&self) -> u32 {
        self.statistics.visits + u32::from(self.in_flight)
    }
}

/// A visited position.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub to_move: Seat,
    /// The proven result: the game is over, can be won at once, or is decided by the proofs of its
    /// successors. Each node is reached by only one sequence of moves, so a draw by repetition is
    /// as certain as a win.
    pub proof: Proof,
    /// For a proven node, the most plies to the end of the game.
    pub plies: u16,
    pub edge_count: u16,
    /// Visits in flight, as in [`Edge`].
    pub in_flight: u16,
    pub first_edge: u32,
    pub statistics: Statistics,
}

impl Node {
    pub fn edges(&self) -> Range<usize> {
        let first = self.first_edge as usize;
        first..first + usize::from(self.edge_count)
    }
}

/// The size of a node in bytes, and of an edge.
pub(super) const UNIT: usize = size_of::<Node>();
const _: () = assert!(UNIT == size_of::<Edge>());

/// A search tree; node 0 is the root.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// The most nodes and edges, together, for which memory may be allocated.
    most_units: usize,
    /// The most edges of any node so far.
    most_edges: usize,
}

impl Default for Tree {
    fn default() -> Self {
        Self { nodes: Vec::new(), edges: Vec::new(), most_units: usize::MAX, most_edges: 0 }
    }
}

/// Makes room in `growing` for `needed` more elements. Doubles its memory, but takes at most half
/// of what `other` leaves of `most`, the limit of both; if need be, frees the unused memory of
/// `other`.
fn reserve<T, U>(growing: &mut Vec<T>, other: &mut Vec<U>, needed: usize, most: usize) {
    if growing.capacity() - growing.len() >= needed {
        return;
    }
    let mut left = most.saturating_sub(growing.len() + other.capacity());
    if left < needed {
        other.shrink_to_fit();
        left = most.saturating_sub(growing.len() + other.capacity());
    }
    growing.reserve_exact(growing.len().min(left / 2).max(needed));
}

impl Tree {
    /// Adds a node with its edges and returns its number.
    pub fn add(&mut self, to_move: Seat, edges: impl ExactSizeIterator<Item = Edge>) -> u32 {
        let first_edge = self.edges.len();
        reserve(&mut self.edges, &mut self.nodes, edges.len(), self.most_units);
        reserve(&mut self.nodes, &mut self.edges, 1, self.most_units);
        self.most_edges = self.most_edges.max(edges.len());
        self.edges.extend(edges);
        self.nodes.push(Node {
            to_move,
            proof: Proof::Unknown,
            plies: 0,
            edge_count: (self.edges.len() - first_edge) as u16,
            in_flight: 0,
            first_edge: first_edge as u32,
            statistics: Statistics::default(),
        });
        self.nodes.len() as u32 - 1
    }

    /// Adds a node with a proven result, `plies` before the end.
    pub fn add_proven(&mut self, to_move: Seat, proof: Proof, plies: u16) -> u32 {
        let number = self.add(to_move, std::iter::empty());
        let node = &mut self.nodes[number as usize];
        (node.proof, node.plies) = (proof, plies);
        number
    }

    /// Returns the edges of a node.
    pub fn edges_of(&self, node: u32) -> &[Edge] {
        &self.edges[self.nodes[node as usize].edges()]
    }

    /// Returns the memory allocated for the tree, in bytes.
    pub fn bytes(&self) -> usize {
        (self.nodes.capacity() + self.edges.capacity()) * UNIT
    }

    /// Limits the memory allocated from now on, and frees unused memory beyond the limit.
    pub fn bound(&mut self, bytes: usize) {
        self.most_units = bytes / UNIT;
        if self.bytes() > bytes {
            self.free_unused();
        }
    }

    /// Returns the number of nodes and edges of the largest expansion so far.
    pub fn expansion(&self) -> usize {
        1 + self.most_edges
    }

    /// Returns whether `bytes` have room for this many more expansions.
    pub fn has_room(&self, bytes: usize, expansions: usize) -> bool {
        self.nodes.len() + self.edges.len() + expansions * self.expansion() <= bytes / UNIT
    }

    pub(super) fn free_unused(&mut self) {
        self.nodes.shrink_to_fit();
        self.edges.shrink_to_fit();
    }

    /// Clears the tree but keeps its memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    /// Discards all but the subtree below a node, which becomes the root. The subtree moves to the
    /// front of the same memory. A node always comes after its parent, so nothing is overwritten
    /// before it is moved.
    pub fn keep_subtree(&mut self, root: u32) {
        let mut new_number = vec![NO_NODE; self.nodes.len()];
        let mut is_kept = vec![false; self.nodes.len()];
        is_kept[root as usize] = true;
        let (mut node_count, mut edge_count) = (0, 0);
        for old in root as usize..self.nodes.len() {
            if !is_kept[old] {
                continue;
            }
            let edges = self.nodes[old].edges();
            for edge in &self.edges[edges.clone()] {
                if edge.child != NO_NODE {
                    is_kept[edge.child as usize] = true;
                }
            }
            new_number[old] = node_count as u32;
            self.nodes[node_count] = Node { first_edge: edge_count as u32, ..self.nodes[old].clone() };
            self.edges.copy_within(edges.clone(), edge_count);
            node_count += 1;
            edge_count += edges.len();
        }
        self.nodes.truncate(node_count);
        self.edges.truncate(edge_count);
        for edge in self.edges.iter_mut().filter(|edge| edge.child != NO_NODE) {
            edge.child = new_number[edge.child as usize];
        }
    }
}

/// The proven result of a position, or of the position after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    Unknown,
    Win(Seat),
    Draw,
}

impl Proof {
    /// Converts a winner, or `None` for a draw, to a proof.
    pub fn of(winner: Option<Seat>) -> Self {
        winner.map_or(Self::Draw, Self::Win)
    }

    /// Ranks the proof for a player: 2 for a win, 0 for a loss, 1 otherwise.
    pub fn rank(self, player: Seat) -> u8 {
        match self {
            Self::Win(winner) if winner == player => 2,
            Self::Win(_) => 0,
            Self::Draw | Self::Unknown => 1,
        }
    }

    /// Returns the first player's chances, which are certain, or `None` if nothing is proven.
    pub fn outcome(self) -> Option<WinDrawLoss> {
        match self {
            Self::Unknown => None,
            Self::Draw => Some(WinDrawLoss::DRAW),
            Self::Win(winner) => Some(WinDrawLoss::certain(winner.sign())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_edges_are_small() {
        assert_eq!((size_of::<Node>(), size_of::<Edge>()), (28, 28));
    }

    #[test]
    fn variance_by_hand() {
        // Values 1, 1, -1: the mean is 1/3, and the squared deviations sum to 4/9 + 4/9 + 16/9 =
        // 8/3.
        let mut statistics = Statistics::default();
        [1.0, 1.0, -1.0].into_iter().for_each(|value| statistics.add(WinDrawLoss::certain(value)));
        assert!((statistics.variance(0.0, 0.0) - 8.0 / 9.0).abs() < 1e-6);
        // With a prior of two visits of variance 0.5: (8/3 + 1) / 5.
        assert!((statistics.variance(0.5, 2.0) - 11.0 / 15.0).abs() < 1e-6);
    }
}
