//! The open WebSockets, the memory that they share, and their searches, as jobs of the worker pool.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{oneshot, watch};

use hexzero_engine::Effort;
use hexzero_engine::worker_pool::Job;
use hexzero_protocol::answer::Answer;
use hexzero_protocol::request::{PositionRequest, Task};
use hexzero_protocol::session_engine::{ActiveSearch, Progress, SessionEngine, Turn};
use hexzero_system::stop::StopSignal;

use super::connection_limiter::ConnectionLimiter;

/// Idle connections older than this may be evicted for a new one.
const IDLE: Duration = Duration::from_secs(60);

/// The open connections.
#[derive(Debug)]
pub(super) struct Sessions {
    pub limiter: Arc<ConnectionLimiter>,
    /// Bytes for the search trees and the unread answers of all connections together.
    memory: usize,
    /// Bytes of answers that wait to be read.
    unread: AtomicUsize,
}

/// Bytes of an answer that waits to be read, until dropped.
#[derive(Debug)]
pub(super) struct Unread {
    sessions: Arc<Sessions>,
    bytes: usize,
}

impl Sessions {
    /// Creates a limit of `most` connections, which share `memory` bytes.
    pub fn new(most: usize, memory: usize) -> Arc<Self> {
        Arc::new(Self { limiter: ConnectionLimiter::new(most, IDLE), memory, unread: AtomicUsize::new(0) })
    }

    /// Returns the bytes that one connection's search tree may take at present.
    pub fn share(&self) -> usize {
        let for_trees = self.memory.saturating_sub(self.unread.load(Ordering::Relaxed));
        for_trees / (*self.limiter.count().borrow()).max(1)
    }

    /// Counts an answer of this many bytes as unread until the result is dropped.
    pub fn unread(self: &Arc<Self>, bytes: usize) -> Unread {
        self.unread.fetch_add(bytes, Ordering::Relaxed);
        Unread { sessions: Arc::clone(self), bytes }
    }

    /// Returns whether unread answers take so much memory that clients have to hurry.
    pub fn is_short_of_room(&self) -> bool {
        self.unread.load(Ordering::Relaxed) > self.memory / 2
    }
}

impl Drop for Unread {
    fn drop(&mut self) {
        self.sessions.unread.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// A finished search.
pub(super) struct Finished {
    /// The engine for the next one.
    pub engine: SessionEngine,
    /// The last answer.
    pub frame: String,
}

/// The search that a connection has under way.
pub(super) struct SearchHandle {
    pub id: u64,
    /// Whether the search chooses a move.
    pub for_move: bool,
    /// Asks the search to end with its findings so far.
    pub stop: StopSignal,
    pub finished: oneshot::Receiver<Finished>,
}

/// The search as a job of the worker pool.
pub(super) struct SearchJob {
    id: u64,
    position: PositionRequest,
    task: Task,
    /// The default limits of a move.
    effort: Effort,
    sessions: Arc<Sessions>,
    stop: StopSignal,
    /// The channel for updates, of which only the latest counts.
    updates: watch::Sender<Option<String>>,
    /// The engine, and where to send the result; none when the search has ended.
    ending: Option<(SessionEngine, oneshot::Sender<Finished>)>,
    asked: Instant,
    search: Option<ActiveSearch>,
}

impl SearchJob {
    /// Creates the search for the request with this number, with this engine.
    pub fn new(
        id: u64,
        position: PositionRequest,
        task: Task,
        effort: Effort,
        engine: SessionEngine,
        sessions: Arc<Sessions>,
        updates: watch::Sender<Option<String>>,
    ) -> (Self, SearchHandle) {
        let (sender, finished) = oneshot::channel();
        let stop = StopSignal::new();
        let handle = SearchHandle { id, for_move: matches!(task, Task::Move(_)), stop: stop.clone(), finished };
        let ending = Some((engine, sender));
        (
            Self { id, position, task, effort, sessions, stop, updates, ending, asked: Instant::now(), search: None },
            handle,
        )
    }

    /// Returns whether the answer is no longer wanted.
    fn is_abandoned(&self) -> bool {
        self.ending.as_ref().is_none_or(|(_, sender)| sender.is_closed())
    }

    fn end(&mut self, answer: &Answer) -> bool {
        if let Some((engine, sender)) = self.ending.take() {
            // An answer that is no longer wanted may be lost.
            let _ = sender.send(Finished { engine, frame: answer.to_frame(Some(self.id)) });
        }
        false
    }
}

impl Job for SearchJob {
    fn is_due(&self) -> bool {
        self.stop.is_requested() || self.search.as_ref().is_some_and(ActiveSearch::is_due) || self.is_abandoned()
    }

    fn turn(&mut self, threads: NonZeroUsize) -> bool {
        if self.is_abandoned() {
            return false;
        }
        let Some((engine, _)) = &mut self.ending else { return false };
        let share = self.sessions.share();
        if self.search.is_none() {
            // The tree dates from a time with fewer connections sharing the memory.
            if engine.memory() > share {
                engine.forget();
            }
            match engine.begin(&self.position, self.task, self.effort, self.asked) {
                Ok(search) => self.search = Some(search),
                Err(problem) => return self.end(&Answer::error(problem)),
            }
        }
        let Some(search) = &mut self.search else { return false };
        let last = self.stop.is_requested();
        // The rest is reserved for pruning a full tree.
        let memory = share - share / 16;
        match engine.think(search, &Turn { memory, threads, last }) {
            Progress::More(None) => true,
            Progress::More(Some(answer)) => {
                self.updates.send_replace(Some(answer.to_frame(Some(self.id))));
                true
            }
            Progress::Done(answer) => self.end(&answer),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    #[test]
    fn memory_is_shared_among_sessions() {
        let sessions = Sessions::new(2, 1000);
        assert_eq!(sessions.share(), 1000);
        let first = sessions.limiter.acquire(HERE).unwrap();
        let second = sessions.limiter.acquire(HERE).unwrap();
        assert_eq!(sessions.share(), 500);
        assert!(sessions.limiter.acquire(HERE).is_none());
        drop(first);
        assert_eq!(sessions.share(), 1000);
        assert!(sessions.limiter.acquire(HERE).is_some());
        drop(second);
    }

    #[test]
    fn unread_answers_take_of_the_memory() {
        let sessions = Sessions::new(2, 1000);
        let answers = [sessions.unread(400), sessions.unread(100)];
        assert_eq!((sessions.share(), sessions.is_short_of_room()), (500, false));
        let more = sessions.unread(600);
        assert_eq!((sessions.share(), sessions.is_short_of_room()), (0, true));
        drop((answers, more));
        assert_eq!((sessions.share(), sessions.is_short_of_room()), (1000, false));
    }
}
