//! The games of the server and their models.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::engine::Engine;
use crate::engine::model::{LoadedModel, load_evaluator};
use crate::games::{Game, all_games};
use crate::interfaces::error::CliError;
use crate::models::largest_learnt;

use super::connection_engine::ConnectionEngine;
use super::position_view::no_game;

/// All games, the one to begin with first.
pub(super) struct Models {
    games: Vec<Offer>,
}

/// A game and its model.
pub(super) struct Offer {
    pub game: Game,
    /// The largest board size that the model was trained on, if known.
    pub learnt: Option<usize>,
    /// Every connection has an evaluator of its own; they share weights and cache.
    model: Mutex<LoadedModel>,
}

impl Models {
    /// Loads all games with the shipped models. `first` comes first, with `model` if given.
    pub fn load(first: Game, model: Option<&Path>) -> Result<Self, CliError> {
        let others = all_games().into_iter().filter(|&game| game != first);
        let games = std::iter::once(Offer::load(first, model)).chain(others.map(|game| Offer::load(game, None)));
        Ok(Self { games: games.collect::<Result<_, _>>()? })
    }

    /// All games, the one to begin with first.
    pub fn offers(&self) -> &[Offer] {
        &self.games
    }

    /// Creates an engine for the game of this name.
    pub fn engine(&self, name: &str) -> Result<ConnectionEngine, String> {
        let offer = self.games.iter().find(|offer| offer.game.name() == name).ok_or_else(|| no_game(name))?;
        Ok(offer.engine())
    }
}

impl Offer {
    fn load(game: Game, model: Option<&Path>) -> Result<Self, CliError> {
        let learnt = if model.is_none() { largest_learnt(game) } else { None };
        Ok(Self { game, learnt, model: Mutex::new(load_evaluator(game, model)?) })
    }

    /// Describes the game's model.
    pub fn model(&self) -> String {
        self.model.lock().unwrap_or_else(PoisonError::into_inner).description.clone()
    }

    fn engine(&self) -> ConnectionEngine {
        let model = self.model.lock().unwrap_or_else(PoisonError::into_inner).another();
        let engine =
            Engine::new(self.game, self.game.boards.default, model).expect("the default size is the game's own");
        // By visits it keeps to one thread.
        ConnectionEngine::new(engine.on_threads(None), rand::random())
    }
}
