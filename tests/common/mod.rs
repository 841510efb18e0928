//! The binary as a user runs it.

use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use assert_cmd::assert::Assert;

/// Runs `hexzero` in a folder with nothing on its standard input. It may fail, but it must not panic.
pub fn hexzero(folder: &Path, arguments: &[&str]) -> Assert {
    hexzero_with_input(folder, arguments, "")
}

/// As [`hexzero`], with the arguments in one text, split at white space.
pub fn hexzero_line(folder: &Path, arguments: &str) -> Assert {
    hexzero(folder, &arguments.split_whitespace().collect::<Vec<_>>())
}

/// As [`hexzero`], with this on its standard input.
pub fn hexzero_with_input(folder: &Path, arguments: &[&str], input: impl Into<Vec<u8>>) -> Assert {
    let mut command = Command::cargo_bin("hexzero").unwrap();
    // A program that hangs fails its test with a message. The width of help must not depend on the terminal.
    command.timeout(Duration::from_secs(900)).env("RUST_BACKTRACE", "1").env_remove("COLUMNS");
    let assert = command.args(arguments).current_dir(folder).write_stdin(input).assert();
    let said = String::from_utf8_lossy(&assert.get_output().stderr);
    assert!(!said.contains("panicked"), "{arguments:?}: {said}");
    assert
}
