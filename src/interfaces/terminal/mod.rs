//! A board in the terminal and a person at it.

mod command;
mod screen;
mod session;

pub use screen::Palette;
pub use session::{Options, Session};
