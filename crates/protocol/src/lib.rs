//! The page's protocol, which docs/web.md describes: requests, their answers, and the engine that executes them. It has
//! no sockets: the server (`web`) carries the messages, or a browser's worker does ([`TabSession`]).
//!
//! | module | contents |
//! |---|---|
//! | `request`, `answer` | requests and answers, with positions as the page draws them |
//! | `session_engine`, `review_run` | the searches of a client, in short turns |
//! | `kept_games` | the search trees of positions that a client analysed before |
//! | `shared_board` | a game that two people play on one board |
//! | `about`, `game_files` | what the page asks for beside them: games, boards, conversion of files |
//! | here | all of it for one client, on one thread |

pub mod about;
#[allow(missing_docs, reason = "docs/web.md describes the fields")]
pub mod answer;
pub mod game_files;
mod kept_games;
#[allow(missing_docs, reason = "docs/web.md describes the fields")]
pub mod request;
mod review_run;
pub mod session_engine;
pub mod shared_board;

use std::collections::HashMap;
use std::num::NonZeroUsize;

use hexzero_engine::model::LoadedModel;
use hexzero_engine::{Effort, Engine};
use hexzero_games::{Game, game_named, is_built_in};
use hexzero_nn::{Backend, Checkpoint, Precision};
use hexzero_system::time::Instant;

use about::{LayoutError, layout, openings};
use answer::{Answer, no_game, views};
use game_files::converted;
use request::{Command, PositionRequest, Request, Task};
use session_engine::{ActiveSearch, Progress, SessionEngine, Turn};

/// Answers the messages of one client. Searches proceed in [turns](Self::turn) of 10 ms, between which messages are
/// received. A game of another crate ([`hexzero_games::register`]) is played by random games until its model is loaded;
/// any other needs its model first.
///
/// ```
/// use hexzero::interfaces::protocol::TabSession;
///
/// # fn main() -> Result<(), String> {
/// let mut session = TabSession::new(1, 64 << 20);
/// session.load_model("hex", "hex.safetensors", &std::fs::read("models/hex.safetensors").unwrap())?;
/// let mut answers = Vec::new();
/// let request = r#"{"id":1,"do":"move","game":"hex","size":5,"moves":["a1"],"visits":50}"#;
/// session.receive(request, &mut |answer| answers.push(answer));
/// while session.turn(&mut |answer| answers.push(answer)) {}
/// assert!(answers[0].contains(r#""move":"#));
/// # Ok(())
/// # }
/// ```
pub struct TabSession {
    /// The models by the names of their networks, which variants of a game share.
    models: HashMap<&'static str, LoadedModel>,
    /// The engine while idle, if there has been a search.
    engine: Option<SessionEngine>,
    searching: Option<Searching>,
    effort: Effort,
    backend: Backend,
    threads: NonZeroUsize,
    seed: u64,
    memory: usize,
}

/// A search under way and its engine.
struct Searching {
    id: u64,
    task: Task,
    engine: SessionEngine,
    search: ActiveSearch,
}

/// The answer to a [query](TabSession::resource).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// The status of HTTP: 200, 400 or 404.
    pub status: u16,
    /// JSON, or a sentence where the status is an error.
    pub text: String,
}

impl TabSession {
    /// Creates a session whose random choices have this seed, and whose search tree takes at most `memory` bytes.
    pub fn new(seed: u64, memory: usize) -> Self {
        Self {
            models: HashMap::new(),
            engine: None,
            searching: None,
            effort: Effort::default(),
            backend: Backend::default(),
            threads: NonZeroUsize::MIN,
            seed,
            memory,
        }
    }

    /// Sets the default limits of a move at full strength.
    pub fn with_effort(self, effort: Effort) -> Self {
        Self { effort, ..self }
    }

    /// Sets the precision of evaluations from now on.
    pub fn with_precision(self, precision: Precision) -> Self {
        Self { backend: precision.into(), ..self }
    }

    /// Sets the number of threads of timed searches; searches by visits use one, so that results repeat. In a browser
    /// the threads must be running already.
    pub fn with_threads(self, threads: NonZeroUsize) -> Self {
        Self { threads, ..self }
    }

    /// Sets the model that plays a game, and those that share its network.
    pub fn set_model(&mut self, game: Game, model: LoadedModel) {
        self.models.insert(game.network, model);
        self.engine = None;
    }

    /// Reads the checkpoint that plays a game from the bytes of a file. `name` is what errors call the file.
    ///
    /// # Errors
    /// If there is no such game, or the file is no checkpoint for it.
    pub fn load_model(&mut self, game: &str, name: &str, bytes: &[u8]) -> Result<(), String> {
        let game = game_named(game).map_err(|_| no_game(game))?;
        let checkpoint = Checkpoint::from_bytes(bytes, name).map_err(|error| error.to_string())?;
        let model = LoadedModel::of_checkpoint(game, &checkpoint, name, self.backend.clone())
            .map_err(|error| error.to_string())?;
        self.set_model(game, model);
        Ok(())
    }

    /// Answers a query of one of the server's paths: `layout` and `openings` take `game=G&size=N`, `games` takes
    /// `to=FORM` and a file.
    pub fn resource(&self, path: &str, query: &str, file: &[u8]) -> Resource {
        let of_board = |made: Result<String, LayoutError>| match made {
            Ok(text) => Resource { status: 200, text },
            Err(LayoutError::Game(text)) => Resource { status: 404, text },
            Err(LayoutError::Board(text)) => Resource { status: 400, text },
        };
        match path {
            "layout" => of_board(layout(query)),
            "openings" => of_board(openings(query)),
            "games" => Resource { status: 200, text: converted(query, file) },
            _ => Resource { status: 404, text: format!("there is no '{path}'; choose layout, openings or games") },
        }
    }

    /// Executes a request; `answer` gets the answers that are due now.
    pub fn receive(&mut self, text: &str, answer: &mut dyn FnMut(String)) {
        let Request { id, command } = match Request::parse(text) {
            Ok(request) => request,
            Err(rejected) => return answer(Answer::error(rejected.reason).to_frame(rejected.id)),
        };
        let reply = match command {
            Command::States { position, from } => {
                views(&position, from).map_or_else(Answer::error, |states| Answer::States { states })
            }
            Command::Stop => {
                self.proceed(true, answer);
                Answer::Stopped { stopped: true }
            }
            Command::Share { .. } | Command::Join { .. } | Command::Play { .. } | Command::Act { .. } => {
                Answer::error("boards are shared by a server; the engine in a tab has none")
            }
            Command::Think { position, task } => match self.think(id, &position, task, answer) {
                Ok(()) => return,
                Err(problem) => Answer::error(problem),
            },
        };
        answer(reply.to_frame(Some(id)));
    }

    /// Searches for 10 ms. Returns whether a search is under way after that.
    pub fn turn(&mut self, answer: &mut dyn FnMut(String)) -> bool {
        self.proceed(false, answer);
        self.searching.is_some()
    }

    /// Begins a search, in place of the one under way.
    fn think(
        &mut self,
        id: u64,
        position: &PositionRequest,
        task: Task,
        answer: &mut dyn FnMut(String),
    ) -> Result<(), String> {
        if self.searching.as_ref().is_some_and(|searching| matches!(searching.task, Task::Move(_))) {
            return Err(MOVE_UNDER_WAY.to_owned());
        }
        self.proceed(true, answer);
        let known = self.engine.take().filter(|engine| engine.game().name() == position.game);
        let mut engine = known.map_or_else(|| self.engine_for(&position.game), Ok)?;
        match engine.begin(position, task, self.effort, Instant::now()) {
            Ok(search) => self.searching = Some(Searching { id, task, engine, search }),
            Err(problem) => {
                self.engine = Some(engine);
                return Err(problem);
            }
        }
        Ok(())
    }

    fn engine_for(&mut self, name: &str) -> Result<SessionEngine, String> {
        let game = game_named(name).map_err(|_| no_game(name))?;
        let model = match self.models.get(game.network) {
            Some(model) => model.fork(),
            // A game of another crate may have no network yet.
            None if !is_built_in(game) => LoadedModel::playouts(),
            None => return Err(format!("the model of {} is not loaded", game.title)),
        };
        let engine = Engine::new(game, game.boards.default, model);
        self.seed = self.seed.wrapping_add(1);
        let engine = engine.expect("the default size is the game's own").repeatable();
        Ok(SessionEngine::new(engine, self.seed))
    }

    /// Searches for one turn, if a search is under way; `last` ends the search with its findings so far.
    fn proceed(&mut self, last: bool, answer: &mut dyn FnMut(String)) {
        let Some(mut under_way) = self.searching.take() else { return };
        let turn = Turn { memory: self.memory, threads: self.threads, last };
        let progress = under_way.engine.think(&mut under_way.search, &turn);
        let mut tell = |reply: Answer| answer(reply.to_frame(Some(under_way.id)));
        match progress {
            Progress::More(update) => {
                update.into_iter().for_each(tell);
                self.searching = Some(under_way);
            }
            Progress::Done(reply) => {
                tell(reply);
                self.engine = Some(under_way.engine);
            }
        }
    }
}

/// Refuses a search while a move is being chosen.
pub const MOVE_UNDER_WAY: &str = "a move is being chosen already; 'stop' ends that";
