//! Symmetries as the network meets them: where cells, actions and whatever tells directions apart go.

use crate::board::{Permutation, Symmetry};

use super::info::NetworkView;

/// Where a symmetry takes everything that a network reads and says. Each part is a permutation with its inverse, so
/// groups of any kind serve: rotations of order 3 and 6, translations of a torus, exchanges of colours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transform {
    /// Of the cells.
    pub cells: Permutation,
    /// Of the actions, global ones included.
    pub actions: Permutation,
    /// Of the input planes.
    pub inputs: Permutation,
    /// Of the inputs that belong to the whole position.
    pub globals: Permutation,
}

impl Transform {
    /// The one that changes nothing, for a board with this many cells.
    pub fn identity(cells: usize, view: &NetworkView) -> Self {
        Self::of_cells(Permutation::identity(cells), view)
    }

    /// A symmetry of the board under which input planes and policy planes stay what they are.
    pub fn of(symmetry: &Symmetry, view: &NetworkView) -> Self {
        Self::of_cells(symmetry.cells.clone(), view)
    }

    fn of_cells(cells: Permutation, view: &NetworkView) -> Self {
        let inputs = Permutation::identity(view.cell_inputs);
        let globals = Permutation::identity(view.global_inputs);
        let actions = Permutation::identity(view.policy_planes * cells.forward().len() + view.global_actions);
        Self { cells, actions, inputs, globals }.with_planes(view.policy_planes, |plane| plane)
    }

    /// The same with policy planes exchanged, where planes tell directions or colours apart.
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

    /// The same with the input planes exchanged.
    ///
    /// # Panics
    /// If two go to the same place.
    pub fn with_inputs(mut self, plane_to: impl Fn(usize) -> usize) -> Self {
        self.inputs = permutation(self.inputs.forward().len(), plane_to);
        self
    }

    /// The same with the actions taken elsewhere.
    ///
    /// # Panics
    /// If two go to the same place.
    pub fn with_actions(mut self, action_to: impl Fn(usize) -> usize) -> Self {
        self.actions = permutation(self.actions.forward().len(), action_to);
        self
    }

    /// The same with the inputs of the whole position exchanged.
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
