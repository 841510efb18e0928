//! The games of the server and their models.

use std::path::Path;

use parking_lot::Mutex;

use crate::engine::Engine;
use crate::engine::model::{LoadedModel, load_evaluator};
use crate::games::{Game, all_games};
use crate::interfaces::error::CliError;
use crate::models::largest_learnt;

use super::super::connection_engine::ConnectionEngine;
use super::super::position_view::no_game;

/// All games, the one to begin with first.
pub(crate) struct Models {
    games: Vec<ServedGame>,
}

/// A game and its model.
pub(crate) struct ServedGame {
    pub game: Game,
    /// The largest board size that the model was trained on, if known.
    pub learnt: Option<usize>,
    /// Connections have evaluators of their own, which share its weights and cache.
    model: Mutex<LoadedModel>,
}

impl Models {
    /// Loads all games with the shipped models. `first` comes first, with `model` if given.
    pub fn load(first: Game, model: Option<&Path>) -> Result<Self, CliError> {
        let others = all_games().into_iter().filter(|&game| game != first);
        let games =
            std::iter::once(ServedGame::load(first, model)).chain(others.map(|game| ServedGame::load(game, None)));
        Ok(Self { games: games.collect::<Result<_, _>>()? })
    }

    /// Returns all games, the one to begin with first.
    pub fn games(&self) -> &[ServedGame] {
        &self.games
    }

    /// Creates an engine for the game of this name.
    pub fn engine(&self, name: &str) -> Result<ConnectionEngine, String> {
        let served = self.games.iter().find(|served| served.game.name() == name).ok_or_else(|| no_game(name))?;
        Ok(served.engine())
    }
}

impl ServedGame {
    fn load(game: Game, model: Option<&Path>) -> Result<Self, CliError> {
        let learnt = if model.is_none() { largest_learnt(game) } else { None };
        Ok(Self { game, learnt, model: Mutex::new(load_evaluator(game, model)?) })
    }

    /// Describes the game's model.
    pub fn model(&self) -> String {
        self.model.lock().description.clone()
    }

    fn engine(&self) -> ConnectionEngine {
        let model = self.model.lock().another();
        let engine =
            Engine::new(self.game, self.game.boards.default, model).expect("the default size is the game's own");
        // Searches by visits keep to one thread, so that they repeat.
        ConnectionEngine::new(engine.on_threads(None), rand::random())
    }
}
