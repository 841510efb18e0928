//! A program together with the processes that it starts.

use std::io;
use std::process::{Child, Command};

/// A process and its descendants, as far as they stay in one group. On systems other than Unix, the
/// process alone.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    #[cfg(unix)]
    leader: unix::Leader,
}

/// A flag of Windows' `CreateProcess`.
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;

impl ProcessGroup {
    /// Starts a program in a group of its own.
    pub fn start(mut command: Command) -> io::Result<(Self, Child)> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // Ctrl-C in the console is for this process alone, as on Unix.
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, CREATE_NEW_PROCESS_GROUP);
        let child = command.spawn()?;
        Ok((
            Self {
                #[cfg(unix)]
                leader: unix::Leader::of(&child),
            },
            child,
        ))
    }

    /// Kills the processes that are left.
    pub fn kill(&self) {
        #[cfg(unix)]
        self.leader.kill();
    }
}

/// Ends all running programs and what they have started, for a process that ends without dropping
/// them.
pub fn end_programs() {
    #[cfg(unix)]
    unix::kill_all();
}

#[cfg(unix)]
mod unix {
    use std::collections::BTreeSet;
    use std::process::Child;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use rustix::process::{Pid, Signal, kill_process_group};

    /// The running groups. They are not part of the terminal's group, so its Ctrl-C does not reach
    /// them.
    static UNDER_WAY: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

    fn under_way() -> MutexGuard<'static, BTreeSet<u32>> {
        UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kill(leader: u32) {
        if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
            // The group may be empty.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    pub fn kill_all() {
        under_way().iter().copied().for_each(kill);
    }

    /// The first process of a group, by its number.
    #[derive(Debug)]
    pub struct Leader(u32);

    impl Leader {
        pub fn of(child: &Child) -> Self {
            under_way().insert(child.id());
            Self(child.id())
        }

        pub fn kill(&self) {
            kill(self.0);
        }
    }

    impl Drop for Leader {
        fn drop(&mut self) {
            under_way().remove(&self.0);
        }
    }
}
