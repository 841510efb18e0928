//! Files that are not what they should be: checkpoints, runs and their parts, games of matches.

use std::fs;
use std::path::{Path, PathBuf};

use hexzero::network::{Checkpoint, Metadata, write_safetensors};
use safetensors::tensor::{Dtype, TensorView, serialize};

use super::Texts;
use crate::common::hexzero_line;
use crate::runs::copy;
use crate::tiny::{RECIPE, train};

/// A checkpoint with other metadata.
fn changed(original: &Checkpoint, change: impl Fn(&mut Metadata)) -> Vec<u8> {
    let mut checkpoint = original.clone();
    change(&mut checkpoint.metadata);
    checkpoint.to_bytes().unwrap()
}

/// Files that are no checkpoint of Cachex that this program reads, by name.
fn bad_checkpoints(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let header_ends = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let checkpoint = Checkpoint::from_bytes(bytes, "shipped").unwrap();
    let cut = |at: usize| bytes[..at].to_vec();
    let mut flipped = bytes.to_vec();
    flipped[12] ^= 0x20;
    let mut last_flipped = bytes.to_vec();
    *last_flipped.last_mut().unwrap() ^= 1;
    let with_text = |text: &str| write_safetensors(&checkpoint.tensors, "hexzero", text.to_owned()).unwrap();
    let of = |change: fn(&mut Metadata)| changed(&checkpoint, change);
    let mut not_finite = checkpoint.clone();
    not_finite.tensors.get_mut("stem.bias").unwrap().data[0] = f32::NAN;
    let mut missing = checkpoint.clone();
    missing.tensors.remove("stem.bias");
    // Its numbers are finite, but not its answers.
    let mut huge = checkpoint.clone();
    for name in ["stem.weight", "policy.weight", "position.weight"] {
        huge.tensors.get_mut(name).unwrap().data.fill(f32::MAX);
    }
    let half = TensorView::new(Dtype::F16, vec![2], &[0; 4]).unwrap();
    let text = serde_json::to_string(&checkpoint.metadata).unwrap();
    let half = serialize([("stem.bias", half)], Some([("hexzero".to_owned(), text)].into())).unwrap();
    vec![
        ("empty", Vec::new()),
        ("cut-in-length", cut(7)),
        ("cut-after-length", cut(8)),
        ("cut-in-header", cut(100)),
        ("cut-before-end-of-header", cut(header_ends - 1)),
        ("cut-after-header", cut(header_ends)),
        ("cut-in-first-number", cut(header_ends + 1)),
        ("cut-in-numbers", cut(bytes.len() / 2)),
        ("cut-before-end", cut(bytes.len() - 1)),
        ("longer", [bytes, b"x"].concat()),
        ("text", b"a text file, and not a short one: ".repeat(50)),
        ("zeros", vec![0; 1000]),
        ("ones", vec![0xff; 1000]),
        ("flipped-in-header", flipped),
        ("flipped-at-end", last_flipped),
        ("without-version", with_text("{}")),
        ("without-json", with_text("version 1")),
        ("without-fields", with_text(r#"{"format_version":1}"#)),
        ("foreign", write_safetensors(&checkpoint.tensors, "pt", String::new()).unwrap()),
        ("format-3", of(|metadata| metadata.format_version = 3)),
        ("more-blocks", of(|metadata| metadata.architecture.blocks += 1)),
        ("odd-channels", of(|metadata| metadata.architecture.channels = 17)),
        ("no-blocks", of(|metadata| metadata.architecture.blocks = 0)),
        ("endless-blocks", of(|metadata| metadata.architecture.blocks = usize::MAX)),
        ("endless-inputs", of(|metadata| metadata.view.cell_inputs = usize::MAX)),
        ("endless-planes", of(|metadata| metadata.view.policy_planes = usize::MAX)),
        ("not-finite", not_finite.to_bytes().unwrap()),
        ("missing-tensor", missing.to_bytes().unwrap()),
        ("overflowing", huge.to_bytes().unwrap()),
        ("half-precision", half),
        ("of-another-game", of(|metadata| metadata.game = "go".to_owned())),
        ("not-of-its-game", of(|metadata| metadata.game = "hex".to_owned())),
        ("of-other-inputs", of(|metadata| metadata.view.version += 1)),
    ]
}

/// Gives every bad checkpoint to `inspect`, and some to every command that reads one: all use the same function.
#[test]
fn checkpoints() {
    let texts = Texts::new();
    texts.file("tiny.toml", RECIPE);
    let whole = Checkpoint::read(&shipped()).unwrap().to_bytes().unwrap();
    bad_checkpoints(&whole).into_iter().for_each(|(name, bytes)| texts.file(name, bytes));
    // Of another network than the recipe's.
    texts.file("whole", whole);
    texts.check("checkpoints");
}

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models/cachex.safetensors")
}

/// Parts of runs that are damaged, missing or of another game.
#[test]
fn runs() {
    let texts = Texts::new();
    texts.file("tiny.toml", RECIPE);
    fs::create_dir(texts.path().join("empty")).unwrap();
    train(texts.path(), "--recipe tiny.toml --games 6 --game hex --run hex").success();
    train(texts.path(), "--recipe tiny.toml --games 12 --run run").success();
    ["cut", "stateless", "rated"].iter().for_each(|run| copy(&texts.path().join("run"), &texts.path().join(run)));
    hexzero_line(texts.path(), "tournament ladder rated --games 4 --visits 4").success();
    fs::remove_file(texts.path().join("stateless/state.safetensors")).unwrap();
    let state = fs::read(texts.path().join("cut/state.safetensors")).unwrap();
    texts.file("cut/state.safetensors", &state[..state.len() - 1]);
    let whole = fs::read(texts.path().join("run/games/000000.games")).unwrap();
    let with = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    let flipped = |at: usize| with(at, whole[at] ^ 1);
    texts.file("flipped-at-end", flipped(whole.len() - 1));
    texts.file("flipped-in-games", flipped(whole.len() / 2));
    texts.file("flipped-in-game", flipped(12));
    texts.file("flipped-in-version", flipped(8));
    texts.file("version-1", with(8, 1));
    texts.file("flipped-at-beginning", flipped(0));
    texts.file("cut-before-end", &whole[..whole.len() - 1]);
    texts.file("cut-in-header", &whole[..20]);
    texts.file("cut-in-version", &whole[..8]);
    texts.file("cut-at-beginning", &whole[..7]);
    texts.check("runs");
}

/// Files of matches and tournaments that belong to others, and pictures that cannot be written.
#[test]
fn matches() {
    let texts = Texts::new();
    let quietly = |command: &str| drop(hexzero_line(texts.path(), command).success());
    quietly("arena shipped mcts:20 --size 3 --games 2 --visits 10 --save match.jsonl");
    quietly("tournament random alphabeta:1 --size 3 --games 2 --save games.jsonl");
    let games = fs::read(texts.path().join("games.jsonl")).unwrap();
    // A file is not a player with options.
    texts.file("random@2", &games);
    texts.file("locked.jsonl", games);
    texts.file("bytes.jsonl", b"\xff\xfe\n");
    fs::create_dir(texts.path().join("is.svg")).unwrap();
    // Another network under the same name.
    fs::copy(shipped(), texts.path().join("net")).unwrap();
    quietly("tournament random net@visits=2 --size 3 --games 2 --save net.jsonl");
    let other = Checkpoint::read(&shipped()).unwrap();
    let metadata = Metadata { step: 1, ..other.metadata.clone() };
    Checkpoint { metadata, ..other }.write(&texts.path().join("net")).unwrap();
    let lock = fs::File::options().append(true).open(texts.path().join("locked.jsonl")).unwrap();
    lock.lock().unwrap();
    texts.check("matches");
}
