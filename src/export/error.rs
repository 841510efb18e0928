//! Why a network could not be exported.

use std::io;
use std::path::PathBuf;

use crate::games::SizeError;

/// Why a network could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A file or a folder that cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder that Python could not import.
    #[error(
        "a Python package cannot be called '{name}'; give a folder whose name has letters, digits and underscores \
         and does not begin with a digit"
    )]
    NoModuleName {
        /// Its name.
        name: String,
    },
    /// A folder that holds something else.
    #[error("{} is not empty and holds no exported player; give a new folder", path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// The player's rules are those of one game only.
    #[error("the NumPy player plays cachex only; this is a network of {game}")]
    OtherGame {
        /// The network's game.
        game: String,
    },
    /// No game is played on a board of this size.
    #[error("{0}")]
    Size(#[from] SizeError),
    /// Arrays that cannot be put into a file.
    #[error("cannot pack the arrays: {0}")]
    Pack(#[from] zip::result::ZipError),
    /// The network cannot be evaluated.
    #[error("cannot evaluate the network: {0}")]
    Network(#[from] candle_core::Error),
}
