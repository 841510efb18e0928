//! The examples in the documents print what the documents say.

use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;

/// The commands whose examples print the same everywhere. The others print times, depend on the processor, or take too
/// long.
const REPEATABLE: [&str; 4] = ["play", "gtp", "replay", "solve"];

/// An example: a command after `$ `, and what it prints.
struct Example<'a> {
    command: &'a str,
    printed: &'a str,
}

/// The examples in a document: the `text` blocks that begin with a command.
fn examples(document: &str) -> Vec<Example<'_>> {
    let blocks = document.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
    let commands = blocks.filter_map(|block| block.strip_prefix("$ ")?.split_once('\n'));
    commands.map(|(command, printed)| Example { command, printed }).collect()
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
fn compare_game(Example { command, printed: expected }: &Example<'_>) {
    const PROMPT: &str = "red> ";
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let documents = pages.chain([root.join("README.md")]);
    let mut compared = Vec::new();
    for document in documents.filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
        let text = std::fs::read_to_string(&document).unwrap();
        for example in examples(&text) {
            let name = subcommand(example.command);
            if !REPEATABLE.contains(&name) {
                continue;
            }
            compared.push(name.to_owned());
            if name == "play" {
                compare_game(&example);
            } else {
                let found = trimmed(&printed(example.command, ""));
                assert_eq!(found, trimmed(example.printed), "{}: {}", document.display(), example.command);
            }
        }
    }
    compared.sort_unstable();
    compared.dedup();
    assert_eq!(compared, ["gtp", "play", "replay", "solve"], "an example of each");
}

#[test]
fn links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("docs"), root.join("models")];
    let mut documents = vec![root.join("README.md"), root.join("CONTRIBUTING.md"), root.join("CHANGELOG.md")];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.extension() {
                None => folders.extend(path.is_dir().then_some(path)),
                Some(extension) => documents.extend((extension == "md").then_some(path)),
            }
        }
    }
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
    for document in &documents {
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
