//! Hex and Y: geometry, inferior cells, virtual connections, and the order of moves.

mod analysis;
mod connections;
mod geometry;
mod inferior;
mod resistance;
mod stones;

pub use analysis::{Analysis, Analyst, Knowledge, needed};
pub use connections::{Connections, Until};
pub(crate) use connections::{Derivation, MAX_FULL, MAX_OR, MAX_SEMI};
pub use geometry::{Cells, Geometry, MAX_SIZE, bit, members};
pub use inferior::{Filled, Step, fill};
pub use resistance::Resistance;
pub use stones::Stones;
