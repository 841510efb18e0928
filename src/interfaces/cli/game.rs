//! Which game: the option that several commands share.

use std::path::Path;

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::games::GAME_NAMES;
use crate::interfaces::error::CliError;
use crate::interfaces::model::game_of;

/// Which game is meant.
#[derive(Debug, Clone, Args)]
pub struct GameArg {
    /// The game (default: that of the model, the recipe or the run, else cachex)
    #[arg(long, value_name = "GAME", value_parser = PossibleValuesParser::new(GAME_NAMES))]
    game: Option<String>,
}

impl GameArg {
    /// The game that was asked for, or else the one that something else suggests, or else the first there is.
    pub fn or_else<E>(&self, suggestion: impl FnOnce() -> Result<Option<String>, E>) -> Result<String, E> {
        match &self.game {
            Some(game) => Ok(game.clone()),
            None => Ok(suggestion()?.unwrap_or_else(|| GAME_NAMES[0].to_owned())),
        }
    }

    /// The game that was asked for, or else the one that a model was trained for.
    pub fn or_of_model(&self, model: Option<&Path>) -> Result<String, CliError> {
        self.or_else(|| model.map(game_of).transpose())
    }

    /// The game that was asked for, if any was.
    pub fn asked_for(&self) -> Option<&str> {
        self.game.as_deref()
    }
}
