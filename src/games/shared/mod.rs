//! What several games have in common.
//!
//! | file | subject |
//! |---|---|
//! | `rhombus` | the players' sides, frames and symmetries of a rhombus |
//! | `fixed_stones` | stones on a rhombus that stay where they are, of a few kinds |
//! | `moving_stones/` | stones on a rhombus that move or change hands |
//! | `two_colours` | stones of two colours that belong to nobody |
//! | `joining/` | stones that stay where they are, on boards of any shape, and chains that join sides |

pub mod fixed_stones;
pub mod joining;
pub mod moving_stones;
pub mod rhombus;
pub mod two_colours;
