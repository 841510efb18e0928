//! Errors of commands.

use std::error::Error;
use std::fmt::{self, Display};
use std::io;
use std::path::Path;

/// An error of a command. Its message is printed after `error: ` and names what would be accepted.
///
/// `?` makes one of any error of the library. For that it must not be an [`Error`] itself.
#[derive(Debug)]
pub enum CliError {
    /// Standard input or output failed.
    Stdio(io::Error),
    /// A request is invalid, or a file cannot be read or written.
    Request(String),
    /// Options contradict each other.
    Usage(String),
    /// A training run cannot go on before a person decides how: a service must not restart it.
    Undecided(String),
    /// Another part of the library failed.
    Failed(Box<dyn Error + Send + Sync>),
}

impl<E: Error + Send + Sync + 'static> From<E> for CliError {
    fn from(error: E) -> Self {
        Self::failed(Box::new(error))
    }
}

impl Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdio(error) => write!(f, "standard input or output failed: {error}"),
            Self::Request(text) | Self::Usage(text) | Self::Undecided(text) => f.write_str(text),
            Self::Failed(error) => write!(f, "{error}"),
        }
    }
}

impl CliError {
    /// Wraps an error of the library. An [`io::Error`] is taken to come from standard input or output.
    pub fn failed(error: Box<dyn Error + Send + Sync>) -> Self {
        match error.downcast::<io::Error>() {
            Ok(error) => Self::Stdio(*error),
            Err(error) => Self::Failed(error),
        }
    }

    /// Returns the error of a file that cannot be read.
    pub fn cannot_read(path: &Path, error: impl Display) -> Self {
        Self::Request(format!("cannot read {}: {error}", path.display()))
    }

    /// Returns the error of a file that cannot be written.
    pub fn cannot_write(path: &Path, error: impl Display) -> Self {
        Self::Request(format!("cannot write {}: {error}", path.display()))
    }

    /// Returns the exit code of a command that failed with this error: 2 for a contradictory command line, 3 for a
    /// training run that needs a decision, else 1.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Undecided(_) => 3,
            _ => 1,
        }
    }

    /// Returns true if the reader of the output has gone, as in `hexzero replay games.jsonl | head`.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Stdio(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
