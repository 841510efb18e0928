//! Symmetries of network inputs and outputs: permutations of cells, actions, input planes and global inputs; positions
//! under them, and moves that are equivalent by symmetry.

use std::hash::{DefaultHasher, Hasher};

use hexzero_board::{Permutation, Symmetry};

use crate::{Action, NetworkView, Position};

/// A symmetry of the inputs and outputs of a network. Each part is a permutation with its inverse,
/// so any group is supported: rotations of order 3 and 6, translations of a torus, exchanges of
/// colours.
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

    /// Also permutes policy planes, in games whose planes stand for directions or colours.
    ///
    /// # Panics
    /// If two planes have the same image.
    pub fn with_planes(mut self, planes: usize, plane_to: impl Fn(usize) -> usize) -> Self {
        let (cells, kept) = (self.cells.forward().len(), &self.actions);
        let to = |action: usize| match action / cells {
            plane if plane < planes => plane_to(plane) * cells + self.cells.apply(action % cells),
            _ => kept.apply(action),
        };
        self.actions = permutation(kept.forward().len(), to);
        self
    }

    /// Also permutes the input planes.
    ///
    /// # Panics
    /// If two planes have the same image.
    pub fn with_inputs(mut self, plane_to: impl Fn(usize) -> usize) -> Self {
        self.inputs = permutation(self.inputs.forward().len(), plane_to);
        self
    }

    /// Permutes the actions by `action_to`.
    ///
    /// # Panics
    /// If two actions have the same image.
    pub fn with_actions(mut self, action_to: impl Fn(usize) -> usize) -> Self {
        self.actions = permutation(self.actions.forward().len(), action_to);
        self
    }

    /// Also permutes the global inputs.
    ///
    /// # Panics
    /// If two inputs have the same image.
    pub fn with_globals(mut self, input_to: impl Fn(usize) -> usize) -> Self {
        self.globals = permutation(self.globals.forward().len(), input_to);
        self
    }
}

/// # Panics
/// If two numbers have the same image.
fn permutation(length: usize, to: impl Fn(usize) -> usize) -> Permutation {
    let forward = (0..length).map(|from| to(from) as u16).collect();
    Permutation::new(forward).expect("a transform takes no two numbers to one place")
}

impl Position {
    /// Returns the network's inputs under a symmetry: the planes of all cells, and the global
    /// inputs.
    pub fn encoded_through(&self, symmetry: &Transform) -> (Vec<f32>, Vec<f32>) {
        let view = &self.game().view;
        let planes = view.cell_inputs;
        let mut framed = vec![0.0; self.topology().cells() * planes];
        let mut framed_globals = vec![0.0; view.global_inputs];
        self.encode(&mut framed, &mut framed_globals);
        let (mut cells, mut globals) = (framed.clone(), framed_globals.clone());
        for (cell, values) in framed.chunks_exact(planes).enumerate() {
            let there = &mut cells[symmetry.cells.apply(cell) * planes..][..planes];
            for (plane, &value) in values.iter().enumerate() {
                there[symmetry.inputs.apply(plane)] = value;
            }
        }
        for (input, value) in framed_globals.into_iter().enumerate() {
            globals[symmetry.globals.apply(input)] = value;
        }
        (cells, globals)
    }

    /// Returns the image of an action under one of
    /// [`GameBoard::symmetries`](super::GameBoard::symmetries). The symmetry acts in the mover's
    /// frame, so the action is taken there and back.
    pub fn image(&self, action: Action, symmetry: usize) -> Action {
        Action(self.frame().actions.inverse()[self.network_action(action, symmetry)])
    }

    /// Returns a legal action and its equivalents by a symmetry of the position, in ascending
    /// order.
    pub fn same_by_symmetry(&self, action: Action) -> Vec<Action> {
        let symmetries = self.game_board().symmetries();
        let unchanged = self.encoded_through(&symmetries[0]);
        let keeps = |symmetry: &Transform| self.encoded_through(symmetry) == unchanged;
        let kept = (0..symmetries.len()).filter(|&by| keeps(&symmetries[by]));
        let mut same: Vec<Action> = kept.map(|by| self.image(action, by)).collect();
        same.sort_unstable();
        same.dedup();
        same.retain(|&other| self.check(other).is_ok());
        same
    }

    /// Returns a number that positions share only if they are equal up to a symmetry of the board,
    /// or of the colours: the least hash of the network's inputs of all symmetric forms.
    pub fn likeness(&self) -> u64 {
        let form = |symmetry: &Transform| {
            let mut hasher = DefaultHasher::new();
            let (cells, globals) = self.encoded_through(symmetry);
            cells.iter().chain(&globals).for_each(|input| hasher.write_u32(input.to_bits()));
            hasher.finish()
        };
        self.game_board().symmetries().iter().map(form).min().unwrap_or_default()
    }
}
