//! The page as a person uses it.

use std::fs;
use std::ops::Deref;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use serde_json::{Value, json};

use crate::driver::{Browser, Screen, TAB};
use crate::serving::Server;

/// A server and a browser that shows its page. A page whose console has complaints fails its test at the end, unless they are allowed.
pub struct Page {
    browser: Browser,
    server: Arc<Server>,
    allows_complaints: std::cell::Cell<bool>,
}

/// A cell of the board, as a screen reader describes it.
pub struct Cell {
    pub name: String,
    pub owner: Option<String>,
    pub is_playable: bool,
}

/// Lets a test hold back requests of one kind (`held`, `kind`; `release()` sends the last one) and take the server away (`away`). Runs
/// before the page's own scripts.
const UNDER_CONTROL: &str = "
    window.held = false;
    window.kind = 'move';
    window.away = false;
    const Socket = window.WebSocket;
    window.WebSocket = class extends Socket {
        constructor(url) { super(window.away ? 'ws://127.0.0.1:9/' : url); window.socket = this; }
        send(text) {
            if (!window.held || JSON.parse(text).do !== window.kind) return super.send(text);
            window.release = () => { window.held = false; super.send(text); };
        }
    };";

impl Deref for Page {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        &self.browser
    }
}

impl Page {
    /// Opens the page as on the first visit. Other tests use the same server, which keeps nothing of its visitors.
    pub fn open(screen: Screen) -> Self {
        Self::show(Browser::open(screen), shared_server(), "")
    }

    /// Opens the page as on the first visit, with a game of two people on a board of this size.
    pub fn for_two(screen: Screen, size: usize) -> Self {
        let page = Self::open(screen);
        page.begin_for_two(size);
        page
    }

    /// Opens the page of a server of its own with these arguments.
    pub fn open_of(screen: Screen, arguments: &[&str]) -> Self {
        Self::show(Browser::open(screen), start_server(arguments).into(), "")
    }

    /// Opens the page on the first visit, with variables of the window that hold the engine's moves back and take the server away.
    pub fn open_under_control(screen: Screen) -> Self {
        Self::show(under_control(screen), shared_server(), "")
    }

    /// Does the same with a server of its own.
    pub fn open_alone_under_control(screen: Screen) -> Self {
        Self::show(under_control(screen), start_server(&[]).into(), "")
    }

    /// Opens the page of the program with the toy games, with one of them on the board for two people.
    pub fn open_toy(screen: Screen, game: &str) -> Self {
        let toys = Path::new(env!("CARGO_BIN_EXE_hexzero")).with_file_name("examples").join("toys");
        assert!(toys.exists(), "these tests need 'cargo build --release --example toys'");
        let page = Self::show(Browser::open(screen), Server::start_of(&toys, &["--game", game]).into(), "");
        page.click("#open-new");
        page.click("#choose-side input[value=people]");
        page.click("#start");
        page.wait_for_roles("person", "person");
        page
    }

    /// Opens the page, with this behind its address, for somebody who has never been there.
    pub fn open_for_newcomer(screen: Screen, rest: &str) -> Self {
        Self::show(Browser::of_newcomer(screen), shared_server(), rest)
    }

    /// Opens the page of a server, with this behind its address.
    fn show(browser: Browser, server: Arc<Server>, rest: &str) -> Self {
        let page = Self { browser, server, allows_complaints: false.into() };
        page.go(&format!("{}{rest}", page.address()));
        page.wait("document.querySelector('.cell.playable, .offers [data-move]')");
        page
    }

    /// Opens the page anew: its address with this behind it.
    pub fn visit(&self, rest: &str) {
        self.go("about:blank");
        self.go(&format!("{}{rest}", self.address()));
        self.wait("document.querySelector('.cell.playable, .offers [data-move], .player.won')");
    }

    /// Leaves the page, and removes all that the browser has kept.
    pub fn leave_and_forget(&self) {
        self.go(&format!("{}assets/icon.svg", self.address()));
        self.run("localStorage.clear(); sessionStorage.clear();");
    }

    /// Opens the page anew, with these entries as all that the browser has kept.
    pub fn open_with(&self, entries: &[(&str, &str)]) {
        self.leave_and_forget();
        for (name, value) in entries {
            self.run(&format!("localStorage.setItem('hexzero.{name}', {});", json!(value)));
        }
        self.go(&self.address());
        self.wait("!document.documentElement.classList.contains('unready')");
    }

    /// Begins a game by the dialog. `side` is a colour, or `people` or `engine`.
    pub fn begin(&self, size: u32, side: &str, level: u32) {
        self.click("#open-new");
        self.slide("choose-size", size);
        self.click(&format!("#choose-side input[value={side}]"));
        self.slide("choose-level", level);
        self.click("#start");
        let (first, second) = match side {
            "people" => ("person", "person"),
            "engine" => ("engine", "engine"),
            "red" => ("person", "engine"),
            _ => ("engine", "person"),
        };
        self.wait_for_roles(first, second);
        self.wait("!document.querySelector('.player.won')");
        self.wait(&format!("document.querySelectorAll('.table .cell').length === {}", size * size));
        self.forget_shifts();
    }

    /// Forgets the layout shifts so far: those of a new game are no faults, however late they come.
    pub fn forget_shifts(&self) {
        self.settle();
        self.run("window.takeShifts?.();");
    }

    /// Begins a game of two people by the dialog.
    pub fn begin_for_two(&self, size: usize) {
        self.click("#open-new");
        self.slide("choose-size", size as u32);
        self.click("#choose-side input[value=people]");
        self.click("#start");
        self.wait_for_roles("person", "person");
        // The game before may have been one of two people too.
        self.wait("!document.querySelector('.move')");
        self.forget_shifts();
    }

    /// Waits until a game between these is on the board, and no dialog is open.
    fn wait_for_roles(&self, first: &str, second: &str) {
        for (player, role) in [("first", first), ("second", second)] {
            self.wait(&format!("document.querySelector('.player.{player}').dataset.role === '{role}'"));
        }
        self.wait("!document.querySelector('dialog[open]')");
    }

    /// Clicks on a cell and waits until it is somebody's or the move is in the list.
    pub fn place(&self, name: &str) {
        let before = self.moves().len();
        self.click(&format!("[aria-label^='{name},']"));
        self.wait(&format!("document.querySelectorAll('.move').length > {before}"));
    }

    /// Clicks on cells one after another, as [`place`](Self::place) does.
    pub fn place_all(&self, names: &[&str]) {
        names.iter().for_each(|name| self.place(name));
    }

    /// Clicks on a place.
    pub fn pick(&self, name: &str) {
        self.click(&format!(".cell[aria-label^='{name},']"));
    }

    /// Chooses a game in the dialog that begins one.
    pub fn choose_game(&self, game: &str) {
        self.run(&format!(
            "const choice = document.getElementById('choose-game'); choice.value = '{game}'; choice.dispatchEvent(new Event('change'));"
        ));
    }

    /// Opens a file with these contents by the dialog of games.
    pub fn open_file(&self, name: &str, contents: &str) {
        self.click("#open-games");
        self.choose_file("#file", &self.file(name, contents));
    }

    /// Types into the field for links of the dialog of games.
    pub fn type_link(&self, keys: &str) {
        self.click("#open-games");
        self.click("#link");
        self.press(keys);
    }

    /// Reviews the game.
    pub fn review(&self) {
        self.click(".offers .review");
        self.wait("!document.getElementById('reviewed').hidden");
    }

    /// Clicks on a control in the dialog of settings.
    pub fn click_setting(&self, selector: &str) {
        self.click("#open-settings");
        self.click(selector);
        self.click("#settings .close");
    }

    /// Presses the Tab key until an expression about what has the focus is true.
    pub fn tab_until(&self, expression: &str) {
        for stroke in 0.. {
            assert!(stroke < 30, "the Tab key does not lead to where {expression}");
            self.press(TAB);
            if self.value(expression) == true {
                break;
            }
        }
    }

    /// The texts of the buttons beside the sentence about the game, separated by commas.
    pub fn offers(&self) -> String {
        text(&self.run("return [...document.querySelectorAll('.offers button')].map((one) => one.textContent).join();"))
    }

    /// Presses the button with this text beside the sentence about the game, once it is there.
    pub fn press_offer(&self, offer: &str) {
        let button =
            format!("[...document.querySelectorAll('.offers button')].find((one) => one.textContent === '{offer}')");
        self.wait(&button);
        self.run(&format!("{button}.click();"));
    }

    /// The labels of the places that are pointed out as those to go on with.
    pub fn lit(&self) -> Vec<String> {
        let script = "return [...document.querySelectorAll('.cell.lit')].map((cell) => cell.getAttribute('aria-label').split(', ')[0]);";
        self.run(script).as_array().unwrap().iter().map(text).collect()
    }

    /// The moves in the list, without their numbers.
    pub fn moves(&self) -> Vec<String> {
        let script =
            "return [...document.querySelectorAll('.move')].map((move) => move.querySelector('.name').textContent);";
        self.run(script).as_array().unwrap().iter().map(text).collect()
    }

    pub fn wait_for_moves(&self, count: usize) {
        self.wait(&format!("document.querySelectorAll('.move').length === {count}"));
    }

    /// The text of the element of a selector.
    pub fn text_of(&self, selector: &str) -> String {
        text(&self.value(&format!("document.querySelector({}).textContent", json!(selector))))
    }

    pub fn title(&self) -> String {
        self.text_of("#title")
    }

    pub fn wait_for_title(&self, title: &str) {
        self.wait(&format!("document.getElementById('title').textContent === {}", json!(title)));
    }

    /// What a screen reader was told last.
    pub fn told(&self) -> String {
        self.text_of("#told")
    }

    pub fn cells(&self) -> Vec<Cell> {
        let script = "return [...document.querySelectorAll('.table .cell')].map((cell) =>
            [cell.getAttribute('aria-label').split(', ')[0], cell.dataset.owner ?? null, cell.getAttribute('aria-disabled') === 'false']);";
        let read = |cell: &Value| Cell {
            name: text(&cell[0]),
            owner: cell[1].as_str().map(str::to_owned),
            is_playable: cell[2].as_bool().unwrap(),
        };
        self.run(script).as_array().unwrap().iter().map(read).collect()
    }

    pub fn stones(&self) -> usize {
        self.cells().iter().filter(|cell| cell.owner.is_some()).count()
    }

    /// Waits until the person is to move, or the game is over.
    pub fn wait_for_turn(&self) {
        self.wait("document.querySelector('.table .cell.playable') || document.querySelector('.player.won')");
    }

    /// Checks that nothing sticks out to the side.
    pub fn assert_no_sideways_scrolling(&self, what: &str) {
        let beyond = "return document.documentElement.scrollWidth - document.documentElement.clientWidth;";
        assert_eq!(self.run(beyond), 0, "{what}");
    }

    /// Lets the console complain, in a test that gives it reason to.
    pub fn allow_complaints(&self) {
        self.allows_complaints.set(true);
    }

    /// Takes the server away from a page under control.
    pub fn lose_the_server(&self) {
        self.allow_complaints();
        self.run("window.away = true; socket.close();");
        self.wait("!document.getElementById('away').hidden");
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.server.port)
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        if std::thread::panicking() || self.allows_complaints.get() {
            return;
        }
        // For a file that is no page, Chromium asks for an icon that no site needs.
        let is_icon = |line: &String| is_site() && line.contains("/favicon.ico\"");
        let complaints: Vec<String> = self.console().into_iter().filter(|line| !is_icon(line)).collect();
        assert_eq!(complaints, Vec::<String>::new());
    }
}

/// Opens a window whose pages have the variables of [`UNDER_CONTROL`].
fn under_control(screen: Screen) -> Browser {
    let browser = Browser::open(screen);
    browser.run_first(UNDER_CONTROL);
    browser
}

/// Starts a server. The page's files are those of the folder `HEXZERO_PAGE`, and the program is `HEXZERO_PROGRAM`, if they are set.
fn start_server(arguments: &[&str]) -> Server {
    let folder = std::env::var("HEXZERO_PAGE").ok();
    let page = folder.iter().flat_map(|folder| ["--page", folder]).filter(|_| !arguments.contains(&"--page"));
    let arguments: Vec<&str> = arguments.iter().copied().chain(page).collect();
    let program = std::env::var_os("HEXZERO_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_hexzero").into());
    Server::start_of(program.as_ref(), &arguments)
}

/// Whether the tests that use the shared server are about the site of plain files (`HEXZERO_SITE=1`), whose engine runs in the tab.
pub fn is_site() -> bool {
    std::env::var_os("HEXZERO_SITE").is_some()
}

/// Writes a site and serves it.
fn start_site() -> Server {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("site");
    // What an older site had and this one lacks must not be found.
    let _ = fs::remove_dir_all(&folder);
    let mut command = Command::new(env!("CARGO_BIN_EXE_hexzero"));
    command.args(["serve", "site"]).arg(folder).args(["--serve", "--port", "0"]);
    Server::run(command)
}

/// Returns the server without arguments that other tests use now, or starts one. It ends with the last test that holds it, and that
/// test fails if it has panicked.
fn shared_server() -> Arc<Server> {
    static SHARED: Mutex<Weak<Server>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    shared.upgrade().unwrap_or_else(|| {
        let server = Arc::new(if is_site() { start_site() } else { start_server(&[]) });
        *shared = Arc::downgrade(&server);
        server
    })
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}
