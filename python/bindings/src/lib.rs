//! The Python package `hexzero`: the library's games, networks, searches and matches as Python classes, with arrays of NumPy.
//!
//! Only the library's public interface is used. Long calls run detached from the interpreter, so that other Python threads go
//! on; errors become exceptions. `hexzero/_hexzero.pyi` describes each class and function for people and type checkers, and
//! docs/python.md how they work together.

mod arrays;
mod batches;
mod errors;
mod game;
mod games;
mod interrupt;
mod judge;
mod match_play;
mod network;
mod players;
mod samples;
mod search;
mod search_result;
mod self_play;
mod shards;
mod state;
mod training;

use pyo3::prelude::*;

/// The compiled part of the package `hexzero`, which exports all of it.
#[pymodule]
mod _hexzero {
    #[pymodule_export]
    use super::{
        batches::{encode, legal_masks, play_each},
        errors::{CheckpointError, IllegalMove},
        game::{Game, games},
        games::Games,
        match_play::{MatchResult, play_match},
        network::Network,
        samples::Samples,
        search::Search,
        search_result::SearchResult,
        self_play::self_play,
        shards::{Shards, shards},
        state::State,
        training::train_run,
    };

    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
