//! Cells, who neighbours whom, their names, sets of them, and pictures of them. Knows no game.

mod chains;
mod coordinates;
mod drawing;
mod rhombus_set;
mod topology;

pub use chains::Chains;
pub use coordinates::{VertexError, cell_name, column_letter, parse_cell};
pub use drawing::draw_rhombus;
pub use rhombus_set::{Framed, RhombusSet};
pub use topology::{DIRECTIONS, NO_CELL, STEPS, Topology, rhombus};
