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
    /// There is no player in Python for this game.
    #[error("the NumPy player plays {} only; this is a network of {game}", known.join(" and "))]
    OtherGame {
        /// The network's game.
        game: String,
        /// The games that there is one for.
        known: Vec<&'static str>,
    },
    /// The game's boards have no rows and columns, by which exported networks find the neighbours of a cell.
    #[error("only networks for rhombic boards can be exported; those of {game} have another shape")]
    OtherShape {
        /// The game.
        game: &'static str,
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
