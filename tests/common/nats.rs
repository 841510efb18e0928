//! A NATS broker for tests, which they kill, halt and restart, and a proxy whose connections they cut.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// If this is set, a test that finds no `nats-server` fails in place of being skipped.
const NEEDED: &str = "HEXZERO_NEEDS_NATS";

/// A broker with its store, killed when it is dropped.
pub struct Nats {
    folder: TempDir,
    store: PathBuf,
    port: u16,
    config: Option<PathBuf>,
    server: Option<Child>,
}

/// The program, if it is installed. Debian puts it where only the administrator looks.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin", "/usr/local/bin"].map(PathBuf::from));
    folders.map(|folder| folder.join("nats-server")).find(|file| file.is_file())
}

/// Says on standard error that a test is skipped. Not by `eprintln!`, whose output is hidden for tests that pass.
pub fn say_skipped(why: &str) {
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    let _ = writeln!(io::stderr(), "SKIPPED {test}: {why}");
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Nats {
    /// Starts a broker. Returns `None`, and says so on standard error, if this machine has no `nats-server`.
    pub fn start() -> Option<Self> {
        Self::start_with(None)
    }

    /// As [`Nats::start`], with a file that says who may do what.
    pub fn start_with(config: Option<&Path>) -> Option<Self> {
        Self::start_on(None, config)
    }

    /// As [`Nats::start_with`], with its store in an existing folder.
    pub fn start_on(store: Option<&Path>, config: Option<&Path>) -> Option<Self> {
        if program().is_none() {
            assert!(std::env::var_os(NEEDED).is_none(), "{NEEDED} is set, and nats-server is not installed");
            say_skipped("nats-server is not installed (Debian: apt install nats-server)");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let store = store.unwrap_or(folder.path()).to_owned();
        let mut nats = Self { folder, store, port: 0, config: config.map(Path::to_owned), server: None };
        // Another process may take the port before the broker does.
        let started = (0..5).any(|_| {
            nats.port = free_port();
            nats.begin()
        });
        assert!(started, "nats-server does not start: {}", nats.log());
        Some(nats)
    }

    /// Kills it as a failure of its machine would.
    pub fn kill(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().unwrap();
            server.wait().unwrap();
        }
    }

    /// Suspends it: its connections stay, and nothing is answered.
    pub fn halt(&self) {
        self.signal("-STOP");
    }

    /// Lets it go on.
    pub fn go_on(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, which: &str) {
        let id = self.server.as_ref().unwrap().id().to_string();
        assert!(Command::new("kill").args([which, &id]).status().unwrap().success());
    }

    /// Starts it again, with the same store at the same address.
    pub fn restart(&mut self) {
        assert!(self.begin(), "nats-server does not start again: {}", self.log());
    }

    /// Starts it. Returns false if it ends at once, for instance because its port is taken.
    fn begin(&mut self) -> bool {
        self.kill();
        let said_before = self.log().len();
        let mut command = Command::new(program().unwrap());
        command.args(["-a", "127.0.0.1", "-p", &self.port.to_string(), "-js", "-sd"]).arg(&self.store);
        command.envs([("COORDINATOR_PASSWORD", "for-the-coordinator"), ("WORKER_PASSWORD", "for-workers")]);
        command.args(self.config.iter().flat_map(|file| [Path::new("-c"), file]));
        let log = fs::File::options().create(true).append(true).open(self.folder.path().join("log")).unwrap();
        let mut server = command.stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let began = Instant::now();
        // Another broker might answer at the port.
        while !(self.log()[said_before..].contains("Server is ready") && self.greets()) {
            if server.try_wait().unwrap().is_some() {
                return false;
            }
            assert!(began.elapsed() < PATIENCE, "nats-server does not start: {}", self.log());
            sleep(Duration::from_millis(20));
        }
        self.server = Some(server);
        true
    }

    /// Returns what it has logged.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Starts it again with an empty store.
    pub fn lose_store(&mut self) {
        self.kill();
        fs::remove_dir_all(self.store.join("jetstream")).unwrap();
        self.restart();
    }

    fn greets(&self) -> bool {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else { return false };
        let mut word = [0; 4];
        stream.read_exact(&mut word).is_ok() && word == *b"INFO"
    }

    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A proxy for a port. Cutting it closes both ends at once and refuses new connections. Holding it up closes nothing:
/// data arrives late, as if packets were lost.
pub struct Wire {
    port: u16,
    cut: Arc<AtomicBool>,
    held_up: Arc<AtomicBool>,
    ends: Arc<Mutex<Vec<TcpStream>>>,
}

impl Wire {
    pub fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let own = listener.local_addr().unwrap().port();
        let (cut, ends) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
        let (is_cut, kept) = (cut.clone(), ends.clone());
        let held_up = Arc::new(AtomicBool::new(false));
        let is_held_up = held_up.clone();
        spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(("127.0.0.1", port)) else { continue };
                let mut kept = kept.lock().unwrap();
                // Under the lock, so that no connection slips through a cut.
                if is_cut.load(Ordering::Relaxed) {
                    continue;
                }
                kept.extend([near.try_clone().unwrap(), far.try_clone().unwrap()]);
                for (mut from, mut to) in [(near.try_clone().unwrap(), far.try_clone().unwrap()), (far, near)] {
                    let is_held_up = is_held_up.clone();
                    spawn(move || {
                        let mut bytes = [0; 1 << 16];
                        while let Ok(read @ 1..) = from.read(&mut bytes) {
                            while is_held_up.load(Ordering::Relaxed) {
                                sleep(Duration::from_millis(5));
                            }
                            if to.write_all(&bytes[..read]).is_err() {
                                break;
                            }
                        }
                        // If one end hangs up, the other one notices.
                        let _ = to.shutdown(Shutdown::Both);
                    });
                }
            }
        });
        Self { port: own, cut, held_up, ends }
    }

    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn cut(&self) {
        let mut ends = self.ends.lock().unwrap();
        self.cut.store(true, Ordering::Relaxed);
        for end in ends.drain(..) {
            let _ = end.shutdown(Shutdown::Both);
        }
    }

    pub fn hold_up(&self) {
        self.held_up.store(true, Ordering::Relaxed);
    }

    pub fn mend(&self) {
        self.held_up.store(false, Ordering::Relaxed);
        self.cut.store(false, Ordering::Relaxed);
    }
}
