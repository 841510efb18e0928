//! Environment variables, and a reader who has gone.

use std::io::Write;
use std::path::Path;
use std::process::{self, Stdio};

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

use crate::tiny::Folder;

#[test]
fn invalid_environment_variables_are_named() {
    for (variable, value, said, choice) in [
        ("HEXZERO_KERNEL", "fast", "kernel 'fast' is not available here; choose one of: ", "portable"),
        ("HEXZERO_PRECISION", "f64", "there is no precision 'f64'; choose ", "f32 or int8"),
        ("HEXZERO_TRAINING_PRECISION", "f8", "training precision 'f8' is not available", "f32"),
    ] {
        let run = |value: &str| Command::cargo_bin("hexzero").unwrap().arg("games").env(variable, value).assert();
        run(value).code(1).stdout("").stderr(contains(format!("{variable}: {said}")).and(contains(choice)));
        run("").success();
    }
}

/// Runs `hexzero` in a folder with its standard output closed, which must not be an error. Returns what it says.
fn unread(folder: &Path, arguments: &str, input: &[u8]) -> String {
    let mut command = process::Command::new(assert_cmd::cargo::cargo_bin("hexzero"));
    command.args(arguments.split(' ')).current_dir(folder);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    // The program may have ended before all of this is written.
    let _ = child.stdin.take().unwrap().write_all(input);
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(ended.status.success() && !said.contains("panicked"), "{arguments}: {said}");
    said
}

#[test]
fn closed_stdout_is_no_failure() {
    assert_eq!(unread(Path::new("."), "gtp", &b"list_commands\n".repeat(100)), "");
}

#[test]
fn files_are_written_though_stdout_is_closed() {
    for (arguments, files) in [
        ("export --onnx net.onnx --samples samples.npz --sizes 3 --numpy player", "net.onnx samples.npz player"),
        ("study openings --game hex --size 3 --visits 10 --into maps.json --svg map.svg", "maps.json map.svg"),
        ("tournament random alphabeta:1 --game hex --size 3 --games 2 --picture elo.svg", "elo.svg"),
    ] {
        let folder = &*Folder::empty();
        unread(folder, arguments, b"");
        assert!(files.split(' ').all(|file| folder.join(file).exists()), "{arguments}");
    }
}
