//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file under a temporary name beside it, syncs it, and renames it into place, so that a
/// reader never sees a part and an older file survives until the new one is complete.
///
/// # Errors
/// If any of the steps fails; the temporary file is then removed.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
    name.push(".partial");
    let partial = path.with_file_name(name);
    let written = File::create(&partial).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&partial, path)).inspect_err(|_| {
        // Nothing more can be done about a temporary file that cannot be removed either.
        let _ = fs::remove_file(&partial);
    })
}
