//! The open WebSockets, and the memory that they share.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::watch;

use super::connection_limiter::{ConnectionLimiter, Permit};

/// Idle connections older than this may be evicted for a new one.
const IDLE: Duration = Duration::from_secs(60);

/// The open connections.
#[derive(Debug)]
pub(super) struct Sessions {
    limiter: Arc<ConnectionLimiter>,
    /// Bytes for the search trees and the unread answers of all connections together.
    memory: usize,
    /// Bytes of answers that wait to be read.
    unread: AtomicUsize,
}

/// An open connection, closed when dropped.
#[derive(Debug)]
pub(super) struct Session {
    sessions: Arc<Sessions>,
    permit: Permit,
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

    /// Adds a connection from this address; none if the limit is reached and no connection can be
    /// evicted.
    pub fn enter(self: &Arc<Self>, address: IpAddr) -> Option<Session> {
        Some(Session { permit: self.limiter.acquire(address)?, sessions: Arc::clone(self) })
    }

    /// Returns the bytes that one connection's search tree may take at present.
    pub fn share(&self) -> usize {
        let for_trees = self.memory.saturating_sub(self.unread.load(Ordering::Relaxed));
        for_trees / (*self.changes().borrow()).max(1)
    }

    /// Signals when a connection opens or closes.
    pub fn changes(&self) -> watch::Receiver<usize> {
        self.limiter.count()
    }

    /// Returns when all connections are closed.
    pub async fn ended(&self) {
        self.limiter.all_released().await;
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

impl Session {
    /// Returns all sessions.
    pub fn all(&self) -> &Arc<Sessions> {
        &self.sessions
    }

    /// Returns the session's permit.
    pub fn permit(&self) -> &Permit {
        &self.permit
    }
}

impl Drop for Unread {
    fn drop(&mut self) {
        self.sessions.unread.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    #[test]
    fn memory_is_shared_among_sessions() {
        let sessions = Sessions::new(2, 1000);
        assert_eq!(sessions.share(), 1000);
        let first = sessions.enter(HERE).unwrap();
        let second = sessions.enter(HERE).unwrap();
        assert_eq!(sessions.share(), 500);
        assert!(sessions.enter(HERE).is_none());
        drop(first);
        assert_eq!(sessions.share(), 1000);
        assert!(sessions.enter(HERE).is_some());
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
