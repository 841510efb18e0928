//! Nodes and edges, each kind in one growing array.

use std::ops::Range;

use crate::games::{Action, Player, WinDrawLoss};

/// The child of an edge that has not been expanded.
pub(super) const NO_NODE: u32 = u32::MAX;

/// What is known for certain of the position after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    Unknown,
    Win(Player),
    Draw,
}

impl Proof {
    /// The proof that a certain result, for the first player, amounts to.
    pub fn of(decided: WinDrawLoss) -> Self {
        match decided.value() {
            value if value > 0.5 => Self::Win(Player::First),
            value if value < -0.5 => Self::Win(Player::Second),
            _ => Self::Draw,
        }
    }

    /// How good it is to a player: 2 for a win, 0 for a loss, 1 for anything else.
    pub fn rank(self, player: Player) -> u8 {
        match self {
            Self::Win(winner) if winner == player => 2,
            Self::Win(_) => 0,
            Self::Draw | Self::Unknown => 1,
        }
    }
}

/// A move from a node. Sums are over the visits that took it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub action: Action,
    /// Fits beside the action: an edge has 24 bytes.
    pub proof: Proof,
    pub prior: f32,
    pub visits: u32,
    /// Of the value to the *first* player: values belong to players, not to plies.
    pub value_sum: f32,
    /// Of the chance of a draw.
    pub draw_sum: f32,
    pub child: u32,
}

impl Edge {
    pub fn new(action: Action, prior: f32) -> Self {
        Self { action, proof: Proof::Unknown, prior, visits: 0, value_sum: 0.0, draw_sum: 0.0, child: NO_NODE }
    }
}

/// A position that has been looked at.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub to_move: Player,
    pub first_edge: u32,
    pub edge_count: u32,
    pub visits: u32,
    /// Sums over the visits, as in [`Edge`].
    pub value_sum: f32,
    pub draw_sum: f32,
    /// The result for the first player where it is certain: the game is over, can be won at once, or
    /// follows from what is certain of the positions after it. Each node is reached by one sequence of
    /// moves only, so a draw by repetition is as certain as a win.
    pub decided: Option<WinDrawLoss>,
}

impl Node {
    pub fn edges(&self) -> Range<usize> {
        self.first_edge as usize..(self.first_edge + self.edge_count) as usize
    }

    /// Counts a visit with this value to the first player and this chance of a draw.
    pub fn add(&mut self, value: f32, draw: f32) {
        self.visits += 1;
        self.value_sum += value;
        self.draw_sum += draw;
    }

    /// The mean of the visits, as the first player sees it.
    pub fn outcome(&self) -> WinDrawLoss {
        mean_outcome(self.value_sum, self.draw_sum, self.visits)
    }
}

/// Win, draw and loss from sums of `win - loss` and of `draw`.
pub(super) fn mean_outcome(value_sum: f32, draw_sum: f32, visits: u32) -> WinDrawLoss {
    if visits == 0 {
        return WinDrawLoss::EVEN;
    }
    let (value, draw) = (value_sum / visits as f32, draw_sum / visits as f32);
    WinDrawLoss { win: (1.0 - draw + value) / 2.0, draw, loss: (1.0 - draw - value) / 2.0 }
}

/// A search tree; node 0 is the root.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

impl Tree {
    /// Adds a node with its edges and gives its number.
    pub fn add(&mut self, to_move: Player, edges: impl Iterator<Item = Edge>, decided: Option<WinDrawLoss>) -> u32 {
        let first_edge = self.edges.len() as u32;
        self.edges.extend(edges);
        let edge_count = self.edges.len() as u32 - first_edge;
        self.nodes.push(Node { to_move, first_edge, edge_count, visits: 0, value_sum: 0.0, draw_sum: 0.0, decided });
        self.nodes.len() as u32 - 1
    }

    /// Forgets everything but the memory it took.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    /// Forgets all but the part of the tree below a node, which becomes the root. What is kept moves to the
    /// front of the same memory: a node always comes after its parent, so nothing is overwritten that is
    /// still to be moved.
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
