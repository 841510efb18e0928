//! All board geometry of the program: cells and their neighbours, their pictures, and the
//! symmetries of boards. Independent of games.
//!
//! | file | what it holds |
//! |---|---|
//! | `topology` | cells with six neighbour slots, as a network sees them; permutations and symmetries |
//! | `board` | [`Board`]: topology, places, symmetries, names and pictures of one shape |
//! | `shapes` | [`Shape`]: rhombus, triangle, hexagon, edges, torus, crossings, several boards |
//! | `place` | places, labels, sides and decorations: what people see |
//! | `layout` | the parts of a board, and [`Layout`]: a board as JSON for a drawer |
//! | `text` | [`TextLayout`]: a board as text |
//! | `lattice` | the plane that shapes are cut from |
//! | `coordinates` | names of cells on a rhombus |
//! | `chains`, `rhombus_set` | connected stones; sets of cells as bits |

mod board;
mod chains;
mod coordinates;
mod lattice;
mod layout;
mod place;
mod rhombus_set;
mod shapes;
#[cfg(test)]
mod tests;
mod text;
mod topology;

pub use board::Board;
pub use chains::Chains;
pub use coordinates::{VertexError, cell_name, column_letter, parse_cell};
pub use layout::Layout;
pub(crate) use layout::Parts;
pub use place::{Arrows, Bounds, Decoration, Place, PlaceKind, Point, RimLabel, Side, Slot, point};
pub use rhombus_set::{Framed, RhombusSet};
pub use shapes::{Prefixed, Shape, rhombus};
pub(crate) use text::{Anchor, TextLabel, TextPlan};
pub use text::{TextLayout, TextScale};
pub use topology::{DIRECTIONS, NO_CELL, Permutation, STEPS, Symmetry, Topology};
