//! hexzero with one more game: every command knows it.

use std::process::ExitCode;

fn main() -> ExitCode {
    my_game::register_games();
    hexzero::interfaces::run()
}
