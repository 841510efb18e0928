//! A run so small that it takes milliseconds.

use std::fs;
use std::ops::Deref;
use std::path::Path;

use assert_cmd::assert::Assert;
use tempfile::TempDir;

use super::common::hexzero_line;

/// Six games of 3×3 an iteration with a network of one block.
pub const RECIPE: &str = "\
[network]
blocks = 1
channels = 16

[selfplay]
sizes = [{ size = 3, weight = 1.0 }]
full_visits = 8
cheap_visits = 4
full_share = 0.5
opening.restart_share = 0.4

[training]
games_per_iteration = 6
batch = 16
";

/// A folder that is removed when it is dropped.
pub struct Folder(TempDir);

impl Folder {
    pub fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.path()
    }
}

/// A folder with [`RECIPE`] in `tiny.toml`.
pub fn folder_with_recipe() -> Folder {
    folder_with_own_recipe(RECIPE)
}

/// A folder with another recipe in `tiny.toml`.
pub fn folder_with_own_recipe(recipe: &str) -> Folder {
    let folder = Folder::empty();
    fs::write(folder.join("tiny.toml"), recipe).unwrap();
    folder
}

/// Runs `hexzero train` with these arguments in a folder.
pub fn train(folder: &Path, arguments: &str) -> Assert {
    hexzero_line(folder, &format!("train --no-matches {arguments}"))
}
