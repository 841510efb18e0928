//! Environment variables, and a reader who has gone.

use std::io::Write;
use std::process::{self, Stdio};

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn invalid_environment_variables_are_named() {
    for (variable, value, said) in [
        ("HEXZERO_KERNEL", "fast", "HEXZERO_KERNEL: kernel 'fast' is not available here; choose one of: "),
        ("HEXZERO_PRECISION", "f64", "HEXZERO_PRECISION: there is no precision 'f64'; choose f32 or int8"),
        ("HEXZERO_TRAINING_PRECISION", "f8", "HEXZERO_TRAINING_PRECISION: training precision 'f8' is not available"),
    ] {
        let mut command = Command::cargo_bin("hexzero").unwrap();
        let told = command.args(["games"]).env(variable, value).assert().code(1).stdout("");
        told.stderr(contains(said).and(if variable == "HEXZERO_KERNEL" {
            contains("portable")
        } else {
            contains("f32")
        }));
        let mut command = Command::cargo_bin("hexzero").unwrap();
        command.args(["games"]).env(variable, "").assert().success();
    }
}

#[test]
fn closed_stdout_is_no_failure() {
    let mut child = process::Command::new(assert_cmd::cargo::cargo_bin("hexzero"))
        .arg("gtp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    // The program may have ended before all of this is written.
    let _ = child.stdin.take().unwrap().write_all(&b"list_commands\n".repeat(100));
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}
