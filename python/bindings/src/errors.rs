//! The library's errors as Python exceptions.

use std::fmt::Display;
use std::io;
use std::ops::RangeInclusive;

use hexzero_games::InvalidMove;
use hexzero_nn::CheckpointError as CheckpointFault;
use hexzero_selfplay::shards::{ShardError, ShardProblem};
use hexzero_train::model_files::ModelError;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::{PyErr, PyResult, create_exception};

create_exception!(hexzero, IllegalMove, PyValueError, "The rules do not allow a move, or a text names none.");
create_exception!(hexzero, CheckpointError, PyValueError, "A file or arrays are not a network that can be used.");

/// Makes the exception for a value that cannot be used, with the library's message.
pub fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Checks that a number is in a range; `name` is what the error calls it.
pub fn in_range<T: TryFrom<i64>>(name: &str, number: i64, accepted: RangeInclusive<i64>) -> PyResult<T> {
    let fits = accepted.contains(&number).then_some(number).and_then(|number| T::try_from(number).ok());
    let (first, last) = (accepted.start(), accepted.end());
    fits.ok_or_else(|| value_error(format_args!("{name} = {number}; accepted: {first} to {last}")))
}

/// Makes the exception for a failure that is not the caller's fault.
pub fn failed(error: impl Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

pub fn illegal(error: InvalidMove) -> PyErr {
    IllegalMove::new_err(error.to_string())
}

/// Makes the exception for an error of a file: `FileNotFoundError`, `PermissionError` and so on, with a message that names it.
pub fn file_error(message: String, source: &io::Error) -> PyErr {
    io::Error::new(source.kind(), message).into()
}

pub fn checkpoint_error(error: CheckpointFault) -> PyErr {
    match &error {
        CheckpointFault::File { source, .. } => file_error(error.to_string(), source),
        other => CheckpointError::new_err(other.to_string()),
    }
}

pub fn model_error(error: ModelError) -> PyErr {
    match error {
        ModelError::Checkpoint(error) => checkpoint_error(error),
        other => CheckpointError::new_err(other.to_string()),
    }
}

pub fn shard_error(error: ShardError) -> PyErr {
    match &error.problem {
        ShardProblem::File(source) => file_error(error.to_string(), source),
        _ => value_error(&error),
    }
}
