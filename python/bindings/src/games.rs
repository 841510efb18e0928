//! Finished games of self-play, in memory or in a file.

use std::path::PathBuf;

use hexzero_games::game_named;
use hexzero_selfplay::shards::{GameRecord, Shard};
use pyo3::prelude::*;

use super::errors::{shard_error, value_error};
use super::samples::{Samples, sizes_of};

/// Finished games of self-play with what each search found: a shard of a run.
#[pyclass(module = "hexzero", frozen)]
pub struct Games {
    pub shard: Shard,
}

#[pymethods]
impl Games {
    /// Reads a shard: a file `games/NNNNNN.games` of a run, or what `save` wrote.
    ///
    /// Raises:
    ///     OSError: if the file cannot be read.
    ///     ValueError: if it is no shard, or damaged.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let shard = py.detach(|| Shard::read(&path)).map_err(shard_error)?;
        Ok(Self { shard })
    }

    /// Writes a shard, whole or not at all.
    ///
    /// Raises:
    ///     OSError: if the file cannot be written.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.shard.write(&path)).map_err(shard_error)
    }

    /// The game's name.
    #[getter]
    fn game(&self) -> &str {
        &self.shard.game
    }

    /// The sizes of the boards, in ascending order.
    #[getter]
    fn sizes(&self) -> Vec<usize> {
        sizes_of(&self.shard)
    }

    /// Returns the training positions on boards of one size, which may be left out if there is only one.
    #[pyo3(signature = (size = None))]
    fn samples(&self, py: Python<'_>, size: Option<usize>) -> PyResult<Samples> {
        let sizes = sizes_of(&self.shard);
        let size = match (size, &sizes[..]) {
            (Some(size), _) => size,
            (None, [only]) => *only,
            (None, []) => return Err(value_error("there are no games; name the size")),
            (None, _) => return Err(value_error(format_args!("the games are on boards of sizes {sizes:?}; name one"))),
        };
        Samples::of(py, &self.shard, size)
    }

    /// Returns each game as a line of JSON, as `State.to_json` writes it, with its result.
    fn to_json(&self) -> PyResult<Vec<String>> {
        let game = game_named(&self.shard.game).map_err(value_error)?;
        let line = |(number, record): (usize, &GameRecord)| {
            let broken = || value_error(format_args!("game {number} breaks the rules"));
            record.to_interchange(game).map(|game| game.to_line()).ok_or_else(broken)
        };
        self.shard.records.iter().enumerate().map(line).collect()
    }

    fn __len__(&self) -> usize {
        self.shard.records.len()
    }

    fn __repr__(&self) -> String {
        format!("<hexzero.Games: {} of {}>", self.shard.records.len(), self.shard.game)
    }
}
