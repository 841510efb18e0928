//! hexzero with three more games, each small enough to read in a minute. It shows how a game of your own, in a crate of
//! your own, comes into every command: implement [`hexzero::games::Rules`], register the game, and hand over to the
//! command line.
//!
//! ```sh
//! cargo run --release --example toys -- play --game toy-torus
//! cargo run --release --example toys -- serve --game toy-hexagon
//! ```
//!
//! The tests play them, too: they see to it that nothing in the program takes a board for a rhombus, a move for a cell,
//! or a symmetry for its own inverse.

mod hexagon;
mod torus;
mod two_boards;

use std::process::ExitCode;

use hexzero::games::{Game, register};

fn main() -> ExitCode {
    register(Game::new::<hexagon::Signs>());
    register(Game::new::<torus::Rings>());
    register(Game::new::<two_boards::Twins>());
    hexzero::interfaces::run()
}
