//! The game and the size of its board.

use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::error::CliError;
use hexzero_arena::players::PlayerSpec;
use hexzero_games::{Game, all_games, default_game, game_named};
use hexzero_train::model_files::{ModelError, game_of};
use hexzero_train::{Recipe, RunFolder};

/// The game.
#[derive(Debug, Clone, Args)]
pub struct GameArg {
    #[arg(long, value_name = "GAME", help = help(), value_parser = one_of(all_games()), ignore_case = true)]
    game: Option<Game>,
}

fn help() -> String {
    format!("The game (default: that of the model, the recipe or the run, else {})", default_game().name())
}

/// Returns a parser that accepts the names of `games`.
pub fn one_of(games: impl IntoIterator<Item = Game>) -> impl TypedValueParser<Value = Game> {
    PossibleValuesParser::new(games.into_iter().map(Game::name)).try_map(|name| game_named(&name.to_lowercase()))
}

impl GameArg {
    /// Returns the game given, else the suggested one, else the default.
    pub fn or_else<E>(&self, suggestion: impl FnOnce() -> Result<Option<Game>, E>) -> Result<Game, E> {
        match self.game {
            Some(game) => Ok(game),
            None => Ok(suggestion()?.unwrap_or_else(default_game)),
        }
    }

    /// Returns the game given, else the one that `model` was trained for, else the default.
    pub fn or_of_model(&self, model: Option<&Path>) -> Result<Game, CliError> {
        Ok(self.or_else(|| model.map(game_of).transpose())?)
    }

    /// Returns the game given, if any.
    pub fn asked_for(&self) -> Option<Game> {
        self.game
    }
}

/// Returns the game of the first player that is a checkpoint, if there is one.
pub fn game_of_players(players: &[PlayerSpec]) -> Result<Option<Game>, ModelError> {
    let model = players.iter().find_map(|player| match player {
        PlayerSpec::Checkpoint(path, _) => Some(path),
        _ => None,
    });
    model.map(|path| game_of(path)).transpose()
}

/// Parses the size of a board of any game; the command checks it against its own game.
pub fn board_size(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| {
        let sizes = || all_games().into_iter().map(|game| game.boards.sizes.clone());
        let least = sizes().map(|sizes| *sizes.start()).min().unwrap_or_default();
        let most = sizes().map(|sizes| *sizes.end()).max().unwrap_or_default();
        format!("give one board size, a whole number from {least} to {most}; 'hexzero games' lists those of each game")
    })
}

/// Returns the default board size for `model`: for a run the size that it plays most in its last stage, else the
/// game's.
pub fn size_for(game: Game, model: Option<&Path>) -> usize {
    let run = model.and_then(|path| RunFolder::open(path).ok());
    let recipe = run.and_then(|folder| Recipe::read(game, &folder.recipe()).ok());
    recipe.map_or(game.boards.default, |recipe| recipe.final_size())
}

/// Returns the default board size of matches between `players`: that of the first run among them, else the game's.
pub fn match_size(game: Game, players: &[PlayerSpec]) -> usize {
    let run = players.iter().find_map(|player| match player {
        PlayerSpec::Checkpoint(path, _) if path.is_dir() => Some(path.as_path()),
        _ => None,
    });
    size_for(game, run)
}
