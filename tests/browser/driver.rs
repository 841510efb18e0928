//! A window of Chromium, driven as a person would: by clicks, keys and files.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Instant;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::chromium::{Connection, Context, PATIENCE, POLL_INTERVAL};
use crate::process::wait_for_some;

/// A screen to look at the page on.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    pub width: u32,
    pub height: u32,
    pub is_telephone: bool,
}

pub const DESK: Screen = Screen { width: 1440, height: 900, is_telephone: false };
pub const TELEPHONE: Screen = Screen { width: 360, height: 740, is_telephone: true };

/// Special keys, as [`Browser::press`] takes them: WebDriver's characters for them.
pub const TAB: &str = "\u{E004}";
pub const ENTER: &str = "\u{E007}";
pub const ESCAPE: &str = "\u{E00C}";
pub const HOME: &str = "\u{E011}";
pub const LEFT: &str = "\u{E012}";
pub const UP: &str = "\u{E013}";
pub const RIGHT: &str = "\u{E014}";
pub const DOWN: &str = "\u{E015}";

/// Waits until the browser has saved a whole text file, as `is_whole` judges, and returns its text.
pub fn until_saved(path: &Path, is_whole: impl Fn(&str) -> bool) -> String {
    wait_for_some(&path.display().to_string(), || fs::read_to_string(path).ok().filter(|text| is_whole(text)))
}

/// Finds the element of a selector and where to click on it, as `[x, y]`: the middle of what can be seen of it. Gives `null` if there is
/// no such element, and a text if a click there would meet something else.
const CLICKABLE: &str = "
    const element = document.querySelector(SELECTOR);
    if (!element) return null;
    element.scrollIntoViewIfNeeded(true);
    const look = () => {
        const box = [...element.getClientRects()].find(({ width, height }) => width && height);
        if (!box) return null;
        const x = (Math.max(0, box.left) + Math.min(innerWidth, box.right)) / 2;
        const y = (Math.max(0, box.top) + Math.min(innerHeight, box.bottom)) / 2;
        return [x, y, document.elementFromPoint(x, y)];
    };
    let found = look();
    // The bar of a telephone lies over the lower end of the page, which scrolls away from under it.
    if (found && !element.contains(found[2])) {
        element.scrollIntoView({ block: 'center' });
        found = look();
    }
    if (!found) return `${SELECTOR} cannot be seen`;
    const [x, y, hit] = found;
    return element.contains(hit) ? [x, y] : `${SELECTOR} is under ${hit?.outerHTML.slice(0, 200)}`;";

/// A window with an empty profile, which ends with the test.
pub struct Browser {
    connection: RefCell<Connection>,
    _context: Context,
    folder: TempDir,
}

impl Browser {
    /// Opens a window on such a screen, of somebody who has been on the page before: it shows a game at once.
    pub fn open(screen: Screen) -> Self {
        let browser = Self::of_newcomer(screen);
        browser.run_first("try { localStorage.setItem('hexzero.visited', 'true'); } catch {}");
        browser
    }

    /// Opens a window on such a screen, of somebody who has never been on the page.
    pub fn of_newcomer(screen: Screen) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (context, connection) = Context::open(&folder.path().join("downloads"));
        let browser = Self { connection: connection.into(), _context: context, folder };
        for domain in ["Page", "Runtime", "Log"] {
            browser.chrome(&format!("{domain}.enable"), &json!({}));
        }
        browser.chrome("Page.setLifecycleEventsEnabled", &json!({"enabled": true}));
        // Each window behaves as if it had the focus, although many are open.
        browser.chrome("Emulation.setFocusEmulationEnabled", &json!({"enabled": true}));
        browser.set_screen(screen, if screen.is_telephone { 2 } else { 1 });
        browser
    }

    fn set_screen(&self, Screen { width, height, is_telephone }: Screen, pixel_ratio: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": pixel_ratio, "mobile": is_telephone});
        self.chrome("Emulation.setDeviceMetricsOverride", &size);
        self.chrome("Emulation.setTouchEmulationEnabled", &json!({"enabled": is_telephone}));
    }

    /// Changes the screen, and waits until the page has been drawn on it.
    pub fn resize(&self, screen: Screen) {
        self.set_screen(screen, 1);
        self.wait(&format!("innerWidth === {} && innerHeight === {}", screen.width, screen.height));
        self.settle();
    }

    /// Runs a script in every page that is opened from now on, before the page's own scripts.
    pub fn run_first(&self, script: &str) {
        self.chrome("Page.addScriptToEvaluateOnNewDocument", &json!({"source": script}));
    }

    /// Runs the body of a JavaScript function, and returns what it passes to `arguments[0]`.
    pub fn run_async(&self, script: &str) -> Value {
        self.evaluate(&format!("new Promise((done) => (function () {{\n{script}\n}})(done))")).expect("the page stays")
    }

    /// Waits until what has changed is drawn.
    pub fn settle(&self) {
        self.run_async(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));",
        );
    }

    /// Sets media features, such as `prefers-color-scheme`.
    pub fn prefer(&self, features: &[(&str, &str)]) {
        let features: Vec<Value> = features.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
        self.chrome("Emulation.setEmulatedMedia", &json!({"features": features}));
    }

    /// The folder of saved files.
    pub fn downloads(&self) -> PathBuf {
        self.folder.path().join("downloads")
    }

    /// Writes a file to be opened by the page.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// Opens an address, and waits until the page is loaded with all that belongs to it.
    pub fn go(&self, address: &str) {
        let answer = self.chrome("Page.navigate", &json!({"url": address}));
        assert!(answer["errorText"].is_null(), "{address}: {}", answer["errorText"]);
        let mut connection = self.connection.borrow_mut();
        // Without a loader the page stays, and only the part behind the # has changed.
        if !answer["loaderId"].is_null() {
            let is_loaded = |method: &str, event: &Value| {
                method == "Page.lifecycleEvent" && event["name"] == "load" && event["loaderId"] == answer["loaderId"]
            };
            connection.wait_for(is_loaded).unwrap_or_else(|error| panic!("{address} is not loaded: {error}"));
        }
        connection.take(&["Page.lifecycleEvent"]);
    }

    /// Runs the body of a JavaScript function, and returns its value.
    pub fn run(&self, script: &str) -> Value {
        self.try_run(script).expect("the page stays")
    }

    /// Returns the value of an expression.
    pub fn value(&self, expression: &str) -> Value {
        self.run(&format!("return {expression};"))
    }

    fn try_run(&self, script: &str) -> Result<Value, String> {
        self.evaluate(&format!("(function () {{\n{script}\n}})()"))
    }

    /// Returns the value of an expression; an error if the page goes away meanwhile.
    fn evaluate(&self, expression: &str) -> Result<Value, String> {
        let parameters = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.connection.borrow_mut().call("Runtime.evaluate", &parameters)?;
        let exception = &answer["exceptionDetails"];
        assert!(exception.is_null(), "{expression}: {exception}");
        Ok(answer["result"]["value"].take())
    }

    /// Waits until an expression is truthy, and returns its value; `true` for an element.
    pub fn wait(&self, expression: &str) -> Value {
        self.wait_to_run(
            &format!("return ((value) => (value instanceof Node ? true : value))({expression});"),
            expression,
        )
    }

    /// Runs a script again and again until its value is truthy; `what` tells what is waited for.
    fn wait_to_run(&self, script: &str, what: &str) -> Value {
        let begin = Instant::now();
        loop {
            // While another page is being opened there is no value.
            if let Ok(value) = self.try_run(script) {
                let is_false = matches!(&value, Value::Null | Value::Bool(false)) || value == 0 || value == "";
                if !is_false {
                    return value;
                }
            }
            if begin.elapsed() > PATIENCE {
                self.picture("gave-up");
                panic!("waited in vain for {what}; the console says {:?}", self.console());
            }
            sleep(POLL_INTERVAL);
        }
    }

    /// Returns the point at which a click meets an element, once there is such an element.
    fn point_of(&self, selector: &str) -> (f64, f64) {
        let script = CLICKABLE.replace("SELECTOR", &json!(selector).to_string());
        let point = self.wait_to_run(&script, selector);
        let Some([x, y]) = point.as_array().map(Vec::as_slice) else { panic!("{point}") };
        (x.as_f64().unwrap(), y.as_f64().unwrap())
    }

    fn mouse(&self, event: &str, (x, y): (f64, f64), button: &str) {
        let parameters = json!({"type": event, "x": x, "y": y, "button": button, "clickCount": 1});
        self.chrome("Input.dispatchMouseEvent", &parameters);
    }

    /// Clicks in the middle of an element, where a person could: nothing may lie over it.
    pub fn click(&self, selector: &str) {
        let point = self.point_of(selector);
        self.mouse("mouseMoved", point, "none");
        self.mouse("mousePressed", point, "left");
        self.mouse("mouseReleased", point, "left");
    }

    /// Moves the mouse over an element.
    pub fn point_at(&self, selector: &str) {
        self.mouse("mouseMoved", self.point_of(selector), "none");
    }

    /// Presses keys one after another.
    pub fn press(&self, keys: &str) {
        for key in keys.chars() {
            let (name, code, text) = key_of(key);
            let mut event = json!({"type": "keyDown", "key": name, "windowsVirtualKeyCode": code, "text": text});
            self.chrome("Input.dispatchKeyEvent", &event);
            event["type"] = "keyUp".into();
            event["text"] = "".into();
            self.chrome("Input.dispatchKeyEvent", &event);
        }
    }

    /// Gives a file to a field for files.
    pub fn choose_file(&self, selector: &str, path: &Path) {
        let expression = format!("document.querySelector({})", json!(selector));
        self.wait(&expression);
        let field = self.chrome("Runtime.evaluate", &json!({"expression": expression}));
        let files = json!({"files": [path], "objectId": field["result"]["objectId"]});
        self.chrome("DOM.setFileInputFiles", &files);
    }

    /// Sets a slider.
    pub fn slide(&self, id: &str, value: u32) {
        self.run(&format!(
            "const slider = document.getElementById('{id}'); slider.value = {value}; slider.dispatchEvent(new Event('input'));"
        ));
    }

    /// Calls a method of the Chrome DevTools Protocol, and returns its result.
    pub fn chrome(&self, method: &str, parameters: &Value) -> Value {
        let answer = self.connection.borrow_mut().call(method, parameters);
        answer.unwrap_or_else(|error| panic!("{method} {parameters}: {error}"))
    }

    /// Keeps what is seen as `target/browser/NAME.png`.
    pub fn picture(&self, name: &str) -> PathBuf {
        use base64::Engine;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("browser");
        fs::create_dir_all(&folder).unwrap();
        let answer = self.chrome("Page.captureScreenshot", &json!({"format": "png"}));
        let bytes = base64::engine::general_purpose::STANDARD.decode(answer["data"].as_str().unwrap()).unwrap();
        let path = folder.join(format!("{name}.png"));
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Returns what the browser's console has said since it was asked last.
    pub fn console(&self) -> Vec<String> {
        // All that was said before comes with the answer to this.
        self.chrome("Runtime.evaluate", &json!({"expression": "0"}));
        let methods = ["Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"];
        self.connection.borrow_mut().take(&methods).iter().map(ToString::to_string).collect()
    }
}

/// Returns the name of a key, its number on Windows and the text that it types.
fn key_of(key: char) -> (String, u32, String) {
    let (name, code, text) = match key.to_string().as_str() {
        TAB => ("Tab", 9, ""),
        ENTER => ("Enter", 13, "\r"),
        ESCAPE => ("Escape", 27, ""),
        HOME => ("Home", 36, ""),
        LEFT => ("ArrowLeft", 37, ""),
        UP => ("ArrowUp", 38, ""),
        RIGHT => ("ArrowRight", 39, ""),
        DOWN => ("ArrowDown", 40, ""),
        _ => {
            let code = if key.is_ascii_alphanumeric() { u32::from(key.to_ascii_uppercase()) } else { 0 };
            return (key.to_string(), code, key.to_string());
        }
    };
    (name.to_owned(), code, text.to_owned())
}
