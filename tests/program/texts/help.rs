//! `--help` of the program and of its commands.

use assert_cmd::Command;

use super::compare;
use crate::common::hexzero;
use crate::output::stdout;

/// Commands of commands, which are not listed.
const OTHERS: &str = "tournament ladder, games solve, games perft, study openings, study puzzles, serve site, \
     generate completions, generate man";

fn help(command: &str) -> String {
    let words: Vec<&str> = command.split(' ').filter(|word| !word.is_empty()).chain(["--help"]).collect();
    let help = stdout(&hexzero(".".as_ref(), &words).success().stderr(""));
    // The help of the program is laid out by hand. That of a command is wrapped to the terminal, or to 100 columns.
    let (text, columns) = if command.is_empty() {
        (help.clone(), 100)
    } else {
        (stdout(&Command::cargo_bin("hexzero").unwrap().args(&words).env("COLUMNS", "80").assert().success()), 80)
    };
    let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > columns).collect();
    assert!(wide.is_empty(), "'{command} --help' is wider than {columns} columns: {wide:#?}");
    assert!(help.contains("Examples:") || help.contains("\nCommands:"), "'{command} --help' has no example");
    help
}

/// The commands that a help lists, each at the beginning of a line.
pub fn listed(help: &str) -> impl Iterator<Item = &str> {
    let list = help.split("Usage:").nth(1).unwrap().split("\nOptions:\n").next().unwrap();
    list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next().filter(|name| !name.is_empty()))
}

/// The help of the program, and the arguments of each command.
#[test]
fn help_of_every_command() {
    let program = help("");
    let mut text = program.clone();
    for command in listed(&program).filter(|&name| name != "help").chain(OTHERS.split(", ")) {
        let of_command = help(command);
        // Such as '-h, --help', '--size <N>', '<FILE>' and '[MOVES]...', but not '[default: 9]'.
        let arguments = of_command.lines().filter_map(|line| {
            let line = line.trim_start();
            let line = if line.get(2..4) == Some(", ") { &line[4..] } else { line };
            let word = line.split([' ', '[']).next().filter(|word| word.len() > 2 && word.starts_with("--"));
            let is_place =
                |word: &&str| word.starts_with(['<', '[']) && !word.contains(|letter: char| letter.is_lowercase());
            word.or_else(|| line.split(' ').next().filter(is_place))
        });
        text += &format!("\n{command}: {}", arguments.collect::<Vec<_>>().join(" "));
    }
    // Without the cluster some commands and options are missing.
    if cfg!(feature = "cluster") {
        compare("help", &text);
    }
}
