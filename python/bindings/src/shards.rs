//! The games of a training run, shard by shard.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use hexzero_selfplay::shards::Shard;
use hexzero_train::RunFolder;
use pyo3::exceptions::PyFileNotFoundError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PySequence;

use super::errors::{shard_error, value_error};
use super::samples::{Samples, sizes_of};

/// Iterates over the shards of a run, oldest first: arrays for each, or for each size of board in it. Several threads may take
/// from it.
#[pyclass(module = "hexzero", frozen)]
pub struct Shards {
    size: Option<usize>,
    left: Mutex<Left>,
}

/// The shards and positions not yet read.
struct Left {
    files: VecDeque<PathBuf>,
    /// The shard being read, and the sizes that are left of it.
    current: Option<(Shard, VecDeque<usize>)>,
}

/// A run's folder or a file, or several files.
#[derive(FromPyObject)]
pub enum Where {
    One(PathBuf),
    Several(#[pyo3(from_py_with = paths)] Vec<PathBuf>),
}

/// Returns the paths in a sequence, taken one by one, as the length that it reports may be wrong.
fn paths(sequence: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    sequence.cast::<PySequence>()?.try_iter()?.map(|path| path?.extract()).collect()
}

/// Iterates over the games of a run, shard by shard, the oldest first.
///
/// Args:
///     run: the folder of a run, a file of games, or a list of files.
///     size: boards of this size only; by default each shard gives arrays for each size in it.
///
/// Raises:
///     OSError: if a file cannot be read.
///     ValueError: if the folder is no run, or a file no shard.
#[pyfunction]
#[pyo3(signature = (run, *, size = None))]
pub fn shards(run: Where, size: Option<usize>) -> PyResult<Shards> {
    let files = match run {
        Where::Several(files) => files,
        Where::One(folder) if folder.is_dir() => {
            let run = RunFolder::open(&folder).map_err(value_error)?;
            run.latest_shards().into_iter().rev().collect()
        }
        Where::One(file) if file.exists() => vec![file],
        Where::One(missing) => {
            let message = format!("{}: no such file, nor the folder of a run", missing.display());
            return Err(PyFileNotFoundError::new_err(message));
        }
    };
    Ok(Shards { size, left: Mutex::new(Left { files: files.into(), current: None }) })
}

#[pymethods]
impl Shards {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Samples>> {
        // Waiting for another thread's shard must not keep that thread from the interpreter.
        let mut left = self.left.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let Left { files, current } = &mut *left;
        loop {
            if let Some((shard, sizes)) = current
                && let Some(size) = sizes.pop_front()
            {
                return Samples::of(py, shard, size).map(Some);
            }
            let Some(file) = files.pop_front() else { return Ok(None) };
            let shard = py.detach(|| Shard::read(&file)).map_err(shard_error)?;
            let sizes = sizes_of(&shard).into_iter().filter(|&size| self.size.is_none_or(|only| only == size));
            *current = Some((shard, sizes.collect()));
        }
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let left = self.left.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        format!("<hexzero.Shards: {} files to come>", left.files.len())
    }
}
