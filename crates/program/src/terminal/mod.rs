//! A board in the terminal and a person at it, line by line or on the whole screen.

mod command;
mod fullscreen;
mod saving;
mod screen;
mod session;
mod table;

pub use fullscreen::{can_be_shown, play_on_screen};
pub use screen::Palette;
pub use session::Session;
pub use table::Options;
