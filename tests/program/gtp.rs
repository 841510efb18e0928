//! Conversations in GTP with the binary.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::common::hexzero_with_input;
use crate::output::stdout;

/// Runs the program in a folder with this input. Returns its answers.
pub fn talk(folder: &Path, arguments: &[&str], input: impl Into<Vec<u8>>) -> String {
    stdout(&hexzero_with_input(folder, &[&["gtp"], arguments].concat(), input).success().stderr(""))
}

/// Plays a transcript of `tests/data/gtp`: lines `> command` are sent, all others but comments are the expected
/// output. `INSTA_UPDATE=always` accepts other texts, as it does for snapshots.
pub fn transcript(folder: &Path, arguments: &[&str], name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gtp").join(name);
    let text = fs::read_to_string(&path).unwrap();
    let (mut sent, mut expected) = (String::new(), String::new());
    for line in text.lines() {
        match line.strip_prefix('>') {
            Some(command) => sent.push_str(&format!("{command}\n")),
            None if line.starts_with('#') => {}
            None => expected.push_str(&format!("{line}\n")),
        }
    }
    // Files are spaced for reading; every reply ends with exactly one empty line.
    let replies = |text: &str| -> Vec<String> {
        text.split("\n\n").map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
    };
    let (found, expected) = (replies(&talk(folder, arguments, sent)), replies(&expected));
    if found.len() == expected.len() && std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        let text = found.iter().zip(&expected).fold(text, |text, (new, old)| text.replace(old, new));
        return fs::write(path, text).unwrap();
    }
    assert_eq!(found, expected, "{name}");
}

/// A running program, driven as HexGui drives it: one command at a time; a reply ends with an empty line.
pub struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    /// Starts `hexzero gtp` with these arguments.
    pub fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hexzero"));
        command.arg("gtp").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// Returns the next line without its end.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Returns what comes up to the next empty line.
    pub fn block(&mut self) -> String {
        let mut block = String::new();
        while !block.ends_with("\n\n") {
            assert_ne!(self.output.read_line(&mut block).unwrap(), 0, "the program ended after {block:?}");
        }
        block
    }

    /// Sends a command and gives the reply, which must be a success. HexGui insists on the space.
    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        let block = self.block();
        let reply = block.strip_prefix("= ").unwrap_or_else(|| panic!("{line}: {block:?}"));
        reply.trim_end().to_owned()
    }

    /// Ends it.
    pub fn quit(mut self) {
        self.ask("quit");
        assert!(self.child.wait().unwrap().success());
    }

    /// Closes its input. Returns the rest of its output.
    pub fn end(mut self) -> String {
        drop(self.input);
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert!(self.child.wait().unwrap().success());
        rest
    }
}
