//! The lock of a run's folder.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use super::run_folder::{RunFolderError, file_error};

/// The lock held during a run, which refuses other processes.
#[derive(Debug)]
pub struct RunLock {
    /// The file `lock`.
    file: File,
    /// The folder, where the system can lock one: removing the file then lets no second process in.
    folder: Option<File>,
    path: PathBuf,
}

impl RunLock {
    /// Locks a folder.
    pub(super) fn take(folder: &Path) -> Result<Self, RunFolderError> {
        let path = folder.join("lock");
        let open = File::options().create(true).write(true).truncate(false).open(&path);
        let file = open.map_err(|error| file_error(&path, &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RunFolderError::Busy(folder.to_owned())),
            Err(TryLockError::Error(error)) => return Err(file_error(&path, &error)),
        }
        let path = folder.to_owned();
        let folder = match File::open(&path).map(|folder| (folder.try_lock(), folder)) {
            Ok((Err(TryLockError::WouldBlock), _)) => return Err(RunFolderError::Busy(path)),
            Ok((Ok(()), folder)) => Some(folder),
            Ok((Err(TryLockError::Error(_)), _)) | Err(_) => None,
        };
        Ok(Self { file, folder, path })
    }

    /// Checks that the folder is still the one that was locked.
    ///
    /// # Errors
    /// If it has been removed or replaced.
    pub(crate) fn check(&self) -> Result<(), RunFolderError> {
        let held = match &self.folder {
            Some(folder) => is_at(folder, &self.path),
            None => is_at(&self.file, &self.path.join("lock")),
        };
        if held { Ok(()) } else { Err(RunFolderError::Replaced(self.path.clone())) }
    }
}

/// Returns true if an open file or folder is still the one at its path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |found: std::fs::Metadata| (found.dev(), found.ino());
    let (held, found) = (file.metadata().map(identity), path.metadata().map(identity));
    held.is_ok_and(|held| found.is_ok_and(|found| found == held))
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
