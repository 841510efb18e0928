//! The game, as a library: for the program in `main.rs`, and for the tests.

pub mod game;
