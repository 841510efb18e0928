//! The games of the server and their models.

use std::path::Path;

use parking_lot::Mutex;

use crate::engine::Engine;
use crate::engine::model::LoadedModel;
use crate::engine::model_files::load_evaluator;
use crate::games::{Game, all_games};
use crate::interfaces::error::CliError;
use crate::interfaces::protocol::about::OfferedGame;
use crate::interfaces::protocol::position_view::no_game;
use crate::interfaces::protocol::session_engine::SessionEngine;
use crate::models::largest_learnt;
use crate::search::Exact;

/// All games, the one to begin with first.
pub(crate) struct Models {
    games: Vec<ServedGame>,
}

/// A game and its model.
struct ServedGame {
    game: Game,
    /// Whether the model is a network.
    has_network: bool,
    /// The largest board size that the model was trained on, if known.
    learnt: Option<usize>,
    /// Connections have evaluators of their own, which share its weights and cache.
    model: Mutex<LoadedModel>,
}

impl Models {
    /// Loads all games with the shipped models. `first` comes first, with `model` if given, and so do games that share its
    /// network. Searches use exact values as `exact` says.
    pub fn load(first: Game, model: Option<&Path>, exact: Exact) -> Result<Self, CliError> {
        let others = all_games().into_iter().filter(|&game| game != first);
        let load = |game: Game| ServedGame::load(game, model.filter(|_| game.network == first.network), exact);
        let games = std::iter::once(first).chain(others).map(load);
        Ok(Self { games: games.collect::<Result<_, _>>()? })
    }

    /// Describes all games, the one to begin with first.
    pub fn offered(&self) -> Vec<OfferedGame> {
        let offered = |served: &ServedGame| OfferedGame {
            game: served.game,
            model: served.model.lock().description.clone(),
            has_network: served.has_network,
            learnt: served.learnt,
        };
        self.games.iter().map(offered).collect()
    }

    /// Creates an engine for the game of this name.
    pub fn engine(&self, name: &str) -> Result<SessionEngine, String> {
        let served = self.games.iter().find(|served| served.game.name() == name).ok_or_else(|| no_game(name))?;
        Ok(served.engine())
    }
}

impl ServedGame {
    fn load(game: Game, model: Option<&Path>, exact: Exact) -> Result<Self, CliError> {
        let shipped = largest_learnt(game);
        let (has_network, learnt) = (model.is_some() || shipped.is_some(), shipped.filter(|_| model.is_none()));
        let mut model = load_evaluator(game, model)?;
        model.search.exact = exact;
        Ok(Self { game, has_network, learnt, model: Mutex::new(model) })
    }

    fn engine(&self) -> SessionEngine {
        let model = self.model.lock().another();
        let engine =
            Engine::new(self.game, self.game.boards.default, model).expect("the default size is the game's own");
        // Searches by visits keep to one thread, so that they repeat.
        SessionEngine::new(engine.on_threads(None), rand::random())
    }
}
