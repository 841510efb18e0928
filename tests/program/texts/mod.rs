//! What the program says. A file of `snapshots/` has the cases of a surface and, after each, what came of it; its tests
//! run the cases again. A case is `[EXIT CODE] hexzero COMMAND`, or `FILE <- CONTENTS` before it; both may have an
//! input, `< INPUT`. The program's output follows after `| `, its errors as they are, and the names of files that are
//! new, other or gone. CONTRIBUTING.md says how to add a case and how to accept a changed text.

mod files;
pub mod help;
mod server;
mod terminal;

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::hexzero_with_input;
use crate::runs::files;
use crate::tiny::{Folder, RECIPE};

/// The lines of a snapshot.
fn cases(surface: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/texts/snapshots").join(surface);
    fs::read_to_string(path.with_extension("snap")).unwrap().lines().map(str::to_owned).collect()
}

/// A line of text, with the characters that it cannot have: ends of lines, escape, byte order mark, zero.
fn unescaped(text: &str) -> String {
    [("\\n", "\n"), ("\\r", "\r"), ("\\0", "\0"), ("\\e", "\u{1b}"), ("\\b", "\u{feff}")]
        .into_iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// The contents of a file: the text, or after `RECIPE` the tiny recipe with a change.
fn contents(text: &str) -> String {
    let Some(change) = text.strip_prefix("RECIPE ") else { return unescaped(text) };
    match (change.split_once(" => "), change.split_once(": ")) {
        (Some((from, to)), _) => RECIPE.replace(from, to),
        (_, Some(("begin", text))) => format!("{}\n{RECIPE}", unescaped(text)),
        (_, Some(("end", text))) => format!("{RECIPE}{}\n", unescaped(text)),
        _ => panic!("{change}"),
    }
}

/// Compares a text with a snapshot.
fn compare(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.add_filter(env!("CARGO_MANIFEST_DIR"), "ROOT");
    settings.add_filter(&env!("CARGO_PKG_VERSION").replace('.', r"\."), "VERSION");
    // Checksums of files, hashes of recipes, lengths of games.
    let sum = r#"(checksum is |expected |says "|then \(|now \(|recipe {6})[0-9a-f]{8}\b"#;
    settings.add_filter(sum, "${1}CHECKSUM");
    // Which of several winning moves is found depends on the processor.
    settings.add_filter(r"x: (a1|b2): [a-c][1-3] is ", "x: ${1}: MOVE is ");
    settings.add_filter(r"\d{3,} bytes long where its header says \d{3,}", "N bytes long where its header says M");
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// A folder of its own in which the cases of a surface run.
struct Texts(Folder);

impl Texts {
    fn new() -> Self {
        Self(Folder::empty())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file.
    fn file(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), contents).unwrap();
    }

    /// Runs the cases of a surface and compares what comes of them.
    fn check(&self, surface: &str) {
        let (mut said, mut surprises) = (String::new(), Vec::new());
        for line in cases(surface) {
            let command = line.strip_prefix('[').and_then(|line| line.split_once("] hexzero "));
            if let Some((code, command)) = command {
                let (found, text) = self.run(command);
                said += &format!("[{found}] hexzero {command}\n{text}");
                surprises.extend((found.to_string() != code).then_some(line));
            } else if let Some((name, text)) = line.split_once(" <- ").filter(|_| !line.starts_with("| ")) {
                self.file(name, contents(text));
                said += &format!("{line}\n");
            }
        }
        compare(surface, &said);
        assert!(surprises.is_empty(), "other exit codes: {surprises:#?}");
    }

    /// Runs a command; returns the exit code, and what it said and changed.
    fn run(&self, command: &str) -> (i32, String) {
        let before = files(self.path());
        let (words, input) = command.split_once(" < ").unwrap_or((command, ""));
        let words = shlex::split(words).unwrap();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let done = hexzero_with_input(self.path(), &words, unescaped(input));
        let output = done.get_output();
        let mut said = String::new();
        for (mark, bytes) in [("| ", &output.stdout), ("", &output.stderr)] {
            let text = std::str::from_utf8(bytes).unwrap();
            // Without what clap adds to each error.
            let is_said =
                |line: &&str| !line.is_empty() && !line.starts_with("Usage: ") && !line.starts_with("For more ");
            for line in text.lines().filter(is_said) {
                said += &format!("{mark}{}\n", line.trim_end());
            }
        }
        let after = files(self.path());
        let is_same = |name: &&PathBuf| before.get(*name) == after.get(*name);
        let mut changed: Vec<&PathBuf> = before.keys().chain(after.keys()).filter(|name| !is_same(name)).collect();
        changed.sort();
        changed.dedup();
        said.extend(changed.into_iter().map(|name| format!("changed: {}\n", name.display())));
        (output.status.code().unwrap(), said)
    }
}

/// The version, and command lines that are invalid, or ask for what no game, board, model, player, run or file of this
/// name has.
#[test]
fn command_line() {
    let texts = Texts::new();
    texts.file("file", "");
    texts.check("command_line");
}

/// Commands with `--device`, where the program was built for none.
#[cfg(all(feature = "cluster", not(any(feature = "cuda", feature = "metal"))))]
#[test]
fn devices() {
    Texts::new().check("devices");
}

/// Recorded games: what is read, with which warnings, what it becomes in other forms, and what is refused.
#[test]
fn games() {
    let texts = Texts::new();
    texts.file("garbage", b"\xff\xfe\0\x80");
    texts.check("games");
}

/// Recipes that are refused.
#[test]
fn recipes() {
    Texts::new().check("recipes");
}

/// Files of experiments that are refused.
#[test]
fn experiments() {
    Texts::new().check("experiments");
}

/// Queries of `hexzero analyze --batch` that are refused.
#[test]
fn queries() {
    Texts::new().check("queries");
}

/// Files of puzzles, of opening maps and of openings that are refused.
#[test]
fn puzzles_and_openings() {
    Texts::new().check("puzzles_and_openings");
}
