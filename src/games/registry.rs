//! The games that the program knows.

use std::sync::{LazyLock, PoisonError, RwLock};

use super::game::Game;

/// All registered games, in the order in which they are listed; the first is the one that is meant if nothing is said.
static GAMES: LazyLock<RwLock<Vec<Game>>> = LazyLock::new(|| {
    RwLock::new(vec![
        Game::new::<super::Cachex>(),
        Game::new::<super::Hex>(),
        Game::new::<super::HexWithoutSwap>(),
        Game::new::<super::Vex>(),
        Game::new::<super::Chameleon>(),
        Game::new::<super::Imnyss>(),
        Game::new::<super::HexiFence>(),
        Game::new::<super::Infexion>(),
        Game::new::<super::InfexionBySpecification>(),
    ])
});

/// No game has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown game '{name}'; known are: {}", game_names().join(", "))]
pub struct UnknownGame {
    /// The name.
    pub name: String,
}

/// All games; the first is the one that is meant if nothing is said.
pub fn all_games() -> Vec<Game> {
    GAMES.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The names of all games.
pub fn game_names() -> Vec<&'static str> {
    all_games().into_iter().map(Game::name).collect()
}

/// The game that is meant if nothing is said.
pub fn default_game() -> Game {
    all_games()[0]
}

/// The game with this name.
///
/// # Errors
/// If there is no such game.
pub fn game_named(name: &str) -> Result<Game, UnknownGame> {
    let found = all_games().into_iter().find(|game| game.name() == name);
    found.ok_or_else(|| UnknownGame { name: name.to_owned() })
}

/// Adds a game of another crate, so that every command knows it. A game with the same name is replaced.
pub fn register(game: Game) {
    let mut games = GAMES.write().unwrap_or_else(PoisonError::into_inner);
    games.retain(|known| known.name() != game.name());
    games.push(game);
}
