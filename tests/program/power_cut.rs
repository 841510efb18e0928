//! A power cut at any moment of a run: whatever was not synced is gone, at worst, and the run goes on with every
//! iteration that it had reported. `power_cut.c`, preloaded, keeps account of what was synced.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::runs::{assert_learnt_the_same, metrics, state};
use crate::tiny::{RECIPE, folder_with_recipe, train};

/// Compiles the shim.
fn shim(folder: &Path) -> PathBuf {
    let library = folder.join("power_cut.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/power_cut.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source).args(["-ldl", "-lpthread"]);
    assert!(compiler.status().unwrap().success());
    library
}

/// A run of three iterations on a disk of its own, and a power cut.
struct Outage {
    /// What the run had printed by then.
    said: String,
    /// The operations on the disk.
    operations: u64,
    /// A folder with what the disk still has.
    left: PathBuf,
}

/// Trains until the power is cut before an operation on the disk; `forgetful` is a disk that never syncs.
fn outage(folder: &Path, shim: &Path, cut: u64, forgetful: bool) -> Outage {
    let at = folder.join(format!("{cut}-{forgetful}"));
    let (disk, shadow, left) = (at.join("disk"), at.join("shadow"), at.join("left"));
    for part in ["disk", "shadow/dirs", "shadow/data", "shadow/keep", "left"] {
        fs::create_dir_all(at.join(part)).unwrap();
    }
    fs::write(at.join("tiny.toml"), RECIPE).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hexzero"));
    command.args("train --no-matches --rate 0 --workers 1 --recipe ../tiny.toml --games 18 --run a".split(' '));
    command.current_dir(&disk).env("LD_PRELOAD", shim).env("DISK", &disk).env("SHADOW", &shadow);
    command.env("CUT", cut.to_string()).envs(forgetful.then_some(("FORGET", "1")));
    let output = command.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!([Some(0), Some(99)].contains(&output.status.code()), "{output:?}");
    restore(&shadow, fs::metadata(&disk).unwrap().ino(), &left);
    // None if the power is cut before the first one.
    let operations = fs::read_to_string(shadow.join("ops")).map_or(0, |text| text.trim().parse().unwrap());
    Outage { said, operations, left }
}

/// Copies what is synced of the folder with this inode.
fn restore(shadow: &Path, inode: u64, to: &Path) {
    fs::create_dir_all(to).unwrap();
    let names = fs::read_to_string(shadow.join(format!("dirs/{inode}"))).unwrap_or_default();
    for line in names.lines() {
        let (inode, name) = line.split_once(' ').unwrap();
        if shadow.join("keep").join(inode).exists() {
            fs::write(to.join(name), fs::read(shadow.join("data").join(inode)).unwrap_or_default()).unwrap();
        } else {
            restore(shadow, inode.parse().unwrap(), &to.join(name));
        }
    }
}

/// Counts the iterations that the run has reported.
fn reported(said: &str) -> u64 {
    said.lines().filter(|line| line.starts_with("   ")).count() as u64
}

/// Returns the number of finished iterations of a run, 0 if there is none.
fn finished(run: &Path) -> u64 {
    if run.join("recipe.toml").exists() { state(run).counters.iteration } else { 0 }
}

#[test]
fn reported_iterations_survive_a_power_cut() {
    let folder = &*folder_with_recipe();
    let shim = shim(folder);
    train(folder, "--recipe tiny.toml --rate 0 --workers 1 --games 18 --run straight").success();
    let straight = folder.join("straight");
    let whole = outage(folder, &shim, u64::MAX >> 1, false);
    assert_eq!((reported(&whole.said), finished(&whole.left.join("a"))), (3, 3), "{}", whole.said);

    let mut lost = [0; 4];
    let step = (whole.operations / 40).max(1) as usize;
    for cut in (1..=whole.operations).step_by(step) {
        let Outage { said, left, .. } = outage(folder, &shim, cut, false);
        let run = left.join("a");
        let found = finished(&run);
        assert!(found >= reported(&said), "cut {cut}: {found} of {} iterations are left", reported(&said));
        lost[found as usize] += 1;
        let begin = if run.join("recipe.toml").exists() { "--resume" } else { "--recipe ../../tiny.toml" };
        train(&left, &format!("{begin} --rate 0 --workers 1 --games 18 --run a")).success().stderr("");
        assert_learnt_the_same(&run, &straight, &format!("cut {cut}"));
        assert_eq!(metrics(&run).len(), 3, "cut {cut}");
    }
    assert!(lost[..3].iter().all(|&count| count > 0), "cuts in every iteration: {lost:?}");

    // On a disk that never syncs it would be lost.
    let Outage { said, left, .. } = outage(folder, &shim, whole.operations, true);
    assert!(reported(&said) > finished(&left.join("a")), "{said}");
}
