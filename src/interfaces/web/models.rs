//! The games that the server knows, and what it judges them with.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use crate::engine::Engine;
use crate::engine::model::{BoxedEvaluator, LoadedModel, load_evaluator};
use crate::games::{Game, Seat, all_games};
use crate::interfaces::error::CliError;
use crate::models::shipped;

use super::connection_engine::ConnectionEngine;
use super::position_view::no_game;

/// A game as a client is told of it. docs/web.md describes the JSON.
#[derive(Debug, Serialize)]
pub(super) struct AboutGame {
    name: &'static str,
    players: [&'static str; 2],
    least: usize,
    most: usize,
    preferred: usize,
    /// Whether the first player joins the top to the bottom and the second the left to the right.
    sides: bool,
    /// What judges, or nothing where nobody can.
    model: Option<String>,
}

/// All games, the one to begin with first.
pub(super) struct Models {
    games: Vec<Offer>,
}

/// A game, and what judges it if there is anything.
struct Offer {
    about: AboutGame,
    game: Game,
    model: Option<Model>,
}

/// A model of which every connection has an evaluator; they share its weights and its cache.
struct Model {
    description: String,
    evaluator: Mutex<BoxedEvaluator>,
}

impl Models {
    /// Loads all games with the models that ship. `first` comes first, judged by `model` if one is given.
    pub fn load(first: Game, model: Option<&Path>) -> Result<Self, CliError> {
        let others = all_games().into_iter().filter(|&game| game != first);
        let games = std::iter::once(Offer::load(first, model)).chain(others.map(|game| Offer::load(game, None)));
        Ok(Self { games: games.collect::<Result<_, _>>()? })
    }

    /// What there is to tell of the games.
    pub fn about(&self) -> impl Iterator<Item = &AboutGame> {
        self.games.iter().map(|offer| &offer.about)
    }

    /// Makes an engine for the game of this name; an error says in words why there is none.
    pub fn engine(&self, name: &str) -> Result<ConnectionEngine, String> {
        let offer = self.games.iter().find(|offer| offer.game.name() == name).ok_or_else(|| no_game(name))?;
        offer.engine().ok_or_else(|| format!("there is no network for {name}"))
    }
}

impl Offer {
    fn load(game: Game, model: Option<&Path>) -> Result<Self, CliError> {
        let model = match model {
            None if shipped(game).is_err() => None,
            model => Some(load_evaluator(game, model)?),
        };
        let (sizes, preferred) = (&game.boards.sizes, game.boards.default);
        let about = AboutGame {
            name: game.name(),
            players: Seat::BOTH.map(|seat| game.seat_name(seat)),
            least: *sizes.start(),
            most: *sizes.end(),
            preferred,
            sides: game.start(preferred)?.ground(Seat::First).is_some(),
            model: model.as_ref().map(|model| model.description.clone()),
        };
        let model =
            model.map(|LoadedModel { description, evaluator }| Model { description, evaluator: Mutex::new(evaluator) });
        Ok(Self { about, game, model })
    }

    fn engine(&self) -> Option<ConnectionEngine> {
        let Model { description, evaluator } = self.model.as_ref()?;
        let evaluator = evaluator.lock().unwrap_or_else(PoisonError::into_inner).another();
        let model = LoadedModel { description: description.clone(), evaluator };
        let engine =
            Engine::new(self.game, self.game.boards.default, model).expect("the default size is the game's own");
        // By visits it keeps to one thread.
        Some(ConnectionEngine::new(engine.on_threads(None), rand::random()))
    }
}
