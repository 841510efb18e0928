//! `hexzero inspect`, and checkpoints by other writers and of earlier versions.

use std::fs;
use std::path::{Path, PathBuf};

use hexzero::network::{Checkpoint, TensorData};
use hexzero::training::RunFolder;
use predicates::prelude::*;
use predicates::str::{contains, starts_with};
use safetensors::tensor::{Dtype, TensorView, serialize};

use crate::common::hexzero;
use crate::tiny::{Folder, folder_with_recipe, train};

/// A folder with a small run in `run`, and the path of its checkpoint.
fn folder_with_run() -> (Folder, PathBuf) {
    let folder = folder_with_recipe();
    train(folder.path(), "--recipe tiny.toml --games 12 --run run").success();
    let checkpoint = RunFolder::open(&folder.path().join("run")).unwrap().latest_checkpoint().unwrap();
    (folder, checkpoint)
}

/// The Python library safetensors and others write further metadata, white space after the header, and another order.
#[test]
fn checkpoint_of_another_writer_is_read() {
    let folder = &*Folder::empty();
    let whole = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/models/gale.safetensors")).unwrap();
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
        fs::write(folder.join("other.safetensors"), bytes).unwrap();
        hexzero(folder, &["inspect", "other.safetensors"])
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
    .stdout(contains("a checkpoint (format version 1)\ngame        gale"));
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
fn kinds_of_files_are_described() {
    let (folder, checkpoint) = folder_with_run();
    let inspect = |file: &str| hexzero(folder.path(), &["inspect", file]).success().stderr("");
    inspect(concat!(env!("CARGO_MANIFEST_DIR"), "/models/gale.safetensors")).stdout(
        starts_with("a checkpoint (format version 1)\ngame        gale, inputs version ").and(contains(" blocks, ")),
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

/// A pipe can be read only once.
#[cfg(unix)]
#[test]
fn shard_is_read_from_a_pipe() {
    let shard = include_bytes!("../data/version-2.games");
    crate::common::hexzero_with_input(Path::new("."), &["inspect", "/dev/stdin"], &shard[..])
        .success()
        .stdout(starts_with("a shard of 6 games of cachex at 3×3\n"));
}

/// The last checkpoint by name need not be the run's latest.
#[test]
fn copies_among_the_checkpoints_are_not_the_latest() {
    let (folder, checkpoint) = folder_with_run();
    let later = "step-99999999.safetensors";
    let copied = "step-99999999 (copy).safetensors";
    for copy in ["best.safetensors", "step-99.safetensors", "trained.safetensors", copied, later] {
        fs::copy(&checkpoint, checkpoint.with_file_name(copy)).unwrap();
    }
    let latest_is = |name: &str| {
        let latest = format!("\ncheckpoint  run/checkpoints/{name}\n");
        hexzero(folder.path(), &["inspect", "run"]).success().stdout(contains(latest));
    };
    latest_is(name(&checkpoint));
    // Without the one that the metrics name, the highest step counts.
    fs::remove_file(&checkpoint).unwrap();
    latest_is(later);
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// Files of versions without a checksum.
#[test]
fn checkpoint_without_checksum_is_read() {
    let (_folder, checkpoint) = folder_with_run();
    let whole = Checkpoint::read(&checkpoint).unwrap();
    let bytes = |tensor: &TensorData| tensor.data.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let tensors: Vec<_> =
        whole.tensors.iter().map(|(name, tensor)| (name, tensor.shape.clone(), bytes(tensor))).collect();
    let views =
        tensors.iter().map(|(name, shape, bytes)| (name, TensorView::new(Dtype::F32, shape.clone(), bytes).unwrap()));
    let text = serde_json::to_string(&whole.metadata).unwrap();
    let earlier = serialize(views, Some([("hexzero".to_owned(), text)].into())).unwrap();
    assert_eq!(format!("{:08x}", crc32fast::hash(&earlier)), whole.digest().unwrap(), "games are stored with it");
    assert_eq!(Checkpoint::from_bytes(&earlier, "earlier").unwrap(), whole);
}
