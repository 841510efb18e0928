//! `hexzero inspect`, and files that are not what they should be given to whatever reads a checkpoint.

use std::fs;
use std::path::{Path, PathBuf};

use hexzero::network::{Checkpoint, Metadata, write_safetensors};
use hexzero::training::{RunFolder, TrainingState};
use predicates::prelude::*;
use predicates::str::{contains, starts_with};
use safetensors::tensor::{Dtype, TensorView, serialize};
use tempfile::TempDir;

use crate::common::hexzero;
use crate::tiny::{folder_with_recipe, train};

/// A folder with a small run in `run`, and the path of its checkpoint.
fn folder_with_run() -> (TempDir, PathBuf) {
    let folder = folder_with_recipe();
    train(folder.path(), "--recipe tiny.toml --games 12 --run run").success();
    let checkpoint = RunFolder::open(&folder.path().join("run")).unwrap().latest_checkpoint().unwrap();
    (folder, checkpoint)
}

/// The Python library safetensors and others write more texts, white space after the header, and another order.
#[test]
fn checkpoint_of_another_writer_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/models/hex.safetensors")).unwrap();
    let length = u64::from_le_bytes(*whole.first_chunk().unwrap()) as usize;
    let header: serde_json::Value = serde_json::from_slice(&whole[8..8 + length]).unwrap();
    let text = header["__metadata__"]["hexzero"].as_str().unwrap();
    let with = |change: &dyn Fn(&mut serde_json::Value, &mut serde_json::Value)| {
        let (mut header, mut text) = (header.clone(), serde_json::from_str(text).unwrap());
        change(&mut header, &mut text);
        header["__metadata__"]["hexzero"] = text.to_string().into();
        let mut header = serde_json::to_vec_pretty(&header).unwrap();
        header.resize(header.len().next_multiple_of(8) + 8, b' ');
        let bytes = [&(header.len() as u64).to_le_bytes()[..], &header, &whole[8 + length..]].concat();
        fs::write(folder.path().join("other.safetensors"), bytes).unwrap();
        hexzero(folder.path(), &["inspect", "other.safetensors"])
    };
    let without_checksum = |text: &mut serde_json::Value| drop(text.as_object_mut().unwrap().remove("checksum"));
    let more = |header: &mut serde_json::Value| {
        header["__metadata__"]["format"] = "pt".into();
        header["__metadata__"]["modelspec.author"] = "somebody else".into();
    };
    with(&|header, text| {
        more(header);
        without_checksum(text);
        text["licence"] = serde_json::json!({"name": "CC0"});
    })
    .success()
    .stdout(contains("a checkpoint (format version 1)\ngame        hex"));
    with(&|header, _| more(header))
        .code(1)
        .stderr(contains("; a program that changes the file has to leave 'checksum' out"));
    with(&|header, text| {
        without_checksum(text);
        header["stem.bias"]["dtype"] = "I32".into();
    })
    .code(1)
    .stderr(contains("tensor 'stem.bias' is I32, expected F32"));
}

#[test]
fn int8_loss_is_reported() {
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/models/cachex.safetensors");
    hexzero(Path::new("."), &["inspect", shipped, "--int8"])
        .success()
        .stdout(contains("divergence of the policy").and(contains("11×11")).and(contains(" nats ")));
}

#[test]
fn kinds_of_files_are_described() {
    let (folder, checkpoint) = folder_with_run();
    let inspect = |file: &str| hexzero(folder.path(), &["inspect", file]).success().stderr("");
    inspect(concat!(env!("CARGO_MANIFEST_DIR"), "/models/cachex.safetensors")).stdout(
        starts_with("a checkpoint (format version 1)\ngame        cachex, inputs version ").and(contains(" blocks, ")),
    );
    inspect(checkpoint.to_str().unwrap()).stdout(
        contains("network     b1c16: 1 blocks, 16 channels, ")
            .and(contains(" steps, 12 games, "))
            .and(contains("parent      none\n")),
    );
    inspect("run").stdout(
        starts_with("a training run\ngame        cachex, network b1c16, seed 1, recipe ")
            .and(contains("sizes       3×3 (1)\n"))
            .and(contains("progress    2 iterations, "))
            .and(contains("games       12, "))
            .and(contains("\nlast loss   ").and(contains("(policy ")))
            .and(contains("\nlast games  6: ").and(contains(" won by the first player, ")).and(contains(" captures\n")))
            .and(contains(format!("checkpoint  run/checkpoints/{}\n", name(&checkpoint)))),
    );
    inspect("run/state.safetensors").stdout(starts_with("the state of a training run\nprogress    2 iterations, "));
    inspect("run/games/000001.games").stdout(
        starts_with("a shard of 6 games of cachex at 3×3\nresults     ")
            .and(contains(" with a policy target, ").and(contains(" evaluations\n"))),
    );
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// A checkpoint with its metadata changed.
fn changed(original: &Checkpoint, change: impl Fn(&mut Metadata)) -> Vec<u8> {
    let mut checkpoint = original.clone();
    change(&mut checkpoint.metadata);
    checkpoint.to_bytes().unwrap()
}

/// Files that are no checkpoint of Cachex that this program reads, with what is said of them.
fn bad_checkpoints(original: &Path) -> Vec<(String, Vec<u8>, &'static [&'static str])> {
    let bytes = fs::read(original).unwrap();
    let header_ends = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let checkpoint = Checkpoint::read(original).unwrap();
    let damaged: &[&str] = &["damaged"];
    let mut bad = Vec::new();
    for cut in [0, 1, 7, 8, 9, 100, header_ends - 1, header_ends, header_ends + 1, bytes.len() / 2, bytes.len() - 1] {
        bad.push((format!("cut-{cut}"), bytes[..cut].to_vec(), damaged));
    }
    bad.push(("longer".to_owned(), [&bytes[..], b"x"].concat(), damaged));
    bad.push(("text".to_owned(), b"a text file, and not a short one: ".repeat(50), damaged));
    bad.push(("zeros".to_owned(), vec![0; 1000], damaged));
    bad.push(("ones".to_owned(), vec![0xff; 1000], damaged));
    let mut flipped = bytes.clone();
    flipped[12] ^= 0x20;
    bad.push(("flipped".to_owned(), flipped, damaged));

    let with_text = |text: &str| write_safetensors(&checkpoint.tensors, "hexzero", text.to_owned()).unwrap();
    bad.push(("no-version".to_owned(), with_text("{}"), &["damaged", "its header has no format version"]));
    bad.push(("no-json".to_owned(), with_text("version 1"), damaged));
    bad.push(("no-fields".to_owned(), with_text(r#"{"format_version":1}"#), &["missing field `game`"]));
    let foreign = write_safetensors(&checkpoint.tensors, "pt", String::new()).unwrap();
    bad.push(("foreign".to_owned(), foreign, &["its header has no entry 'hexzero'"]));

    let mut make = |name: &str, said, change: &dyn Fn(&mut Metadata)| {
        bad.push((name.to_owned(), changed(&checkpoint, change), said));
    };
    make("format-2", &["format version 2", "reads version 1"], &|metadata| metadata.format_version = 2);
    make("blocks", &["'blocks.1.first.weight' is missing"], &|metadata| metadata.architecture.blocks = 2);
    make("channels", &["channels = 17", "a multiple of 16"], &|metadata| metadata.architecture.channels = 17);
    make("no-blocks", &["blocks = 0", "1 to 40"], &|metadata| metadata.architecture.blocks = 0);
    make("huge", damaged, &|metadata| metadata.architecture.blocks = usize::MAX);
    make("inputs", &["more than 65536 planes"], &|metadata| metadata.view.cell_inputs = usize::MAX);
    make("planes", &["more than 65536 planes"], &|metadata| metadata.view.policy_planes = usize::MAX);

    let mut not_finite = checkpoint.clone();
    not_finite.tensors.get_mut("stem.bias").unwrap().data[0] = f32::NAN;
    bad.push(("nan".to_owned(), not_finite.to_bytes().unwrap(), &["'stem.bias'", "no finite numbers"]));
    let mut missing = checkpoint.clone();
    missing.tensors.remove("stem.bias");
    bad.push(("missing".to_owned(), missing.to_bytes().unwrap(), &["'stem.bias' is missing"]));
    let half = TensorView::new(Dtype::F16, vec![2], &[0; 4]).unwrap();
    let text = serde_json::to_string(&checkpoint.metadata).unwrap();
    let half = serialize([("stem.bias", half)], Some([("hexzero".to_owned(), text)].into())).unwrap();
    bad.push(("half".to_owned(), half, &["'stem.bias' is F16, expected F32"]));
    bad
}

/// The places of one bit in each of `count` parts of a file, but for the name of its checksum: without that it is a file of an
/// earlier version, and its contents are whole.
fn bits(bytes: &[u8], count: usize) -> impl Iterator<Item = usize> {
    let name = b"checksum";
    let field = bytes.windows(name.len()).position(|window| window == name).unwrap();
    let all = (0..count).map(move |part| (part * 2_654_435_761) % (8 * bytes.len()));
    all.filter(move |bit| !(field..field + name.len()).contains(&(bit / 8)))
}

#[test]
fn flipped_bits_are_detected() {
    let folder = folder_with_recipe();
    train(folder.path(), "--recipe tiny.toml --games 6 --run run").success();
    let run = RunFolder::open(&folder.path().join("run")).unwrap();
    let flipped = |bytes: &[u8], bit: usize| {
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    };
    let checkpoint = fs::read(run.latest_checkpoint().unwrap()).unwrap();
    for bit in bits(&checkpoint, 400) {
        assert!(Checkpoint::from_bytes(&flipped(&checkpoint, bit), "flipped").is_err(), "bit {bit}");
    }
    let state = fs::read(run.state()).unwrap();
    for bit in bits(&state, 150) {
        assert!(TrainingState::from_bytes(&flipped(&state, bit)).is_err(), "bit {bit}");
    }
    let last = flipped(&checkpoint, 8 * checkpoint.len() - 1);
    let said = Checkpoint::from_bytes(&last, "flipped").unwrap_err().to_string();
    assert!(said.contains("damaged: its checksum is ") && said.contains(", its header says \""), "{said}");

    // Files of earlier versions have none.
    let whole = Checkpoint::from_bytes(&checkpoint, "whole").unwrap();
    let views = whole.tensors.iter().map(|(name, tensor)| {
        let bytes: Vec<u8> = tensor.data.iter().flat_map(|value| value.to_le_bytes()).collect();
        (name.clone(), tensor.shape.clone(), bytes)
    });
    let views: Vec<_> = views.collect();
    let views =
        views.iter().map(|(name, shape, bytes)| (name, TensorView::new(Dtype::F32, shape.clone(), bytes).unwrap()));
    let text = serde_json::to_string(&whole.metadata).unwrap();
    let earlier = serialize(views, Some([("hexzero".to_owned(), text)].into())).unwrap();
    assert_eq!(format!("{:08x}", crc32fast::hash(&earlier)), whole.digest().unwrap(), "games are stored with it");
    assert_eq!(Checkpoint::from_bytes(&earlier, "earlier").unwrap(), whole);
}

/// All of its numbers are finite, but not its answers.
#[test]
fn overflowing_network_is_refused() {
    let folder = folder_with_recipe();
    train(folder.path(), "--recipe tiny.toml --games 6 --run run").success();
    let run = RunFolder::open(&folder.path().join("run")).unwrap();
    let mut checkpoint = Checkpoint::read(&run.latest_checkpoint().unwrap()).unwrap();
    for name in ["stem.weight", "policy.weight", "position.weight"] {
        checkpoint.tensors.get_mut(name).unwrap().data.fill(f32::MAX);
    }
    checkpoint.write(&folder.path().join("huge.safetensors")).unwrap();
    for command in ["play --model huge.safetensors", "gtp --model huge.safetensors", "arena huge.safetensors random"] {
        let arguments: Vec<&str> = command.split_whitespace().collect();
        let refused = hexzero(folder.path(), &arguments).code(1).stdout("");
        refused.stderr(contains("checkpoint huge.safetensors: ").and(contains("its answers are not finite numbers")));
    }
}

/// Gives a file to every command that reads a checkpoint.
fn refused_everywhere(folder: &Path, file: &str, said: &[&str]) {
    for arguments in [
        &["play", "--model", file][..],
        &["gtp", "--model", file],
        &["arena", file, "random"],
        &["arena", "random", file],
        &["train", "--recipe", "tiny.toml", "--run", "from", "--from", file],
    ] {
        let refused = hexzero(folder, arguments).code(1).stdout("").stderr(starts_with("error: ").and(contains(file)));
        let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        for part in said {
            assert!(message.contains(part), "{arguments:?}: no {part} in {message}");
        }
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    assert!(!folder.join("from").exists());
}

#[test]
fn bad_checkpoints_are_refused_by_every_command() {
    let (folder, checkpoint) = folder_with_run();
    for (name, bytes, said) in bad_checkpoints(&checkpoint) {
        let file = format!("{name}.safetensors");
        fs::write(folder.path().join(&file), bytes).unwrap();
        refused_everywhere(folder.path(), &file, said);
        let refused = hexzero(folder.path(), &["inspect", &file]).code(1).stdout("");
        let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        for part in [&[&*file], said].concat() {
            assert!(message.contains(part), "no {part} in {message}");
        }
        let accepted = ["this program reads version", "a shard of games (.games)"];
        assert!(accepted.iter().any(|accepted| message.contains(accepted)), "{message}");
    }
}

#[test]
fn checkpoints_of_other_games_are_refused() {
    let (folder, checkpoint) = folder_with_run();
    let checkpoint = Checkpoint::read(&checkpoint).unwrap();
    let other_game = changed(&checkpoint, |metadata| metadata.game = "go".to_owned());
    let not_its_game = changed(&checkpoint, |metadata| metadata.game = "hex".to_owned());
    let other_inputs = changed(&checkpoint, |metadata| metadata.view.version += 1);
    for (file, bytes, told, said) in [
        ("go.safetensors", other_game, "game        go, ", &["plays go", "it knows cachex, hex"][..]),
        ("hex.safetensors", not_its_game, "game        hex, ", &["inputs and actions are not those of hex, version 1"]),
        ("inputs.safetensors", other_inputs, "game        cachex, inputs version ", &["this program has version"]),
    ] {
        fs::write(folder.path().join(file), bytes).unwrap();
        refused_everywhere(folder.path(), file, said);
        hexzero(folder.path(), &["inspect", file])
            .code(1)
            .stdout(starts_with("a checkpoint ").and(contains(told)))
            .stderr(contains(file).and(contains(said[0])));
    }
}

#[test]
fn damaged_shards_are_refused() {
    let (folder, _) = folder_with_run();
    let whole = fs::read(folder.path().join("run/games/000000.games")).unwrap();
    let with = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    let flipped = |at: usize| with(at, whole[at] ^ 1);
    for (bytes, said) in [
        (flipped(whole.len() - 1), "damaged: its checksum is "),
        (flipped(whole.len() / 2), "damaged: its checksum is "),
        (flipped(8), "format version 3; this program reads version 2"),
        (with(8, 1), "format version 1; this program reads version 2"),
        (flipped(12), "damaged: its checksum is "),
        (flipped(0), "a shard of games (.games)"),
        (whole[..whole.len() - 1].to_vec(), "bytes long where its header says"),
        (whole[..20].to_vec(), "cut off inside the header"),
        (whole[..8].to_vec(), "cut off inside the header"),
        (whole[..7].to_vec(), "a shard of games (.games)"),
    ] {
        fs::write(folder.path().join("bad.games"), &bytes).unwrap();
        let expected = starts_with("error: ").and(contains("bad.games")).and(contains(said));
        hexzero(folder.path(), &["inspect", "bad.games"]).code(1).stdout("").stderr(expected);
        assert!(fs::read(folder.path().join("bad.games")).unwrap() == bytes, "looking changes nothing");
    }
}

#[test]
fn unknown_files_and_folders_are_refused() {
    let (folder, _) = folder_with_run();
    let inspect = |file: &str| hexzero(folder.path(), &["inspect", file]).code(1).stdout("");
    fs::create_dir(folder.path().join("empty")).unwrap();
    inspect("empty").stderr(contains("empty holds no run: there is no recipe.toml in it"));
    inspect("run/games").stderr(contains("run/games holds no run"));
    inspect("none").stderr(contains("cannot read none: "));
    inspect("tiny.toml").stderr(
        contains("tiny.toml cannot be inspected, or is damaged; give")
            .and(contains("a checkpoint (.safetensors), a shard of games (.games), a run's state or its folder")),
    );
    // A run without one of its parts.
    let state = folder.path().join("run/state.safetensors");
    let bytes = fs::read(&state).unwrap();
    fs::write(&state, &bytes[..bytes.len() - 1]).unwrap();
    inspect("run").stderr(contains("run/state.safetensors: "));
    inspect("run/state.safetensors").stderr(contains("run/state.safetensors cannot be inspected, or is damaged"));
    fs::remove_file(&state).unwrap();
    inspect("run").stderr(contains("run/state.safetensors: No such file"));
}
