//! What comes with a package of the program: completions and manual pages; the install script, and recipes for package
//! managers.

use std::fs;
#[cfg(unix)]
use std::path::Path;
use std::process::Command;

use predicates::prelude::*;
use predicates::str::contains;

use crate::common::hexzero;
use crate::output::stdout;
use crate::texts::help::listed;
use crate::tiny::Folder;

#[test]
fn completions_exist_for_every_shell() {
    let folder = &*Folder::empty();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let said = contains("hexzero").and(contains("print-recipe")).and(contains("tournament"));
        hexzero(folder, &["generate", "completions", shell]).success().stderr("").stdout(said);
    }
}

/// In the shell itself: the words are completed as they would be after a press of the tab key.
#[test]
fn bash_completes_commands_options_and_games() {
    let folder = &*Folder::empty();
    let script = hexzero(folder, &["generate", "completions", "bash"]).success().get_output().stdout.clone();
    fs::write(folder.join("script"), script).unwrap();
    for (words, expected) in [
        ("hexzero to", "tournament"),
        ("hexzero train --print", "--print-recipe"),
        ("hexzero play --game twelve", ""),
        ("hexzero play --game hexif", "hexifence"),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
        let asked = format!(
            "source ./script; COMP_WORDS=({}); COMP_CWORD={}; _hexzero hexzero '{last}' '{before}'; echo \"${{COMPREPLY[*]}}\"",
            words.join(" "),
            words.len() - 1,
        );
        let output = Command::new("bash").args(["--norc", "-c", &asked]).current_dir(folder).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), expected, "{words:?}: {output:?}");
    }
}

#[test]
fn manual_page_exists_for_every_command() {
    let folder = &*Folder::empty();
    let printed = hexzero(folder, &["generate", "man", "share/man1"]).success().stderr("");
    let help = stdout(&hexzero(folder, &["--help"]).success());
    let mut expected: Vec<String> = listed(&help).map(|name| format!("hexzero-{name}.1")).collect();
    assert!(expected.len() >= 16, "{expected:?}");
    expected.push("hexzero.1".to_owned());
    let below = "games-perft games-solve generate-completions generate-man serve-site study-balanced study-openings \
                 study-puzzles tournament-ladder";
    let of_cluster = "cluster-metrics cluster-status cluster-unban cluster-worker";
    let below = below.split(' ').chain(of_cluster.split(' ').filter(|_| cfg!(feature = "cluster")));
    expected.extend(below.map(|name| format!("hexzero-{name}.1")));
    expected.sort_unstable();
    let pages = folder.join("share/man1");
    let mut found: Vec<String> =
        fs::read_dir(&pages).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    found.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(stdout(&printed).lines().count(), found.len());

    let page = |name: &str| fs::read_to_string(pages.join(name)).unwrap();
    let train = page("hexzero-train.1");
    for part in [".TH hexzero-train 1", "hexzero 0.", ".SH SYNOPSIS", "print\\-recipe", "Examples:"] {
        assert!(train.contains(part), "{part}:\n{train}");
    }
    // The page about the program leads to the others, and is what is printed without a folder.
    assert!(page("hexzero.1").contains("hexzero\\-train(1)"), "{}", page("hexzero.1"));
    hexzero(folder, &["generate", "man"]).success().stderr("").stdout(page("hexzero.1"));
}

/// Makes the files of a release, with a script in place of the program, which prints its version.
#[cfg(unix)]
const RELEASE: &str = r"
for machine in x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu x86_64-apple-darwin aarch64-apple-darwin; do
    name=hexzero-9.8.7-$machine
    mkdir $name
    printf '#!/bin/sh\necho hexzero 9.8.7\n' > $name/hexzero
    chmod 755 $name/hexzero
    tar -czf $name.tar.gz $name
    rm -r $name
done
echo sources > hexzero-9.8.7.tar.gz
echo zip > hexzero-9.8.7-x86_64-pc-windows-msvc.zip
if command -v sha256sum >/dev/null; then sha256sum hexzero-*; else shasum -a 256 hexzero-*; fi > SHA256SUMS
";

#[cfg(unix)]
fn release() -> Folder {
    let folder = Folder::empty();
    let made = Command::new("sh").args(["-euc", RELEASE]).current_dir(folder.path()).status().unwrap();
    assert!(made.success());
    folder
}

#[cfg(unix)]
#[test]
fn install_script_checks_the_archive_and_installs_the_program() {
    let (release, home) = (release(), Folder::empty());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/install.sh");
    let (bin, program) = (home.join("bin"), home.join("bin/hexzero"));
    let install =
        || Command::new("sh").arg(&script).arg("--from").arg(release.path()).arg("--to").arg(&bin).output().unwrap();
    let output = install();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(Command::new(&program).output().unwrap().stdout, b"hexzero 9.8.7\n");

    fs::remove_file(&program).unwrap();
    for path in fs::read_dir(release.path()).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_some_and(|extension| extension == "gz") {
            let bytes = [fs::read(&path).unwrap(), b"more".to_vec()].concat();
            fs::write(path, bytes).unwrap();
        }
    }
    let output = install();
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && problem.contains("another checksum"), "{output:?}");
    assert!(!program.exists());
}

#[cfg(unix)]
#[test]
fn recipes_have_version_and_checksums() {
    let release = release();
    let recipes = release.join("recipes");
    let fill = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/packages/fill");
    let sums = release.join("SHA256SUMS");
    let output = Command::new("bash").arg(fill).arg("9.8.7").arg(&sums).arg(&recipes).output().unwrap();
    assert!(output.status.success(), "{output:?}");

    let sums = fs::read_to_string(sums).unwrap();
    let sum = |name: &str| sums.lines().find_map(|line| line.strip_suffix(name)).unwrap().trim();
    let (source, zip) = (sum("  hexzero-9.8.7.tar.gz"), sum("  hexzero-9.8.7-x86_64-pc-windows-msvc.zip"));
    for (recipe, sum) in [
        ("aur/PKGBUILD", source),
        ("conda-forge/recipe.yaml", source),
        ("homebrew/hexzero.rb", source),
        ("nix/package.nix", "sha256-"),
        ("winget/hexzero.hexzero.installer.yaml", zip),
    ] {
        let text = fs::read_to_string(recipes.join(recipe)).unwrap();
        assert!(text.contains("9.8.7") && text.contains(sum) && !text.contains('@'), "{recipe}:\n{text}");
    }
    let package = recipes.join("aur/PKGBUILD");
    assert!(Command::new("bash").arg("-n").arg(package).status().unwrap().success());
}
