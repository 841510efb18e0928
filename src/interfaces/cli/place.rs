//! Where files are to be written.

use std::io;
use std::path::Path;

use crate::interfaces::error::CliError;

/// Checks that a file can be made here, before work that takes long.
///
/// # Errors
/// If its folder does not exist, or it is a folder itself.
pub(super) fn check_place(path: &Path) -> Result<(), CliError> {
    let refused = |source: io::Error| CliError::Write { path: path.to_owned(), source };
    if path.is_dir() {
        return Err(refused(io::Error::other("it is a folder")));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match folder.metadata() {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(refused(io::Error::other(format!("{} is no folder", folder.display())))),
        Err(error) => Err(refused(io::Error::new(error.kind(), format!("folder {}: {error}", folder.display())))),
    }
}
