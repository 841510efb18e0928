//! A program together with the processes that it starts.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};

use parking_lot::Mutex;

/// The leaders of the running groups. The groups are not part of the terminal's, so its Ctrl-C does not reach them.
static UNDER_WAY: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// A flag of Windows' `CreateProcess`.
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;

/// A process and its descendants, as far as they stay in one group. On systems other than Unix, the
/// process alone.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    /// The number of the first process.
    leader: u32,
}

impl ProcessGroup {
    /// Starts a program in a group of its own.
    pub fn start(mut command: Command) -> io::Result<(Self, Child)> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // Ctrl-C in the console is for this process alone, as on Unix.
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, CREATE_NEW_PROCESS_GROUP);
        let child = command.spawn()?;
        let leader = child.id();
        UNDER_WAY.lock().insert(leader);
        Ok((Self { leader }, child))
    }

    /// Kills the processes that are left. Does nothing on systems other than Unix.
    pub fn kill(&self) {
        kill(self.leader);
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        UNDER_WAY.lock().remove(&self.leader);
    }
}

/// Ends all running programs and what they have started, for a process that ends without dropping
/// them. Does nothing on systems other than Unix.
pub fn end_programs() {
    UNDER_WAY.lock().iter().copied().for_each(kill);
}

#[cfg(unix)]
fn kill(leader: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};

    if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        // The group may be empty.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill(_leader: u32) {}
