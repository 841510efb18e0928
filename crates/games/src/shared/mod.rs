//! Code for several games.
//!
//! | file | subject |
//! |---|---|
//! | `rhombus` | the players' sides, frames and symmetries of a rhombus; hash keys of stones |
//! | `rhombus_sets/` | stones on a rhombus as sets of cells: choose it where stones move, change hands or are taken |
//! | `rhombus_chains` | stones on a rhombus as chains: choose it where they stay, and may have no owner |
//! | `two_colours` | on top of the chains: stones of two colours without owners |
//! | `words` | the seats, the swap and the input planes in words |
//! | `joining/` | chains on boards of any shape: choose it where stones stay and the board is no rhombus, or several |

pub mod joining;
pub mod rhombus;
pub mod rhombus_chains;
pub mod rhombus_sets;
pub mod two_colours;
pub mod words;
