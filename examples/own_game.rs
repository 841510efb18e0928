//! A game of your own, from outside the crate: that of the template in `examples/template/`, which is a crate to copy
//! (docs/tutorials/inventors.md).
//!
//! Implement [`hexzero::games::Rules`], register the game, run the command line, and every command knows it: `play`,
//! `serve`, `train`, `arena`, `analyze` and the rest. `examples/toys/` has games with more to them: moves of several picks, captures,
//! other boards.
//!
//! ```sh
//! cargo run --release --example own_game -- serve --game fours
//! cargo run --release --example own_game -- train --game fours --minutes 5
//! ```

#[path = "template/src/game.rs"]
mod game;

use std::process::ExitCode;

use hexzero::games::{Game, register};

fn main() -> ExitCode {
    register(Game::new::<game::Fours>());
    hexzero::interfaces::run()
}
