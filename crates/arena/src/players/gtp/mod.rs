//! Other programs as players, over the Go Text Protocol.

mod options;
mod player;
mod process_group;
mod program;
mod swap;

pub use options::ProgramOptions;
pub use player::GtpPlayer;
pub use process_group::end_programs;
pub use program::ProgramError;
pub use swap::SwapStyle;
