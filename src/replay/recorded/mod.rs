//! A game as files hold it, in no particular format: its tree of moves, replayed by the rules.

mod faults;
mod move_tree;
mod recorded_game;
mod replaying;
mod settled;
mod text;
mod tree_walk;
mod warnings;

pub use faults::{Entry, GameFault, InterchangeError, NotResigned};
pub use move_tree::{Marks, MoveNode, MoveTree};
pub use recorded_game::{GameForm, Labels, RecordedGame};
pub use replaying::{ReplayOptions, ReplaySummary};
pub use text::{position_text, result_name};
pub use warnings::GameWarning;
pub(in crate::replay) use {recorded_game::Comments, text::quoted, tree_walk::SWAP_SIDES};
