//! One client: reads its requests, executes them, and sends the answers.

use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::{mpsc, watch};
use tokio::task::block_in_place;
use tokio::time::{interval, sleep_until, timeout};

use hexzero_protocol::MOVE_UNDER_WAY;
use hexzero_protocol::answer::{Answer, views};
use hexzero_protocol::request::{Command, PositionRequest, Request, Task};
use hexzero_protocol::session_engine::SessionEngine;

use super::connection_limiter::Permit;
use super::server::AppState;
use super::sessions::{Finished, SearchHandle, SearchJob, Sessions, Unread};
use super::shared_boards::{CLOSED, Follower};

/// The longest text of a request, in bytes.
const MAX_REQUEST_BYTES: usize = 64 << 10;

/// The longest frame that is read, in bytes. It exceeds the longest request: a frame read to its end gets an error as
/// its answer, while a longer one ends the connection.
pub(super) const MAX_FRAME_BYTES: usize = 1 << 20;

/// The number of answers that may wait behind the one that a client is reading. Beyond that its further requests wait
/// too.
const ANSWERS_WAITING: usize = 1;

/// A client that reads nothing for this long is disconnected.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// The timeout where unread answers take up too much memory.
const SHORT_WRITE_TIMEOUT: Duration = Duration::from_millis(500);

/// The number of pings before a silent client is disconnected: it may miss two.
const PINGS: u32 = 3;

/// The time that a client has to confirm that the connection is closed.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);

/// The client reads no more answers, or sends nothing any more.
struct Disconnected;

/// A message on its way to the client.
struct Outgoing {
    message: Message,
    unread: Unread,
}

/// The state of one client.
struct Connection {
    state: Arc<AppState>,
    /// The engine while idle, if there has been a search.
    engine: Option<SessionEngine>,
    searching: Option<SearchHandle>,
    /// The shared board that the client follows, and the number of the request for that.
    followed: Option<(u64, Follower)>,
    address: IpAddr,
    answers: mpsc::Sender<Outgoing>,
    updates: watch::Sender<Option<String>>,
}

/// Serves a client until it leaves or the server ends.
pub(super) async fn serve_client(socket: WebSocket, state: Arc<AppState>, permit: Permit, address: IpAddr) {
    let (sink, mut stream) = socket.split();
    let (answers, outgoing) = mpsc::channel(ANSWERS_WAITING);
    let (updates, latest) = watch::channel(None);
    let mut writer = tokio::spawn(write(sink, Arc::clone(&state.sessions), outgoing, latest));
    let connection = Connection { state, engine: None, searching: None, followed: None, address, answers, updates };
    connection.run(&mut stream, &permit).await;
    // All queued answers are written before the connection closes.
    if timeout(CLOSE_TIMEOUT, &mut writer).await.is_err() {
        writer.abort();
    }
    let rest = async { while let Some(Ok(_)) = stream.next().await {} };
    let _ = timeout(CLOSE_TIMEOUT, rest).await;
    drop(permit);
}

/// Writes answers in order, and between them the latest update. Ends when there are no more answers, or the client
/// reads none.
async fn write(
    mut sink: SplitSink<WebSocket, Message>,
    sessions: Arc<Sessions>,
    mut answers: mpsc::Receiver<Outgoing>,
    mut updates: watch::Receiver<Option<String>>,
) {
    loop {
        let Outgoing { message, unread } = tokio::select! {
            biased;
            answer = answers.recv() => match answer {
                Some(answer) => answer,
                None => return,
            },
            Ok(()) = updates.changed() => match updates.borrow_and_update().clone() {
                Some(update) => Outgoing::new(&sessions, Message::text(update)),
                None => continue,
            },
        };
        let began = Instant::now();
        let mut sending = pin!(sink.send(message));
        loop {
            match timeout(SHORT_WRITE_TIMEOUT, &mut sending).await {
                Ok(Ok(())) => break,
                Err(_) if began.elapsed() < WRITE_TIMEOUT && !sessions.is_short_of_room() => {}
                Ok(Err(_)) | Err(_) => return,
            }
        }
        drop(unread);
    }
}

impl Outgoing {
    fn new(sessions: &Arc<Sessions>, message: Message) -> Self {
        let bytes = match &message {
            Message::Text(text) => text.len(),
            _ => 0,
        };
        Self { unread: sessions.unread(bytes), message }
    }
}

impl Connection {
    /// Reads requests until the client leaves or the server ends.
    async fn run(mut self, stream: &mut SplitStream<WebSocket>, permit: &Permit) {
        let mut others = self.state.sessions.limiter.count();
        let mut closing = self.state.closing.subscribe();
        let mut ping = interval(self.state.silence / PINGS);
        let mut last_heard = Instant::now();
        loop {
            let proceeded = tokio::select! {
                frame = stream.next() => {
                    last_heard = Instant::now();
                    match frame {
                        Some(Ok(Message::Text(text))) if text.len() > MAX_REQUEST_BYTES => {
                            return self.close(close_code::POLICY, "a request of more than 64 KiB").await;
                        }
                        Some(Ok(Message::Text(text))) => {
                            permit.touch();
                            self.execute(&text).await
                        }
                        Some(Ok(Message::Binary(_))) => {
                            self.answer(None, &Answer::error("requests are text frames, this is a binary one")).await
                        }
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(()),
                        Some(Ok(Message::Close(_))) | None => return,
                        Some(Err(_)) => {
                            return self.close(close_code::POLICY, "a broken frame").await;
                        }
                    }
                }
                is_open = changed(&mut self.followed) => self.tell_of_board(is_open).await,
                (id, finished) = ended(&mut self.searching) => self.finish_search(id, finished).await,
                Ok(()) = others.changed() => {
                    self.release_memory();
                    Ok(())
                }
                _ = ping.tick() => self.send(Message::Ping(Default::default())).await,
                () = sleep_until((last_heard + self.state.silence).into()) => Err(Disconnected),
                () = self.answers.closed() => Err(Disconnected),
                () = permit.revoked() => return self.close(close_code::AGAIN, "others wait for this place").await,
                () = async { drop(closing.wait_for(|&closing| closing).await) } => {
                    return self.close(close_code::AWAY, "the server ends").await;
                }
            };
            if proceeded.is_err() {
                return;
            }
        }
    }

    /// Executes a request.
    async fn execute(&mut self, text: &str) -> Result<(), Disconnected> {
        let Request { id, command } = match Request::parse(text) {
            Ok(request) => request,
            Err(rejected) => return self.answer(rejected.id, &Answer::error(rejected.reason)).await,
        };
        let boards = &self.state.boards;
        let done = |result: Result<(), String>| result.map_or_else(Answer::error, |()| Answer::Done { done: true });
        let answer = match command {
            Command::States { position, from } => {
                // The states of a long game take half a second, for which no other client of this
                // thread should wait.
                let permit = self.state.views.acquire().await;
                let views = block_in_place(|| views(&position, from));
                drop(permit);
                views.map_or_else(Answer::error, |states| Answer::States { states })
            }
            Command::Think { position, task } => return self.think(id, position, task).await,
            Command::Share { position } => {
                let shared = boards.share(&position, self.address);
                shared.map_or_else(Answer::error, |tokens| Answer::Tokens { tokens })
            }
            Command::Join { token } => match boards.follow(&token) {
                Ok(follower) => {
                    self.followed = Some((id, follower));
                    return self.tell_of_board(true).await;
                }
                Err(problem) => Answer::error(problem),
            },
            Command::Play { token, ply, name } => done(boards.play(&token, ply, &name)),
            Command::Act { token, action } => done(boards.act(&token, action)),
            Command::Stop => {
                self.end_search().await?;
                Answer::Stopped { stopped: true }
            }
        };
        self.answer(Some(id), &answer).await
    }

    /// Sends the shared board that the client follows, or reports that it is gone.
    async fn tell_of_board(&mut self, is_open: bool) -> Result<(), Disconnected> {
        let Some((id, follower)) = &mut self.followed else { return Ok(()) };
        let id = *id;
        if !is_open {
            self.followed = None;
            return self.answer(Some(id), &Answer::error(CLOSED)).await;
        }
        let (shared, seat) = (follower.views.borrow_and_update().clone(), follower.seat);
        self.answer(Some(id), &Answer::Shared { shared, seat }).await
    }

    async fn think(&mut self, id: u64, position: PositionRequest, task: Task) -> Result<(), Disconnected> {
        if self.searching.as_ref().is_some_and(|searching| searching.for_move) {
            return self.answer(Some(id), &Answer::error(MOVE_UNDER_WAY)).await;
        }
        self.end_search().await?;
        let known = self.engine.take().filter(|engine| engine.game().name() == position.game);
        let engine = match known.map_or_else(|| self.state.models.engine(&position.game), Ok) {
            Ok(engine) => engine,
            Err(problem) => return self.answer(Some(id), &Answer::error(problem)).await,
        };
        let sessions = Arc::clone(&self.state.sessions);
        let (job, searching) =
            SearchJob::new(id, position, task, self.state.effort, engine, sessions, self.updates.clone());
        self.searching = Some(searching);
        self.state.pool.submit(Box::new(job));
        Ok(())
    }

    /// Ends the search under way, if there is one, and sends its last answer.
    async fn end_search(&mut self) -> Result<(), Disconnected> {
        if let Some(searching) = &self.searching {
            searching.stop.request();
            let (id, finished) = ended(&mut self.searching).await;
            self.finish_search(id, finished).await?;
        }
        Ok(())
    }

    /// Sends the last answer of a search and keeps its engine.
    async fn finish_search(&mut self, id: u64, finished: Option<Finished>) -> Result<(), Disconnected> {
        // No update may come after the last answer.
        self.updates.send_replace(None);
        match finished {
            Some(Finished { engine, frame }) => {
                self.engine = Some(engine);
                self.release_memory();
                self.send(Message::text(frame)).await
            }
            None => self.answer(Some(id), &Answer::error("the search has failed")).await,
        }
    }

    /// Frees the memory of an idle engine's tree beyond its share.
    fn release_memory(&mut self) {
        let share = self.state.sessions.share();
        if let Some(engine) = self.engine.as_mut().filter(|engine| engine.memory() > share) {
            engine.forget();
        }
    }

    async fn answer(&mut self, id: Option<u64>, answer: &Answer) -> Result<(), Disconnected> {
        self.send(Message::text(answer.to_frame(id))).await
    }

    async fn send(&mut self, message: Message) -> Result<(), Disconnected> {
        let outgoing = Outgoing::new(&self.state.sessions, message);
        self.answers.send(outgoing).await.map_err(|_| Disconnected)
    }

    async fn close(&mut self, code: u16, reason: &'static str) {
        let _ = self.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
    }
}

/// Waits until something has happened on the board that is followed, for ever if there is none. Returns false if the
/// board is gone.
async fn changed(followed: &mut Option<(u64, Follower)>) -> bool {
    match followed {
        Some((_, follower)) => follower.views.changed().await.is_ok(),
        None => std::future::pending().await,
    }
}

/// Waits until the search under way has ended, for ever if there is none. Returns its number and its result; none
/// if it failed.
async fn ended(searching: &mut Option<SearchHandle>) -> (u64, Option<Finished>) {
    let Some(under_way) = searching else { return std::future::pending().await };
    let finished = (&mut under_way.finished).await.ok();
    let id = under_way.id;
    *searching = None;
    (id, finished)
}
