//! Conversations in GTP with the binary.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

/// What the program answers to an input, run in a folder.
pub fn talk(folder: &Path, arguments: &[&str], input: impl Into<Vec<u8>>) -> String {
    let mut command = Command::cargo_bin("hexzero").unwrap();
    let command = command.arg("gtp").args(arguments).current_dir(folder).write_stdin(input);
    let output = command.assert().success().get_output().clone();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Plays a transcript of `tests/data/gtp`: `> command` lines are sent, all else but comments is the expected
/// output.
pub fn transcript(folder: &Path, arguments: &[&str], name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gtp").join(name);
    let text = fs::read_to_string(path).unwrap();
    let (mut sent, mut expected) = (String::new(), String::new());
    for line in text.lines() {
        match line.strip_prefix('>') {
            Some(command) => sent.push_str(&format!("{command}\n")),
            None if line.starts_with('#') => {}
            None => expected.push_str(&format!("{line}\n")),
        }
    }
    // Files are spaced for reading; every reply ends with exactly one empty line.
    let tidy = |text: &str| text.split("\n\n").map(|part| part.trim().to_owned()).collect::<Vec<_>>();
    let meaningful = |text: &str| tidy(text).into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    assert_eq!(meaningful(&talk(folder, arguments, sent)), meaningful(&expected));
}
