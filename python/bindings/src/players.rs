//! The players of a match: named ones, networks, searches, and functions in Python.

use std::sync::Arc;

use hexzero_arena::players::{Player, PlayerError, PlayerOptions, PlayerSource, PlayerSpec};
use hexzero_games::{Action, Game, Position};
use hexzero_nn::Backend;
use hexzero_search::Limits;
use hexzero_system::stop::StopSignal;
use hexzero_train::model_files::player_source;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::errors::{checkpoint_error, illegal, model_error, value_error};
use super::judge::Fault;
use super::network::Network;
use super::search::Search;
use super::state::{State, read_action};

/// Makes the players of one kind for the threads of a match.
pub enum Maker {
    Library(PlayerSource),
    Search(Py<Search>, Fault),
    Function(Py<PyAny>, String, Fault),
}

impl Maker {
    /// Reads a player argument. `fault` receives the exceptions of players in Python.
    pub fn new(player: &Bound<'_, PyAny>, game: Game, limits: Limits, fault: &Fault) -> PyResult<Self> {
        if let Ok(text) = player.cast::<PyString>() {
            let spec: PlayerSpec = text.to_cow()?.parse().map_err(value_error)?;
            return Ok(Self::Library(player_source(game, spec, limits, &Backend::default()).map_err(model_error)?));
        }
        if let Ok(network) = player.cast::<Network>() {
            let network = network.get();
            let options = PlayerOptions { precision: Some(network.precision), ..PlayerOptions::default() };
            let (name, cache) = (network.name.clone(), PlayerSource::CACHE);
            let source =
                PlayerSource::network(game, name, &network.checkpoint, &Backend::default(), options, limits, cache);
            return Ok(Self::Library(source.map_err(checkpoint_error)?));
        }
        if let Ok(search) = player.cast::<Search>() {
            search.get().plays(game)?;
            return Ok(Self::Search(search.clone().unbind(), fault.clone()));
        }
        if player.is_callable() {
            let name =
                player.getattr("__name__").and_then(|name| name.extract()).unwrap_or_else(|_| "player".to_owned());
            return Ok(Self::Function(player.clone().unbind(), name, fault.clone()));
        }
        let kind = player.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "a player is of type '{kind}', expected a name such as 'random', 'alphabeta:2', 'shipped' or a path, a \
             hexzero.Network, a hexzero.Search, or a function that takes a state and returns an action"
        )))
    }

    /// Returns true if its players run in Python.
    pub fn is_python(&self) -> bool {
        match self {
            Self::Library(_) => false,
            Self::Search(search, _) => search.get().is_python(),
            Self::Function(..) => true,
        }
    }

    /// Makes a player for one thread.
    pub fn player(&self) -> Box<dyn Player> {
        match self {
            Self::Library(source) => source.player(),
            Self::Search(search, fault) => Python::attach(|py| -> Box<dyn Player> {
                let search = search.get().reseeded(py, 0);
                Box::new(SearchPlayer { search, fault: fault.clone() })
            }),
            Self::Function(function, name, fault) => Python::attach(|py| -> Box<dyn Player> {
                let (function, name, fault) = (function.clone_ref(py), name.clone(), fault.clone());
                Box::new(FunctionPlayer { function, name, fault, actions: Vec::new() })
            }),
        }
    }
}

/// Stands for an exception that is kept elsewhere.
fn raised() -> PlayerError {
    "it raised an exception".into()
}

/// Plays the best move of a search.
struct SearchPlayer {
    search: Search,
    fault: Fault,
}

impl Player for SearchPlayer {
    fn name(&self) -> String {
        "search".to_owned()
    }

    fn set_stop_signal(&mut self, stop: &StopSignal) {
        self.fault.stop = stop.clone();
    }

    fn start_game(&mut self, _start: &Position, seed: u64) -> Result<(), PlayerError> {
        self.search = Python::attach(|py| self.search.reseeded(py, seed));
        Ok(())
    }

    fn choose(&mut self, position: &Position) -> Result<Option<Action>, PlayerError> {
        let found = self.search.search_one(&Arc::new(position.clone()), &self.fault);
        if self.fault.has_happened() {
            return Err(raised());
        }
        let best = found.and_then(|search| search.best_action());
        best.map(Some).ok_or_else(|| "it found no move".into())
    }
}

/// Plays what a function in Python returns.
struct FunctionPlayer {
    function: Py<PyAny>,
    name: String,
    fault: Fault,
    /// The game so far.
    actions: Vec<Action>,
}

impl Player for FunctionPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn start_game(&mut self, _start: &Position, _seed: u64) -> Result<(), PlayerError> {
        self.actions.clear();
        Ok(())
    }

    fn observe(&mut self, _before: &Position, action: Action) -> Result<(), PlayerError> {
        self.actions.push(action);
        Ok(())
    }

    fn choose(&mut self, position: &Position) -> Result<Option<Action>, PlayerError> {
        let asked = Python::attach(|py| {
            py.check_signals()?;
            let state = State { position: Arc::new(position.clone()), setup: None, actions: self.actions.clone() };
            let answer = self.function.bind(py).call1((state,))?;
            if answer.is_none() {
                return Ok(None);
            }
            let action = read_action(position, &answer)?;
            position.check(action).map_err(illegal)?;
            Ok(Some(action))
        });
        asked.map_err(|exception| {
            self.fault.keep(exception);
            raised()
        })
    }
}
