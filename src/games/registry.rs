//! From the name of a game to its rules: how a program that learns at run time which game is meant
//! gets to code that is written for any one game.

use super::game::Game;

/// What is to be done for whichever game a name means; see [`with_game`].
pub trait ForGame {
    /// What comes of it.
    type Output;

    /// Does it for a game.
    fn for_game<G: Game>(self) -> Self::Output;
}

/// No game has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown game '{name}'; known are: {}", GAME_NAMES.join(", "))]
pub struct UnknownGame {
    /// The name.
    pub name: String,
}

/// Registers the games: names and dispatches each type of the list.
macro_rules! games {
    ($($game:ty),+ $(,)?) => {
        /// The names of all games; the first is the one that is meant if nothing is said.
        pub const GAME_NAMES: &[&str] = &[$(<$game>::NAME),+];

        /// Does something for the game with this name.
        ///
        /// # Errors
        /// If there is no such game.
        pub fn with_game<W: ForGame>(name: &str, work: W) -> Result<W::Output, UnknownGame> {
            match name {
                $(name if name == <$game>::NAME => Ok(work.for_game::<$game>()),)+
                name => Err(UnknownGame { name: name.to_owned() }),
            }
        }
    };
}

games! {
    super::Cachex,
    super::Hex,
    super::HexWithoutSwap,
}
