//! The game, as a library: for the program in `main.rs`, for the engine in a browser tab, and for the tests.

pub mod game;

// The engine's functions for a browser tab.
#[cfg(target_family = "wasm")]
use hexzero_browser as _;

/// Registers the game. The page in a browser tab calls it by its name.
#[unsafe(no_mangle)]
pub extern "C" fn register_games() {
    hexzero_games::register(hexzero_games::Game::new::<game::Fours>());
}
