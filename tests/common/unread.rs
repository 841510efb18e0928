//! The binary in a pipe that is closed.

use std::path::Path;
use std::process::{Command, Stdio};

/// Runs `hexzero` in a folder with its standard output closed, which must not be an error.
pub fn hexzero_unread(folder: &Path, arguments: &str) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("hexzero"));
    command.args(arguments.split_whitespace()).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && !said.contains("panicked"), "{arguments}: {said}");
}
