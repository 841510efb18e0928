//! Commands where the system has no threads to give: they go on with their own, or say what is missing.

use std::time::Duration;

use assert_cmd::Command;

use crate::tiny::folder_with_recipe;

/// A stack size in bytes that no system can allocate, so that every new thread fails.
const NO_STACK: &str = "1000000000000000";

/// Runs a command and returns whether it succeeded, and what it wrote to standard output and to standard error.
fn run(arguments: &str, input: &str) -> (bool, String, String) {
    let folder = &*folder_with_recipe();
    let mut command = Command::cargo_bin("hexzero").unwrap();
    command.args(arguments.split_whitespace()).current_dir(folder).env("RUST_MIN_STACK", NO_STACK);
    let output = command.write_stdin(input).timeout(Duration::from_secs(300)).output().unwrap();
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let said = text(&output.stderr);
    assert!(output.status.code().is_some_and(|code| code < 2) && !said.contains("panicked"), "{arguments}: {said}");
    (output.status.success(), text(&output.stdout), said)
}

#[test]
fn commands_that_need_threads_say_so() {
    for arguments in [
        "gtp",
        "games perft --size 3 --depth 2",
        "games solve --size 3",
        "bench --part evaluations",
        "train --recipe tiny.toml --games 6 --run run",
        "arena random random --size 3 --games 2",
        "arena random gtp:hexzero --size 3 --games 2",
        "analyze --batch",
        "serve --port 0",
        #[cfg(feature = "cluster")]
        "cluster worker --cluster nats://127.0.0.1:1",
    ] {
        let (succeeded, _, said) = run(arguments, "");
        assert!(!succeeded, "{arguments}");
        assert!(said.starts_with("error: "), "{arguments}: {said}");
        assert!(said.contains("thread") || said.contains("workers"), "{arguments}: {said}");
    }
}

#[test]
fn searches_go_on_with_a_single_thread() {
    for arguments in [
        "study openings --size 3 --visits 20 --threads 3",
        "analyze --size 3 --visits 50 --threads 3 a1",
        "review - --visits 20 --threads 3",
    ] {
        let (succeeded, told, said) = run(arguments, "{\"game\":\"cachex\",\"size\":3,\"moves\":[\"a1\",\"b2\"]}\n");
        assert!(succeeded && !told.is_empty(), "{arguments}: {said}");
    }
}
