//! A full disk of the coordinator.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Process, asynchronous, counts_at_end, play_locally, wait_for};
use crate::nats::{Nats, say_skipped};
use crate::runs::assert_same_run;
use crate::tiny::{RECIPE, folder_with_own_recipe};

/// Small file system, unmounted when it is dropped.
pub(super) struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts it. Returns `None`, and a word on standard error, if this user may not mount.
    pub fn mount(at: &Path) -> Option<Self> {
        fs::create_dir(at).unwrap();
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=16m", "tmpfs"]).arg(at).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(at.to_owned()));
        }
        say_skipped("this user may not mount a file system");
        None
    }

    /// Fills it.
    pub fn fill(&self) {
        let mut ballast = File::create(self.0.join("ballast")).unwrap();
        while ballast.write_all(&[0; 4096]).is_ok() {}
    }

    pub fn empty(&self) {
        fs::remove_file(self.0.join("ballast")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).output();
    }
}

#[test]
fn full_disk_is_waited_for_without_loss() {
    for lock_step in [true, false] {
        let Some(nats) = Nats::start() else { return };
        // So many games that the journal needs more than the rest of its last page.
        let recipe = RECIPE.replace("games_per_iteration = 6", "games_per_iteration = 48");
        let at = &*folder_with_own_recipe(&recipe);
        let Some(disk) = SmallDisk::mount(&at.join("disk")) else { return };
        play_locally(at, 96);
        let mode = if lock_step { "--lock-step" } else { "" };
        let order = format!(
            "train --no-matches --recipe tiny.toml --run disk/a --rate 0 --games 96 {mode} --cluster {}",
            nats.address()
        );
        let mut coordinator = Process::start(at, "coordinator", &order);
        wait_for(&at.join("coordinator"), "run disk/a: ");
        let run = at.join("disk/a");
        wait_for(&run.join("journal"), "HXZJOURN");
        disk.fill();
        let _worker = Process::worker(at, "w", &nats.address());
        wait_for(&at.join("coordinator.err"), "journal cannot be written: No space left on device");
        assert!(coordinator.is_running());
        disk.empty();
        let figure = counts_at_end(at, &mut coordinator);
        if lock_step {
            assert_eq!(figure("used"), 96);
            assert_same_run(&at.join("local"), &run);
        } else {
            asynchronous::check_numbers(&run);
        }
    }
}
