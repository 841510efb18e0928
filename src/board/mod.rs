//! The only geometry in the program: cells and their neighbours, their pictures, and the symmetries of boards.
//! Independent of games.
//!
//! | file | what it holds |
//! |---|---|
//! | `topology` | cells with six neighbour slots: what a network sees |
//! | `board` | [`Board`]: topology, places, symmetries, names and pictures of one shape |
//! | `shapes` | [`Shape`]: rhombus, triangle, hexagon, edges, torus, crossings, several boards |
//! | `place` | places, labels, sides and decorations: what people see |
//! | `layout` | [`Layout`]: a board as JSON for a drawer |
//! | `text` | [`TextLayout`]: a board as text |
//! | `symmetry` | permutations of cells, places, sides and directions |
//! | `lattice`, `arrows` | the plane that shapes are cut from, and ways over it by keys |
//! | `coordinates`, `drawing` | names and pictures of rhombi by their side alone |
//! | `chains`, `rhombus_set` | connected stones; sets of cells as bits |

mod arrows;
#[expect(clippy::module_inception, reason = "the file has the name of its one subject")]
mod board;
mod chains;
mod coordinates;
mod drawing;
mod lattice;
mod layout;
mod parts;
mod place;
mod rhombus_set;
mod shapes;
mod symmetry;
#[cfg(test)]
mod tests;
mod text;
mod topology;

pub use board::Board;
pub use chains::Chains;
pub use coordinates::{VertexError, cell_name, column_letter, parse_cell};
pub use drawing::draw_rhombus;
pub use layout::Layout;
pub use parts::Parts;
pub use place::{Arrows, Bounds, Decoration, Place, PlaceKind, Point, RimLabel, Side, Slot, point};
pub use rhombus_set::{Framed, RhombusSet};
pub use shapes::{Prefixed, Shape, rhombus};
pub use symmetry::{Permutation, Symmetry};
pub use text::{Anchor, TextLabel, TextLayout, TextPlan, TextScale};
pub use topology::{DIRECTIONS, NO_CELL, STEPS, Topology};
