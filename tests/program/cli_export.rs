//! `hexzero export` from the outside. The contents of the files are tested in Python, see `python/tests`.

use std::fs;
use std::path::Path;

use assert_cmd::assert::Assert;
use predicates::str::contains;

use crate::common::hexzero_line;
use crate::tiny::Folder;

/// Runs `hexzero export` in a folder with these words.
fn export(folder: &Path, words: &str) -> Assert {
    hexzero_line(folder, &format!("export {words}"))
}

#[test]
fn formats_are_written_and_named() {
    let folder = &*Folder::empty();
    let path = |name: &str| folder.join(name);
    export(folder, "--onnx net.onnx --samples samples.npz --sizes 3,4 --positions 2 --numpy my_player")
        .success()
        .stdout("net.onnx\nsamples.npz\nmy_player\n");
    let holds =
        |file: &str, text: &str| fs::read(path(file)).unwrap().windows(text.len()).any(|part| part == text.as_bytes());
    for text in ["cell_policy", "moves_left", "own_captures", "turns/343"] {
        assert!(holds("net.onnx", text), "{text}");
    }
    assert!(holds("samples.npz", "4.outcome.npy"));
    let mut files: Vec<_> = fs::read_dir(path("my_player")).unwrap().map(|file| file.unwrap().file_name()).collect();
    files.sort();
    let expected = ["__init__.py", "network.py", "player.py", "rules.py", "search.py", "weights.npz"];
    assert_eq!(files, expected);
}

#[test]
fn same_network_gives_the_same_files() {
    let folder = &*Folder::empty();
    let written = |words: &str| {
        export(folder, &format!("{words} --model {}/models/hex.safetensors", env!("CARGO_MANIFEST_DIR"))).success();
        fs::read(folder.join("file")).unwrap()
    };
    assert_eq!(written("--onnx file"), written("--onnx file"));
    let samples = written("--samples file --sizes 5");
    assert_eq!(written("--samples file --sizes 5"), samples);
    assert_ne!(written("--samples file --sizes 5 --seed 7"), samples);
    let named = written("--onnx file");
    export(folder, "--onnx file --game hex").success();
    assert_eq!(fs::read(folder.join("file")).unwrap(), named, "the one that ships");
}

/// Chameleon has no moves but those on cells.
#[test]
fn samples_have_no_empty_output() {
    let folder = &*Folder::empty();
    export(folder, "--samples samples.npz --game chameleon --sizes 3 --positions 2").success();
    let bytes = fs::read(folder.join("samples.npz")).unwrap();
    let holds = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(holds("3.cell_policy.npy") && !holds("3.global_policy.npy"));
}

#[test]
fn folder_of_others_is_left_alone() {
    let folder = &*Folder::empty();
    fs::create_dir(folder.join("mine")).unwrap();
    fs::write(folder.join("mine/thesis.txt"), "do not touch").unwrap();
    export(folder, "--numpy mine").code(1).stdout("").stderr(contains("is not empty and not an exported player"));
    assert_eq!(fs::read_dir(folder.join("mine")).unwrap().count(), 1);
}

#[test]
fn existing_player_is_replaced() {
    let folder = &*Folder::empty();
    export(folder, "--numpy player").success();
    let search = folder.join("player/search.py");
    fs::write(&search, "older").unwrap();
    export(folder, "--numpy player").success();
    assert!(fs::read_to_string(search).unwrap().contains("class Search"));
}
