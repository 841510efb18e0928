//! A power cut at any moment of a run: whatever was not synced is gone, at worst, and the run goes on with every
//! iteration that it had reported. `power_cut.c`, preloaded, keeps account of what was synced.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::runs::{assert_learnt_the_same, metrics, state};
use crate::tiny::{folder_with_recipe, train};

/// Compiles the shim.
fn shim(folder: &Path) -> PathBuf {
    let library = folder.join("power_cut.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/power_cut.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source).arg("-lpthread");
    assert!(compiler.status().unwrap().success());
    library
}

/// What was synced last of a file or folder, by its inode: its contents, or its names with their inodes.
type Synced = HashMap<u64, Vec<u8>>;

/// The contents of files, and `None` for folders.
type Tree = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// Adds what the disk has in the folder with this inode.
fn add_left(left: &mut Tree, synced: &Synced, shadow: &Path, inode: u64, at: &Path) {
    let of = |inode: u64| synced.get(&inode).cloned().unwrap_or_default();
    for line in String::from_utf8(of(inode)).unwrap().lines() {
        let (inode, name) = line.split_once(' ').unwrap();
        let is_file = shadow.join("keep").join(inode).exists();
        let (inode, path) = (inode.parse().unwrap(), at.join(name));
        left.insert(path.clone(), is_file.then(|| of(inode)));
        if !is_file {
            add_left(left, synced, shadow, inode, &path);
        }
    }
}

/// Returns every state in which a power cut may leave the disk, in order, each with the most that the run can have
/// printed by then. Only a sync changes what the disk is sure to have.
fn cuts(disk: &Path, shadow: &Path, printed_in_all: usize) -> Vec<(Tree, usize)> {
    let root = fs::metadata(disk).unwrap().ino();
    let mut cuts: Vec<(Tree, usize)> = vec![(Tree::new(), 0)];
    let mut synced = Synced::new();
    for number in 0.. {
        let Ok(sync) = fs::read(shadow.join(number.to_string())) else { break };
        let head = sync.iter().position(|&byte| byte == b'\n').unwrap();
        let (inode, printed) = std::str::from_utf8(&sync[..head]).unwrap().split_once(' ').unwrap();
        let before = cuts.last_mut().unwrap();
        before.1 = printed.parse().unwrap();
        synced.insert(inode.parse().unwrap(), sync[head + 1..].to_vec());
        let mut left = Tree::new();
        add_left(&mut left, &synced, shadow, root, Path::new(""));
        if left != before.0 {
            cuts.push((left, 0));
        }
    }
    cuts.last_mut().unwrap().1 = printed_in_all;
    cuts
}

/// Counts the iterations that the run has reported.
fn reported(said: &[u8]) -> u64 {
    String::from_utf8_lossy(said).lines().filter(|line| line.starts_with("   ")).count() as u64
}

#[test]
fn reported_iterations_survive_a_power_cut() {
    let folder = &*folder_with_recipe();
    let (disk, shadow) = (folder.join("disk"), folder.join("shadow"));
    fs::create_dir(&disk).unwrap();
    fs::create_dir_all(shadow.join("keep")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hexzero"));
    command.args("train --no-matches --rate 0 --workers 1 --recipe ../tiny.toml --games 18 --run a".split(' '));
    command.current_dir(&disk).env("LD_PRELOAD", shim(folder)).env("DISK", &disk).env("SHADOW", &shadow);
    command.stdin(Stdio::null()).stdout(File::create(folder.join("said")).unwrap());
    assert!(command.status().unwrap().success());
    let said = fs::read(folder.join("said")).unwrap();
    assert_eq!(reported(&said), 3);

    let mut finished = [0; 4];
    for (number, (tree, printed)) in cuts(&disk, &shadow, said.len()).into_iter().enumerate() {
        let left = folder.join(number.to_string());
        fs::create_dir(&left).unwrap();
        for (path, contents) in tree {
            match contents {
                Some(contents) => fs::write(left.join(path), contents).unwrap(),
                None => fs::create_dir(left.join(path)).unwrap(),
            }
        }
        let run = left.join("a");
        let is_begun = run.join("recipe.toml").exists();
        let found = if is_begun { state(&run).counters.iteration } else { 0 };
        let told = reported(&said[..printed]);
        assert!(found >= told, "cut {number}: {found} of {told} iterations are left");
        finished[found as usize] += 1;
        let begin = if is_begun { "--resume" } else { "--recipe ../tiny.toml" };
        train(&left, &format!("{begin} --rate 0 --workers 1 --games 18 --run a")).success().stderr("");
        assert_learnt_the_same(&run, &disk.join("a"), &format!("cut {number}"));
        assert_eq!(metrics(&run).len(), 3, "cut {number}");
    }
    assert!(finished.iter().all(|&count| count > 0), "cuts in every iteration: {finished:?}");
}
