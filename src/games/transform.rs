//! Symmetries of network inputs and outputs: permutations of cells, actions, input planes and global inputs.

use crate::board::{Permutation, Symmetry};

use super::info::NetworkView;

/// A symmetry of the inputs and outputs of a network. Each part is a permutation with its inverse, so groups of any
/// kind serve: rotations of order 3 and 6, translations of a torus, exchanges of colours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transform {
    /// The permutation of the cells.
    pub cells: Permutation,
    /// The permutation of the actions, global ones included.
    pub actions: Permutation,
    /// The permutation of the input planes.
    pub inputs: Permutation,
    /// The permutation of the global inputs.
    pub globals: Permutation,
}

impl Transform {
    /// Returns the identity on a board with `cells` cells.
    pub fn identity(cells: usize, view: &NetworkView) -> Self {
        Self::of_cells(Permutation::identity(cells), view)
    }

    /// Returns the transform of a board symmetry that keeps input planes and policy planes.
    pub fn of(symmetry: &Symmetry, view: &NetworkView) -> Self {
        Self::of_cells(symmetry.cells.clone(), view)
    }

    fn of_cells(cells: Permutation, view: &NetworkView) -> Self {
        let inputs = Permutation::identity(view.cell_inputs);
        let globals = Permutation::identity(view.global_inputs);
        let actions = Permutation::identity(view.policy_planes * cells.forward().len() + view.global_actions);
        Self { cells, actions, inputs, globals }.with_planes(view.policy_planes, |plane| plane)
    }

    /// Permutes policy planes too, in games whose planes stand for directions or colours.
    ///
    /// # Panics
    /// If two go to the same place.
    pub fn with_planes(mut self, planes: usize, plane_to: impl Fn(usize) -> usize) -> Self {
        let (cells, kept) = (self.cells.forward().len(), &self.actions);
        let to = |action: usize| match action / cells {
            plane if plane < planes => plane_to(plane) * cells + self.cells.apply(action % cells),
            _ => kept.apply(action),
        };
        self.actions = permutation(kept.forward().len(), to);
        self
    }

    /// Permutes the input planes too.
    ///
    /// # Panics
    /// If two go to the same place.
    pub fn with_inputs(mut self, plane_to: impl Fn(usize) -> usize) -> Self {
        self.inputs = permutation(self.inputs.forward().len(), plane_to);
        self
    }

    /// Permutes the actions by `action_to`.
    ///
    /// # Panics
    /// If two go to the same place.
    pub fn with_actions(mut self, action_to: impl Fn(usize) -> usize) -> Self {
        self.actions = permutation(self.actions.forward().len(), action_to);
        self
    }

    /// Permutes the global inputs too.
    ///
    /// # Panics
    /// If two go to the same place.
    pub fn with_globals(mut self, input_to: impl Fn(usize) -> usize) -> Self {
        self.globals = permutation(self.globals.forward().len(), input_to);
        self
    }
}

/// # Panics
/// If two numbers go to the same place.
fn permutation(length: usize, to: impl Fn(usize) -> usize) -> Permutation {
    let forward = (0..length).map(|from| to(from) as u16).collect();
    Permutation::new(forward).expect("a transform takes no two numbers to one place")
}
