//! A view of a training run under way, and of the cluster that plays for it.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use serde_json::{Value, json};

use super::opinion::Opinions;
use crate::WebError;
use hexzero_experiments::report::RunHistory;
use hexzero_games::Game;
use hexzero_selfplay::shards::Shard;
use hexzero_train::model_files::game_of_run;
use hexzero_train::{Metrics, RunFolder};

/// The number of latest games shown.
const GAMES: usize = 100;

/// A run with its rendered texts and the opinions of its networks. Making them is slow and blocks the thread.
#[derive(Debug)]
pub(crate) struct RunView {
    folder: RunFolder,
    name: String,
    history: Cached,
    opinions: Opinions,
    status: Cached,
    games: Cached,
}

/// A rendered text, with the state of the files that it was made of.
type Cached = Mutex<Option<(Stamp, String)>>;

/// Time of the last change and length of the recipe, the metrics and the ladder. The latest time
/// alone does not suffice, as clocks may be set back.
type Stamp = [Option<(SystemTime, u64)>; 3];

impl RunView {
    /// Opens the run in a folder.
    pub fn open(path: &Path) -> Result<Self, WebError> {
        let folder = RunFolder::open(path)?;
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = whole.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let (history, status, games) = (Cached::default(), Cached::default(), Cached::default());
        Ok(Self { folder, name, history, opinions: Opinions::default(), status, games })
    }

    /// Returns the run's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns a message about the run without the folder that it lies in.
    pub fn without_path(&self, message: &str) -> String {
        message.replace(&self.folder.path().display().to_string(), &self.name)
    }

    /// Returns the run's figures, charts, ratings and games, as JSON.
    pub fn history(&self) -> Result<String, WebError> {
        self.up_to_date(&self.history, |_| {
            let game = game_of_run(&self.folder)?;
            let mut history = RunHistory::of(game, &self.folder)?;
            // The run's path on this machine is private.
            for problem in &mut history.problems {
                *problem = self.without_path(problem);
            }
            Ok(serde_json::to_string(&history).expect("texts and numbers are JSON"))
        })
    }

    /// Returns what a network of the run thinks of the position that a query names, as JSON, or why it has no opinion.
    pub(super) fn opinion(&self, query: &str) -> Result<Result<String, String>, WebError> {
        let game = game_of_run(&self.folder)?;
        Ok(self.opinions.of(game, &self.folder, query))
    }

    /// Returns the run's latest games as JSON lines.
    pub fn games(&self) -> Result<String, WebError> {
        self.up_to_date(&self.games, |_| Ok(latest_games(game_of_run(&self.folder)?, &self.folder)))
    }

    /// Returns the run's progress, as JSON.
    pub fn status(&self) -> Result<String, WebError> {
        self.up_to_date(&self.status, |changed| {
            let Metrics { iterations, .. } = Metrics::read(&self.folder);
            let games = iterations.last().and_then(|last| Metrics::figure(last, "games")).and_then(Value::as_u64);
            let (iterations, games) = (iterations.len(), games.unwrap_or(0));
            let status = json!({"name": self.name, "iterations": iterations, "games": games, "changed": changed});
            Ok(status.to_string())
        })
    }

    fn stamp(&self) -> Stamp {
        [self.folder.recipe(), self.folder.metrics(), self.folder.ladder()].map(|path| {
            let metadata = fs::metadata(path).ok()?;
            Some((metadata.modified().ok()?, metadata.len()))
        })
    }

    /// Returns the cached text, rendered anew if files have changed. `make` gets the time of the last change, in
    /// milliseconds since 1970.
    fn up_to_date(
        &self,
        cached: &Cached,
        make: impl FnOnce(u64) -> Result<String, WebError>,
    ) -> Result<String, WebError> {
        // Requests during the rendering wait for it.
        let mut cached = cached.lock();
        let stamp = self.stamp();
        match &*cached {
            Some((of, text)) if *of == stamp => Ok(text.clone()),
            _ => {
                let latest = stamp.iter().flatten().map(|(modified, _)| *modified).max().unwrap_or(UNIX_EPOCH);
                let text = make(latest.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64)?;
                *cached = Some((stamp, text.clone()));
                Ok(text)
            }
        }
    }
}

/// Returns the latest games as JSON lines, the last one first. Skips unreadable shards; the page lists them.
fn latest_games(game: Game, folder: &RunFolder) -> String {
    let shards = folder.latest_shards().into_iter().filter_map(|path| Shard::read(&path).ok());
    let records = shards.filter(|shard| shard.game == game.name()).flat_map(|shard| shard.records.into_iter().rev());
    let games = records.filter_map(|record| record.to_interchange(game)).take(GAMES);
    games.map(|game| game.to_line() + "\n").collect()
}

/// The time for which an answer is cached.
const KEPT: Duration = Duration::from_secs(5);

/// The state as JSON, or the reason why there is none.
type Answer = Result<String, String>;

/// The state of a cluster, asked for at most every five seconds. Asking blocks the thread.
pub struct ClusterView {
    ask: Box<dyn Fn() -> Answer + Send + Sync>,
    latest: Mutex<Option<(Instant, Answer)>>,
}

impl ClusterView {
    /// Creates a view of the state that `ask` returns, as JSON, or the reason why there is none.
    pub fn new(ask: impl Fn() -> Result<String, String> + Send + Sync + 'static) -> Self {
        Self { ask: Box::new(ask), latest: Mutex::default() }
    }

    /// Returns the state as JSON. Fails if the cluster cannot be asked.
    pub(super) fn status(&self) -> Result<String, String> {
        // Requests that come meanwhile wait for the same answer.
        let mut latest = self.latest.lock();
        match &*latest {
            Some((when, status)) if when.elapsed() < KEPT => status.clone(),
            _ => latest.insert((Instant::now(), (self.ask)())).1.clone(),
        }
    }
}
