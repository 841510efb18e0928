//! Proofs of won positions.
//!
//! | module | subject |
//! |---|---|
//! | `by_rules` | proofs of other games, from their rules alone |
//! | `certificate` | proofs that an independent checker can follow |
//! | `guide` | the order of moves, by resistance or a network |
//! | `hex` | what is known of a position of Hex or Y without a search |
//! | `position` | positions of the game as the solver sees them |
//! | `search` | depth-first proof-number search |

pub mod by_rules;
mod certificate;
mod guide;
pub mod hex;
mod position;
mod search;

pub use guide::{Guide, NetworkGuide};
pub use position::cells_of;
pub use search::{Options, Progress, Prover, TableError, Verdict, Watch};
