//! The binary in the background.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The longest wait of a test.
const PATIENCE: Duration = Duration::from_secs(180);

/// Waits until a condition holds.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    wait_for_some(what, || is_so().then_some(()));
}

/// Waits until `look` finds something, and returns it.
pub fn wait_for_some<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    found_in_time(look).unwrap_or_else(|| panic!("this does not come: {what}"))
}

fn found_in_time<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        let found = look();
        if found.is_some() {
            return found;
        }
        sleep(Duration::from_millis(10));
    }
    None
}

/// A process that is killed when it is dropped.
pub struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    /// Starts `hexzero` in a folder, with its output in the file `output` and its errors in `output.err`.
    pub fn start(folder: &Path, output: &str, arguments: &str) -> Self {
        let file = |name: String| File::create(folder.join(name)).unwrap();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("hexzero"));
        command.args(shlex::split(arguments).unwrap()).current_dir(folder).stdin(Stdio::null());
        command.stdout(file(output.to_owned())).stderr(file(format!("{output}.err")));
        Self(command.spawn().unwrap())
    }

    /// Kills it, as if its machine failed.
    pub fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Sends the signal of Ctrl-C.
    pub fn interrupt(&self) {
        self.signal("-INT");
    }

    /// Sends the signal of Ctrl-C, at which it must end with success.
    pub fn stop(&mut self) {
        self.interrupt();
        assert!(self.wait().success());
    }

    /// Sends a signal.
    pub fn signal(&self, which: &str) {
        assert!(Command::new("kill").args([which, &self.0.id().to_string()]).status().unwrap().success());
    }

    pub fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Waits for its exit status. Returns `None` if it does not end.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        found_in_time(|| self.0.try_wait().unwrap())
    }

    pub fn wait(&mut self) -> ExitStatus {
        self.ended().expect("a process does not end")
    }
}
