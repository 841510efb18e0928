//! hexzero with three more games, each small enough to read in a minute. Shows how a game in a crate of your own joins
//! every command: implement [`hexzero::games::Rules`], register the game, and call the
//! command line.
//!
//! ```sh
//! cargo run --release --example toys -- play --game toy-torus
//! cargo run --release --example toys -- serve --game toy-hexagon
//! ```
//!
//! The tests play them, too: they check that no code assumes that boards are rhombi, moves are cells, or symmetries are
//! their own inverses.

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
