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

    /// The part of the tree below a node, which becomes the root of a new tree.
    pub fn subtree(&self, root: u32) -> Self {
        let mut kept = Self::default();
        // Pairs of a node here and the edge there that must point to its copy.
        let mut pending = vec![(root, None)];
        while let Some((old, parent_edge)) = pending.pop() {
            let node = &self.nodes[old as usize];
            let first_edge = kept.edges.len() as u32;
            let new = kept.nodes.len() as u32;
            kept.nodes.push(Node { first_edge, ..node.clone() });
            kept.edges.extend_from_slice(&self.edges[node.edges()]);
            if let Some(edge) = parent_edge {
                let edge: &mut Edge = &mut kept.edges[edge as usize];
                edge.child = new;
            }
            for edge in first_edge..first_edge + node.edge_count {
                let child = kept.edges[edge as usize].child;
                if child != NO_NODE {
                    pending.push((child, Some(edge)));
                }
            }
        }
        kept
    }
}
