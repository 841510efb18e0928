//! Chromium, driven from afar by the WebDriver protocol (W3C Recommendation of 2018) and its driver's extensions.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Nothing in these tests takes so long unless it hangs.
const PATIENCE: Duration = Duration::from_secs(120);
const LOOK_EVERY: Duration = Duration::from_millis(40);

/// What the protocol calls the number of an element in JSON.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A screen to look at the page on.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    pub width: u32,
    pub height: u32,
    pub is_telephone: bool,
}

pub const DESK: Screen = Screen { width: 1440, height: 900, is_telephone: false };
pub const TELEPHONE: Screen = Screen { width: 360, height: 740, is_telephone: true };

/// Waits for what the browser does not tell of, such as a file.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "waited in vain for {what}");
        sleep(LOOK_EVERY);
    }
}

/// A text file that the browser saves, once it is whole: one that is being written is there, too.
pub fn until_saved(path: &Path, is_whole: impl Fn(&str) -> bool) -> String {
    until(&path.display().to_string(), || fs::read_to_string(path).ok().filter(|text| is_whole(text)))
}

/// A browser with one window and an empty profile, which ends with the test.
pub struct Browser {
    driver: Child,
    /// Open as long as the driver may say something.
    _output: BufReader<ChildStdout>,
    agent: ureq::Agent,
    session: String,
    folder: TempDir,
}

impl Browser {
    /// Chromium sometimes does not start on a machine that is busy, so it is asked several times.
    pub fn open(screen: Screen) -> Self {
        const ATTEMPTS: usize = 3;
        let mut said = Value::Null;
        for _ in 0..ATTEMPTS {
            match Self::try_open(screen) {
                Ok(browser) => return browser,
                Err(instead) => said = instead,
            }
        }
        panic!("chromedriver opens no window: {said}");
    }

    fn try_open(screen: Screen) -> Result<Self, Value> {
        let folder = tempfile::tempdir().unwrap();
        let (driver, output, port) = start_driver();
        // A proxy that the environment names does not lead back to this machine.
        let config = ureq::Agent::config_builder().http_status_as_error(false).proxy(None).build();
        let agent = ureq::Agent::new_with_config(config);
        let mut browser =
            Self { driver, _output: output, agent, session: format!("http://127.0.0.1:{port}/session"), folder };
        let wanted = json!({"capabilities": {"alwaysMatch": browser.capabilities(screen)}});
        let answer = answer(browser.agent.post(&browser.session).send(wanted.to_string()));
        let Some(id) = answer["value"]["sessionId"].as_str() else { return Err(answer) };
        browser.session = format!("{}/{id}", browser.session);
        if !screen.is_telephone {
            // The size of the page, not of the window around it.
            browser.resize(screen);
        }
        Ok(browser)
    }

    /// Makes the screen another.
    pub fn resize(&self, Screen { width, height, is_telephone }: Screen) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_telephone});
        self.chrome("Emulation.setDeviceMetricsOverride", &size);
        self.chrome("Emulation.setTouchEmulationEnabled", &json!({"enabled": is_telephone}));
        // Until the page has been drawn on it.
        self.wait(&format!("innerWidth === {width} && innerHeight === {height}"));
        self.settle();
    }

    /// What a script gives to the function that it gets as its argument.
    pub fn run_async(&self, script: &str) -> Value {
        self.post("/execute/async", &json!({"script": script, "args": []}))
    }

    /// Waits until what has changed is drawn.
    pub fn settle(&self) {
        self.run_async(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));",
        );
    }

    /// Sets what the page may ask of the system: a feature such as `prefers-color-scheme`, and its value.
    pub fn prefer(&self, features: &[(&str, &str)]) {
        let features: Vec<Value> = features.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
        self.chrome("Emulation.setEmulatedMedia", &json!({"features": features}));
    }

    fn capabilities(&self, screen: Screen) -> Value {
        let Screen { width, height, is_telephone } = screen;
        let profile = self.folder.path().join("profile");
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            &format!("--user-data-dir={}", profile.display()),
            &format!("--window-size={width},{height}"),
        ];
        let mut options = json!({
            "args": arguments,
            "prefs": {"download.default_directory": self.downloads(), "download.prompt_for_download": false},
        });
        if is_telephone {
            options["mobileEmulation"] =
                json!({"deviceMetrics": {"width": width, "height": height, "pixelRatio": 2.0, "touch": true}});
        }
        json!({
            "browserName": "chrome",
            "timeouts": {"script": PATIENCE.as_millis() as u64},
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
        })
    }

    /// Where saved files go.
    pub fn downloads(&self) -> PathBuf {
        self.folder.path().join("downloads")
    }

    /// A file to be opened by the page.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    pub fn go(&self, address: &str) {
        self.post("/url", &json!({"url": address}));
    }

    /// The value of the body of a JavaScript function.
    pub fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Waits until an expression is true, or as JavaScript has it, truthy, and returns its value.
    pub fn wait(&self, expression: &str) -> Value {
        let begin = Instant::now();
        loop {
            let value = self.run(&format!("return ({expression});"));
            let is_false = matches!(&value, Value::Null | Value::Bool(false)) || value == 0 || value == "";
            if !is_false {
                return value;
            }
            if begin.elapsed() > PATIENCE {
                self.picture("gave-up");
                panic!("waited in vain for {expression}; the console says {:?}", self.console());
            }
            sleep(LOOK_EVERY);
        }
    }

    fn element(&self, selector: &str) -> String {
        self.wait(&format!("document.querySelector({})", json!(selector)))[ELEMENT].as_str().unwrap().to_owned()
    }

    /// Clicks in the middle of an element, where a person could.
    pub fn click(&self, selector: &str) {
        let element = self.element(selector);
        self.post(&format!("/element/{element}/click"), &json!({}));
    }

    /// Moves the mouse over an element.
    pub fn point_at(&self, selector: &str) {
        let origin = json!({ELEMENT: self.element(selector)});
        let go = json!({"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": origin});
        self.post("/actions", &json!({"actions": [{"type": "pointer", "id": "mouse", "actions": [go]}]}));
    }

    /// Presses keys one after another; special ones are the protocol's private characters.
    pub fn press(&self, keys: &str) {
        let strokes = keys.chars().flat_map(|key| {
            let key = key.to_string();
            [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})]
        });
        let actions: Vec<Value> = strokes.collect();
        self.post("/actions", &json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]}));
    }

    /// Gives a file to a field for files.
    pub fn choose_file(&self, selector: &str, path: &Path) {
        let element = self.element(selector);
        self.post(&format!("/element/{element}/value"), &json!({"text": path}));
    }

    /// Sets a slider.
    pub fn slide(&self, id: &str, value: u32) {
        self.run(&format!(
            "const slider = document.getElementById('{id}'); slider.value = {value}; slider.dispatchEvent(new Event('input'));"
        ));
    }

    /// A command of the Chrome DevTools Protocol.
    pub fn chrome(&self, command: &str, parameters: &Value) {
        self.post("/goog/cdp/execute", &json!({"cmd": command, "params": parameters}));
    }

    /// Keeps what is seen as `target/browser/NAME.png`. The driver gives a picture up after ten seconds, so it is asked several times.
    pub fn picture(&self, name: &str) -> PathBuf {
        use base64::Engine;
        const ATTEMPTS: usize = 3;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("browser");
        fs::create_dir_all(&folder).unwrap();
        let address = format!("{}/screenshot", self.session);
        let mut answers = (0..ATTEMPTS).map(|_| answer(self.agent.get(&address).call())["value"].take());
        let encoded = answers.find(Value::is_string).expect("the driver takes no picture");
        let path = folder.join(format!("{name}.png"));
        let bytes = base64::engine::general_purpose::STANDARD.decode(encoded.as_str().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// What the browser's console has said since it was asked last.
    pub fn console(&self) -> Vec<String> {
        let entries = self.post("/se/log", &json!({"type": "browser"}));
        entries.as_array().unwrap().iter().map(ToString::to_string).collect()
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let address = format!("{}{path}", self.session);
        value(&address, self.agent.post(&address).send(body.to_string()))
    }
}

fn answer(response: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Value {
    let text = response.unwrap().body_mut().with_config().limit(64 << 20).read_to_string().unwrap();
    serde_json::from_str(&text).unwrap()
}

fn value(address: &str, response: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Value {
    let answer = answer(response);
    let value = &answer["value"];
    assert!(value["error"].is_null(), "{address}: {} {}", value["error"], value["message"]);
    value.clone()
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Without this the browser would outlive its driver.
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Starts chromedriver on a free port. It chooses the port before it takes it, so another program may be faster.
fn start_driver() -> (Child, BufReader<ChildStdout>, u16) {
    const ATTEMPTS: usize = 5;
    let mut said = String::new();
    for _ in 0..ATTEMPTS {
        let (child, mut output) = run_driver();
        match announced_port(&mut output) {
            Ok(port) => return (child, output, port),
            Err(instead) => said = instead,
        }
    }
    panic!("chromedriver has ended; it said: {said}");
}

fn run_driver() -> (Child, BufReader<ChildStdout>) {
    let started = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut child = started.unwrap_or_else(|error| {
        panic!(
            "cannot start chromedriver ({error}). These tests drive Chromium: install both, on Debian with \
             'apt install chromium chromium-driver', or leave the tests out."
        )
    });
    let output = BufReader::new(child.stdout.take().unwrap());
    (child, output)
}

/// The number in the line "ChromeDriver was started successfully on port N.", or what the program said before it ended.
fn announced_port(output: &mut BufReader<ChildStdout>) -> Result<u16, String> {
    let mut said = String::new();
    loop {
        let before = said.len();
        if output.read_line(&mut said).unwrap() == 0 {
            return Err(said);
        }
        if let Some((_, port)) = said[before..].split_once("successfully on port ") {
            return Ok(port.trim().trim_end_matches('.').parse().unwrap());
        }
    }
}
