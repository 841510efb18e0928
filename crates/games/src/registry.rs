//! The registered games.

use std::sync::{LazyLock, PoisonError, RwLock};

use super::game::Game;

/// All registered games, in listing order; the first is the default.
static GAMES: LazyLock<RwLock<Vec<Game>>> = LazyLock::new(|| RwLock::new(built_in_games()));

/// Returns the games of this crate.
fn built_in_games() -> Vec<Game> {
    vec![
        Game::new::<super::cachex::Cachex>(),
        Game::new::<super::hex::Hex>(),
        Game::new::<super::hex::HexWithoutSwap>(),
        Game::new::<super::y::Y>(),
        Game::new::<super::y::YWithSwap>(),
        Game::new::<super::tack::Tack>(),
        Game::new::<super::tack::TackWithSwap>(),
        Game::new::<super::fan::Fan>(),
        Game::new::<super::fan::FanWithSwap>(),
        Game::new::<super::link::Link>(),
        Game::new::<super::link::LinkWithSwap>(),
        Game::new::<super::vex::Vex>(),
        Game::new::<super::chameleon::Chameleon>(),
        Game::new::<super::imnyss::Imnyss>(),
        Game::new::<super::dozer::Dozer>(),
        Game::new::<super::dozer::DozerWithoutSwap>(),
        Game::new::<super::twelve_star::TwelveStar>(),
        Game::new::<super::three_connection::ThreeConnection>(),
        Game::new::<super::quickwin::Quickwin>(),
        Game::new::<super::gale::Gale>(),
        Game::new::<super::hexifence::HexiFence>(),
        Game::new::<super::infexion::Infexion>(),
        Game::new::<super::infexion::InfexionBySpecification>(),
    ]
}

/// An error: no game has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown game '{name}'; known are: {}", game_names().join(", "))]
pub struct UnknownGame {
    /// The name.
    pub name: String,
}

/// Lists all games; the first is the default.
pub fn all_games() -> Vec<Game> {
    GAMES.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Lists the names of all games.
pub fn game_names() -> Vec<&'static str> {
    all_games().into_iter().map(Game::name).collect()
}

/// Returns the default game.
pub fn default_game() -> Game {
    all_games()[0]
}

/// Returns the game with this name.
///
/// # Errors
/// If there is no such game.
pub fn game_named(name: &str) -> Result<Game, UnknownGame> {
    let found = all_games().into_iter().find(|game| game.name() == name);
    found.ok_or_else(|| UnknownGame { name: name.to_owned() })
}

/// Returns whether a game belongs to this crate, rather than being registered by another.
pub fn is_built_in(game: Game) -> bool {
    built_in_games().contains(&game)
}

/// Registers a game of another crate for every command. Replaces a game with the same name.
pub fn register(game: Game) {
    let mut games = GAMES.write().unwrap_or_else(PoisonError::into_inner);
    games.retain(|known| known.name() != game.name());
    games.push(game);
}
