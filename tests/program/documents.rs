//! The examples in the documents print what the documents say, their commands exist, their links lead somewhere, and
//! the book has all of them.

use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use clap::Parser;
use hexzero::interfaces::cli::Cli;

/// The commands whose examples print the same everywhere. The others print times, depend on the processor, or take too
/// long.
const REPEATABLE: [&str; 4] = ["play", "gtp", "replay", "games"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The documents in a folder and those within it.
fn documents_in(folder: &str) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![root().join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.extension() {
                None => folders.extend(path.is_dir().then_some(path)),
                Some(extension) => found.extend((extension == "md").then_some(path)),
            }
        }
    }
    found.sort_unstable();
    found
}

/// All documents, those beside the program included.
fn documents() -> Vec<PathBuf> {
    let beside = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "ROADMAP.md"].map(|name| root().join(name));
    beside.into_iter().chain(documents_in("docs")).chain(documents_in("models")).collect()
}

/// The examples in a document, which are the `text` blocks that begin with `$ `: the command, and what it prints.
fn examples(document: &str) -> Vec<(&str, &str)> {
    let blocks = document.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.filter_map(|block| block.strip_prefix("$ ")?.split_once('\n')).collect()
}

/// The word after `hexzero`.
fn subcommand(command: &str) -> &str {
    let words: Vec<&str> = command.split_whitespace().collect();
    let program = words.iter().position(|&word| word == "hexzero").expect("a command of hexzero");
    words[program + 1]
}

/// What a shell prints that is given the command, and these lines as input.
fn printed(command: &str, input: &str) -> String {
    let folder = cargo_bin("hexzero").parent().unwrap().to_owned();
    let path =
        std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())));
    let output = Command::new("sh")
        .args(["-c", &format!("printf '{}' | ({command})", input.replace('\n', "\\n"))])
        .env("PATH", path.unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{command}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Compares a game line by line with what the program prints: a terminal shows what is typed after the prompt.
fn compare_game(command: &str, expected: &str) {
    const PROMPT: &str = "black> ";
    let typed: Vec<&str> = expected.lines().filter_map(|line| line.strip_prefix(PROMPT)).collect();
    let mut found = printed(command, &format!("{}\nquit\nquit\n", typed.join("\n")));
    for line in typed {
        found = found.replacen(PROMPT, &format!("{}{line}\n", PROMPT.to_uppercase()), 1);
    }
    let found = found.replace(&PROMPT.to_uppercase(), PROMPT);
    assert!(found.contains(expected), "{command}\nexpected:\n{expected}\nfound:\n{found}");
}

/// The text without spaces at the ends of lines.
fn trimmed(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn examples_print_what_they_say() {
    let mut compared = Vec::new();
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        for (command, expected) in examples(&text) {
            let name = subcommand(command);
            if !REPEATABLE.contains(&name) {
                continue;
            }
            compared.push(name.to_owned());
            if name == "play" {
                compare_game(command, expected);
            } else {
                let found = trimmed(&printed(command, ""));
                assert_eq!(found, trimmed(expected), "{}: {command}", document.display());
            }
        }
    }
    compared.sort_unstable();
    compared.dedup();
    assert_eq!(compared, ["games", "gtp", "play", "replay"], "an example of each");
}

#[test]
fn links_lead_somewhere() {
    let anchors = |text: &str| -> Vec<String> {
        let headings = text
            .lines()
            .filter_map(|line| line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')));
        let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
        headings
            .map(|heading| heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-"))
            .collect()
    };
    let mut broken = Vec::new();
    for document in &documents() {
        let text = std::fs::read_to_string(document).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") || link.contains(' ') {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { document.clone() } else { document.parent().unwrap().join(file) };
            let reached = target.exists()
                && (anchor.is_empty()
                    || anchors(&std::fs::read_to_string(&target).unwrap()).iter().any(|it| it == anchor));
            if !reached {
                broken.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// Returns whether a path from the root, from the template of a game or from the Python code leads somewhere.
fn is_there(path: &str) -> bool {
    ["", "examples/template", "python"].into_iter().any(|folder| root().join(folder).join(path).exists())
}

#[test]
fn paths_in_documents_exist() {
    // What a reader makes, and parts of paths.
    let made = ["crates/games/src/fours", "crates/games/src/fours/mod.rs"];
    let mut missing = Vec::new();
    for document in documents().into_iter().filter(|path| !path.ends_with("CHANGELOG.md")) {
        let text = std::fs::read_to_string(&document).unwrap();
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_-./".contains(letter);
        for word in text.split(|letter: char| !is_part(letter)).map(|word| word.trim_end_matches(['.', '/'])) {
            let folders = ["src/", "crates/", "tests/", "examples/", "benches/"];
            let begins = folders.iter().any(|folder| word.starts_with(folder));
            let is_source = word.ends_with(".rs") && word.contains('/') && !word.starts_with(['.', '/']);
            if (begins || is_source) && !made.contains(&word) && !is_there(word) {
                missing.push(format!("{}: {word}", document.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// The words of a command for `hexzero`, by itself or from the project's folder. `fours` is the game of the tutorials.
fn words_for_hexzero(command: &str) -> Option<Vec<String>> {
    let command = command.trim().replace("cargo run --release -- ", "hexzero ").replace("--game fours", "--game hex");
    shlex::split(&command).filter(|words| words.first().is_some_and(|word| word == "hexzero"))
}

/// The commands in a document's blocks for a shell: the words after `hexzero`, without what another program gets.
fn shell_commands(document: &str) -> Vec<Vec<String>> {
    let blocks = document.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines = blocks.flat_map(|block| block.split('\n')).map(|line| line.split(" #").next().unwrap_or_default());
    let commands = lines.flat_map(|line| line.split(" | ")).filter_map(|command| command.split(" > ").next());
    // Without a command the program opens its page. `--games N` stands for many commands, and so does `--visits $V`.
    let placeholder = |word: &String| word.contains('$') || word.chars().all(|letter| letter.is_ascii_uppercase());
    let is_whole = |words: &Vec<String>| words.len() > 1 && !words.iter().any(placeholder);
    commands.filter_map(|command| words_for_hexzero(command.trim_end_matches('&'))).filter(is_whole).collect()
}

/// The commands within a document's sentences, which may leave out what does not matter there.
fn commands_in_sentences(document: &str) -> Vec<Vec<String>> {
    let blocks = document.split("```").step_by(2);
    let spans = blocks.flat_map(|text| text.split('`').skip(1).step_by(2));
    // `hexzero COMMAND --help`, `hexzero = { path = … }`
    let is_placeholder = |word: &String| word.chars().all(|letter| !letter.is_ascii_lowercase());
    let is_named = |words: &Vec<String>| words.get(1).is_some_and(|word| !is_placeholder(word));
    spans.filter_map(|span| words_for_hexzero(&span.replace('\n', " "))).filter(is_named).collect()
}

/// Parses the commands that are found in documents, and asserts that none has such an error.
fn check_commands(among: Vec<PathBuf>, find: fn(&str) -> Vec<Vec<String>>, is_wrong: impl Fn(&clap::Error) -> bool) {
    let (mut checked, mut wrong) = (0, Vec::new());
    for document in among {
        for words in find(&std::fs::read_to_string(&document).unwrap()) {
            checked += 1;
            if let Some(error) = Cli::try_parse_from(&words).err().filter(&is_wrong) {
                wrong.push(format!("{}: {}: {error}", document.display(), words.join(" ")));
            }
        }
    }
    assert!(checked > 50, "{checked} commands");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn commands_are_understood() {
    let refusal = "built without the feature 'cluster'";
    check_commands(documents(), shell_commands, |error| {
        error.use_stderr() && (cfg!(feature = "cluster") || !error.to_string().contains(refusal))
    });
}

#[test]
fn sentences_name_commands_and_options_that_exist() {
    use clap::error::ErrorKind::{InvalidSubcommand, UnknownArgument};
    // The changelog names commands of the past.
    let present = documents().into_iter().filter(|path| !path.ends_with("CHANGELOG.md")).collect();
    check_commands(present, commands_in_sentences, |error| matches!(error.kind(), InvalidSubcommand | UnknownArgument));
}

#[test]
fn book_lists_every_document_once() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let chapters = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let mut found: Vec<PathBuf> = chapters.map(|link| root().join("docs").join(link).canonicalize().unwrap()).collect();
    found.sort_unstable();
    let is_page = |path: &PathBuf| !path.ends_with("SUMMARY.md");
    let mut expected: Vec<PathBuf> =
        documents().into_iter().filter(is_page).map(|path| path.canonicalize().unwrap()).collect();
    expected.sort_unstable();
    assert_eq!(found, expected);
}
