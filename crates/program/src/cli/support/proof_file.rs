//! Keeps the table of a proof search in a file.

use std::io;
use std::path::Path;

use super::output_files::check_creatable;
use crate::error::CliError;
use hexzero_prove::Prover;
use hexzero_system::files::{read_at_most, write_whole};

/// The most bytes of a file: what the largest table takes in memory.
const MAX_BYTES: u64 = 65_536 << 20;

/// Goes on with the table in a file, if there is one.
///
/// # Errors
/// If the file cannot be read or written, or holds no table for this search.
pub fn restore(path: &Path, prover: &mut Prover<'_>) -> Result<(), CliError> {
    check_creatable(path)?;
    if !path.exists() {
        return Ok(());
    }
    let bytes = read_at_most(path, MAX_BYTES).map_err(|source| CliError::Read { path: path.to_owned(), source })?;
    prover.restore(&bytes).map_err(|error| {
        let path = path.display();
        CliError::Request(format!(
            "cannot go on from {path}: {error}; give the file of another search to --save, or a new name"
        ))
    })
}

/// Writes the table, unless the search has added nothing to it.
///
/// # Errors
/// If the file cannot be written.
pub fn save(path: &Path, prover: &Prover<'_>) -> Result<(), CliError> {
    if prover.expanded() == 0 {
        return Ok(());
    }
    let written = prover.saved().map_err(io::Error::other).and_then(|bytes| write_whole(path, &bytes));
    written.map_err(|source| CliError::Write { path: path.to_owned(), source })
}
