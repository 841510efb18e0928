//! Exact results at the root, from the game's own solver of ends.

use super::proof::Proof;
use super::tree::NO_NODE;
use super::tree_search::{Search, decided};

impl Search {
    /// Turns the game's solver on or off. Turning it off clears the tree, which may hold its results.
    pub(super) fn use_exact_ends(&mut self, exact: bool) {
        self.wants_ends = exact;
        if exact {
            self.look_for_ends();
        } else if self.ends.take().is_some() {
            self.forget();
        }
    }

    /// Gets a solver as soon as the game has one for what follows.
    pub(super) fn look_for_ends(&mut self) {
        if self.wants_ends && self.ends.is_none() {
            self.ends = self.settings.exact.solver(&self.position);
        }
    }

    /// Proves the moves of the root, if its own result is exact. However few visits follow, the move played then keeps the
    /// result, and wins as fast as can be: otherwise the search could choose a longer win at every move and never finish.
    pub(super) fn prove_moves(&mut self) {
        let Some(root) = self.tree.nodes.first() else { return };
        let (player, edges, proof) = (root.to_move, root.edges(), root.proof);
        let Some(end) = self.ends.as_mut().filter(|_| proof == Proof::Unknown) else { return };
        let Some(end) = end.solve(&self.position) else { return };
        let wins = Proof::of(end.winner) == Proof::Win(player);
        let mut next = self.position.clone();
        for edge in edges {
            let known = self.tree.edges[edge].child;
            if self.tree.edges[edge].proof != Proof::Unknown {
                continue;
            }
            next.clone_from(&self.position);
            next.play(self.tree.edges[edge].action);
            let Some((proof, plies)) = decided(&next, self.ends.as_deref_mut()) else { continue };
            if known == NO_NODE {
                self.tree.edges[edge].child = self.tree.add_proven(next.to_move(), proof, plies);
            } else {
                let node = &mut self.tree.nodes[known as usize];
                (node.proof, node.plies) = (proof, plies);
            }
            self.tree.edges[edge].proof = proof;
            if wins && proof == Proof::Win(player) && plies < end.plies {
                break;
            }
        }
        if let Some((proof, plies)) = self.decided_by_moves(0) {
            let root = &mut self.tree.nodes[0];
            (root.proof, root.plies) = (proof, plies);
        }
    }
}
