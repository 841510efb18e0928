//! The error of exports.

use std::io;
use std::path::PathBuf;

use hexzero_games::SizeError;

/// An error of an export.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A file or a folder cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The folder's name is not the name of a Python package.
    #[error(
        "a Python package cannot be called '{name}'; give a folder whose name has letters, digits and underscores \
         and does not begin with a digit"
    )]
    NoModuleName {
        /// The name.
        name: String,
    },
    /// The folder holds other files.
    #[error("{} is not empty and not an exported player; give a new folder", path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// There is no Python player for this game.
    #[error("the NumPy player plays cachex only; this is a network of {game}")]
    OtherGame {
        /// The network's game.
        game: String,
    },
    /// The game's boards have no rows and columns, which exported networks need to find the neighbours of a cell.
    #[error("only networks for rhombic boards can be exported; those of {game} have another shape")]
    OtherShape {
        /// The game.
        game: &'static str,
    },
    /// No game is played on a board of this size.
    #[error("{0}")]
    Size(#[from] SizeError),
    /// Arrays cannot be packed into a file.
    #[error("cannot pack the arrays: {0}")]
    Pack(#[from] zip::result::ZipError),
    /// The network cannot be evaluated.
    #[error("cannot evaluate the network: {0}")]
    Network(#[from] candle_core::Error),
}
