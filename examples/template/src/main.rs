//! hexzero with one more game: every command knows it.

use std::process::ExitCode;

use hexzero::games::{Game, register};

fn main() -> ExitCode {
    register(Game::new::<my_game::game::Fours>());
    hexzero::interfaces::run()
}
