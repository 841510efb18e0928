//! The games that the server knows, and what it judges them with.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use crate::games::{ForGame, GAME_NAMES, Game, Position, Seat, with_game};
use crate::interfaces::engine::Engine;
use crate::interfaces::error::CliError;
use crate::interfaces::model::{BoxedEvaluator, LoadedModel, load_evaluator};
use crate::models::shipped;

use super::board_engine::{BoardEngine, Seated};

/// The size of board that is offered first, where the rules have it.
const PREFERRED_SIZE: usize = 7;

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

/// Makes engines for one game.
trait Maker: Send + Sync {
    fn engine(&self) -> Box<dyn BoardEngine>;
}

/// All games, the one to begin with first.
pub(super) struct Models {
    games: Vec<(AboutGame, Option<Box<dyn Maker>>)>,
}

impl Models {
    /// All games with the models that ship, but this one, which comes first, with the one that is given, if one is.
    pub fn load(first: &str, model: Option<&Path>) -> Result<Self, CliError> {
        let others = GAME_NAMES.iter().copied().filter(|&name| name != first);
        let load = |name, model| with_game(name, Load { model }).map_err(CliError::failed)?;
        let games = std::iter::once(load(first, model)).chain(others.map(|name| load(name, None)));
        Ok(Self { games: games.collect::<Result<_, _>>()? })
    }

    /// What there is to tell of the games.
    pub fn about(&self) -> impl Iterator<Item = &AboutGame> {
        self.games.iter().map(|(about, _)| about)
    }

    /// An engine for a game; why there is none, in words, if so.
    pub fn engine(&self, name: &str) -> Result<Box<dyn BoardEngine>, String> {
        let known = self.games.iter().find(|(about, _)| about.name == name);
        let (_, maker) = known.ok_or_else(|| super::state::no_game(name))?;
        maker.as_ref().map(|maker| maker.engine()).ok_or_else(|| format!("there is no network for {name}"))
    }
}

struct Load<'a> {
    model: Option<&'a Path>,
}

impl ForGame for Load<'_> {
    type Output = Result<(AboutGame, Option<Box<dyn Maker>>), CliError>;

    fn for_game(self) -> Self::Output {
        let model = match self.model {
            None if shipped().is_err() => None,
            model => Some(load_evaluator(model)?),
        };
        let (least, most) = (*G::SIZES.start(), *G::SIZES.end());
        let about = AboutGame {
            name: G::NAME,
            players: G::PLAYER_NAMES,
            least,
            most,
            preferred: PREFERRED_SIZE.clamp(least, most),
            sides: G::new(least)?.ground(Seat::First).is_some(),
            model: model.as_ref().map(|model| model.description.clone()),
        };
        let maker = model.map(|model| {
            let LoadedModel { description, evaluator } = model;
            Box::new(Model { description, size: about.preferred, evaluator: Mutex::new(evaluator) }) as Box<dyn Maker>
        });
        Ok((about, maker))
    }
}

/// A model of which every connection has an evaluator; they share its weights and its cache.
struct Model {
    description: String,
    size: usize,
    evaluator: Mutex<BoxedEvaluator>,
}

impl Maker for Model {
    fn engine(&self) -> Box<dyn BoardEngine> {
        let evaluator = self.evaluator.lock().unwrap_or_else(PoisonError::into_inner).another();
        let model = LoadedModel { description: self.description.clone(), evaluator };
        let engine = Engine::new(self.size, model).expect("the preferred size is one of the game's");
        // By visits it keeps to one thread.
        Box::new(Seated::new(engine.on_threads(None), rand::random()))
    }
}
