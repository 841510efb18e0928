//! A position through the symmetries of its game, and the moves that are the same by them.

use super::action::Action;
use super::position::Position;
use super::transform::Transform;

impl Position {
    /// Returns the network's inputs through a symmetry: the planes of all cells, and the global inputs.
    pub fn encoded_through(&self, symmetry: &Transform) -> (Vec<f32>, Vec<f32>) {
        let view = &self.game().view;
        let planes = view.cell_inputs;
        let mut framed = vec![0.0; self.topology().cells() * planes];
        let mut framed_globals = vec![0.0; view.global_inputs];
        self.encode(&mut framed, &mut framed_globals);
        let mut cells = vec![0.0; framed.len()];
        for (cell, values) in framed.chunks_exact(planes).enumerate() {
            let there = &mut cells[symmetry.cells.apply(cell) * planes..][..planes];
            for (plane, &value) in values.iter().enumerate() {
                there[symmetry.inputs.apply(plane)] = value;
            }
        }
        let mut globals = vec![0.0; framed_globals.len()];
        for (input, value) in framed_globals.into_iter().enumerate() {
            globals[symmetry.globals.apply(input)] = value;
        }
        (cells, globals)
    }

    /// Maps an action by one of [`GameBoard::symmetries`](super::GameBoard::symmetries), which acts in the mover's frame:
    /// there, through it, and back.
    pub fn image(&self, action: Action, symmetry: usize) -> Action {
        Action(self.frame().actions.inverse()[self.network_action(action, symmetry)])
    }

    /// Returns a legal action and those that are the same by a symmetry of the position, in ascending order.
    pub fn same_by_symmetry(&self, action: Action) -> Vec<Action> {
        let symmetries = self.on().symmetries();
        let (cells, globals) = self.encoded_through(&symmetries[0]);
        let keeps = |symmetry: &Transform| self.encoded_through(symmetry) == (cells.clone(), globals.clone());
        let kept = (0..symmetries.len()).filter(|&by| keeps(&symmetries[by]));
        let mut same: Vec<Action> = kept.map(|by| self.image(action, by)).collect();
        same.sort_unstable();
        same.dedup();
        same.retain(|&other| self.check(other).is_ok());
        same
    }
}
