//! Counts connections and shares the memory among them.

use std::sync::Arc;

use tokio::sync::watch;

/// The open connections.
#[derive(Debug)]
pub(super) struct Sessions {
    most: usize,
    /// Bytes for the search trees of all connections together.
    memory: usize,
    open: watch::Sender<usize>,
}

/// An open connection, closed when dropped.
#[derive(Debug)]
pub(super) struct Session(Arc<Sessions>);

impl Sessions {
    /// Creates a limit of `most` connections, which share `memory` bytes.
    pub fn new(most: usize, memory: usize) -> Arc<Self> {
        Arc::new(Self { most, memory, open: watch::Sender::new(0) })
    }

    /// Adds a connection; none if there are already as many as allowed.
    pub fn enter(self: &Arc<Self>) -> Option<Session> {
        let entered = self.open.send_if_modified(|open| {
            let there_is_room = *open < self.most;
            *open += usize::from(there_is_room);
            there_is_room
        });
        entered.then(|| Session(Arc::clone(self)))
    }

    /// Returns the bytes that one connection's search tree may take at present.
    pub fn share(&self) -> usize {
        self.memory / (*self.open.borrow()).max(1)
    }

    /// Signals when a connection opens or closes.
    pub fn changes(&self) -> watch::Receiver<usize> {
        self.open.subscribe()
    }

    /// Returns when all connections are closed.
    pub async fn ended(&self) {
        // It fails if the sender is gone, which it is not.
        let _ = self.changes().wait_for(|&open| open == 0).await;
    }
}

impl Session {
    /// All of them.
    pub fn all(&self) -> &Arc<Sessions> {
        &self.0
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.0.open.send_modify(|open| *open -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_is_shared_by_those_who_are_there() {
        let sessions = Sessions::new(2, 1000);
        assert_eq!(sessions.share(), 1000);
        let first = sessions.enter().unwrap();
        let second = sessions.enter().unwrap();
        assert_eq!(sessions.share(), 500);
        assert!(sessions.enter().is_none());
        drop(first);
        assert_eq!(sessions.share(), 1000);
        assert!(sessions.enter().is_some());
        drop(second);
    }
}
