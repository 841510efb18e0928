//! One Chromium for all tests that run at the same time, and the connection to it: the Chrome DevTools Protocol
//! (<https://chromedevtools.github.io/devtools-protocol>), JSON over a WebSocket.

use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// The longest that anything in these tests takes, unless it hangs.
pub const PATIENCE: Duration = Duration::from_secs(120);
pub const POLL_INTERVAL: Duration = Duration::from_millis(15);

/// The names under which Chromium is installed.
const PROGRAMS: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const ARGUMENTS: [&str; 13] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // Windows of tests that run side by side are all at work: none is in the background.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--remote-debugging-port=0",
];

/// A running Chromium. It ends with the last test that holds it.
pub struct Chromium {
    process: Child,
    port: u16,
    connection: Mutex<Connection>,
    _profile: TempDir,
}

/// Locks, also after a test that held the lock has failed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Chromium {
    /// Returns the Chromium that other tests use now, or starts one.
    pub fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<Chromium>> = Mutex::new(Weak::new());
        let mut shared = lock(&SHARED);
        if let Some(chromium) = shared.upgrade()
            && lock(&chromium.connection).call("Browser.getVersion", &json!({})).is_ok()
        {
            return chromium;
        }
        let chromium = Arc::new(Self::start());
        *shared = Arc::downgrade(&chromium);
        chromium
    }

    /// Starts Chromium. On a busy machine it sometimes does not come up, so it gets several attempts.
    fn start() -> Self {
        const ATTEMPTS: usize = 3;
        let mut attempts = (0..ATTEMPTS).map(|_| Self::try_start());
        attempts.find_map(|attempt| attempt).expect("Chromium opens no DevTools port")
    }

    fn try_start() -> Option<Self> {
        let profile = tempfile::tempdir().unwrap();
        let mut process = PROGRAMS.iter().find_map(|program| spawn(program, profile.path())).unwrap_or_else(|| {
            panic!(
                "cannot start Chromium, looked for as {PROGRAMS:?}. Install it, on Debian with 'apt install chromium', \
                 or leave these tests out."
            )
        });
        let started = Instant::now();
        let address = loop {
            // The port, and the path of the browser's own connection.
            let written = fs::read_to_string(profile.path().join("DevToolsActivePort")).unwrap_or_default();
            if let Some((port, path)) = written.split_once('\n') {
                break Some((port.parse::<u16>().unwrap(), path.trim().to_owned()));
            }
            if started.elapsed() > PATIENCE || process.try_wait().unwrap().is_some() {
                break None;
            }
            sleep(POLL_INTERVAL);
        };
        let Some((port, path)) = address else {
            let _ = process.kill();
            let _ = process.wait();
            return None;
        };
        let connection = Mutex::new(Connection::open(port, &path));
        Some(Self { process, port, connection, _profile: profile })
    }

    /// Calls a method of the browser as a whole.
    fn call(&self, method: &str, parameters: &Value) -> Value {
        let answer = lock(&self.connection).call(method, parameters);
        answer.unwrap_or_else(|error| panic!("{method}: {error}"))
    }
}

fn spawn(program: &str, profile: &Path) -> Option<Child> {
    let mut command = Command::new(program);
    command.args(ARGUMENTS).arg(format!("--user-data-dir={}", profile.display())).arg("about:blank");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // Its other processes end with it only if it is asked; it is killed if it does not listen.
        let asked = lock(&self.connection).call("Browser.close", &json!({})).is_ok();
        let began = Instant::now();
        while asked && began.elapsed() < Duration::from_secs(10) && matches!(self.process.try_wait(), Ok(None)) {
            sleep(POLL_INTERVAL);
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A browser context with a window: storage, cache and cookies of its own, as a new profile has. It ends with the test.
pub struct Context {
    chromium: Arc<Chromium>,
    id: String,
}

impl Context {
    /// Opens a context whose downloads go to `downloads`, and the connection to its window.
    pub fn open(downloads: &Path) -> (Self, Connection) {
        let chromium = Chromium::shared();
        let id = text_of(&chromium.call("Target.createBrowserContext", &json!({}))["browserContextId"]);
        let download = json!({"behavior": "allow", "browserContextId": id, "downloadPath": downloads});
        chromium.call("Browser.setDownloadBehavior", &download);
        let window = json!({"url": "about:blank", "browserContextId": id, "newWindow": true});
        let target = text_of(&chromium.call("Target.createTarget", &window)["targetId"]);
        let connection = Connection::open(chromium.port, &format!("/devtools/page/{target}"));
        (Self { chromium, id }, connection)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let _ =
            lock(&self.chromium.connection).call("Target.disposeBrowserContext", &json!({"browserContextId": self.id}));
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// A connection to the browser or to one of its windows.
pub struct Connection {
    socket: WebSocket<TcpStream>,
    last_id: u64,
    /// Events that nobody has taken: method and parameters.
    events: Vec<(String, Value)>,
}

/// The events that are kept.
const EVENTS: [&str; 4] =
    ["Log.entryAdded", "Page.lifecycleEvent", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"];

impl Connection {
    fn open(port: u16, path: &str) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        let (socket, _) = tungstenite::client(format!("ws://127.0.0.1:{port}{path}"), stream).unwrap();
        Self { socket, last_id: 0, events: Vec::new() }
    }

    /// Calls a method and waits for its result. An error is the browser's message, or says why it cannot be reached.
    pub fn call(&mut self, method: &str, parameters: &Value) -> Result<Value, String> {
        self.last_id += 1;
        let request = json!({"id": self.last_id, "method": method, "params": parameters});
        self.socket.send(Message::text(request.to_string())).map_err(|error| error.to_string())?;
        loop {
            let mut message = self.read()?;
            if message["id"] == self.last_id {
                let error = &message["error"];
                return if error.is_null() { Ok(message["result"].take()) } else { Err(error.to_string()) };
            }
        }
    }

    /// Waits for an event, which may have come before, and takes it.
    pub fn wait_for(&mut self, is_wanted: impl Fn(&str, &Value) -> bool) -> Result<Value, String> {
        loop {
            if let Some(found) = self.events.iter().position(|(method, parameters)| is_wanted(method, parameters)) {
                return Ok(self.events.remove(found).1);
            }
            self.read()?;
        }
    }

    /// Takes the events of these methods that have come so far.
    pub fn take(&mut self, methods: &[&str]) -> Vec<Value> {
        let taken = self.events.extract_if(.., |(method, _)| methods.contains(&method.as_str()));
        taken.map(|(_, parameters)| parameters).collect()
    }

    /// Reads a message, and keeps it if it is an event.
    fn read(&mut self) -> Result<Value, String> {
        loop {
            let message = self.socket.read().map_err(|error| error.to_string())?;
            let Message::Text(text) = message else { continue };
            let mut message: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            let method = message["method"].as_str().filter(|method| EVENTS.contains(method)).map(str::to_owned);
            if let Some(method) = method {
                self.events.push((method, message["params"].take()));
            }
            return Ok(message);
        }
    }
}
