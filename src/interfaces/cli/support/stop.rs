//! Stops running work when the user asks for it or the time is up.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use crate::threads;

/// How often to check for the user's request.
const EVERY: Duration = Duration::from_millis(50);

/// A flag that is raised when the user asks to stop, or at a deadline.
pub struct Stop {
    flag: Arc<AtomicBool>,
    /// Ends the watching thread when it is dropped.
    _watched: Sender<()>,
}

impl Stop {
    /// Begins to watch for the user's request and the deadline.
    ///
    /// # Errors
    /// If the system has no thread to watch on.
    pub fn at(deadline: Option<Instant>, asked: &'static AtomicBool) -> io::Result<Self> {
        let flag = Arc::new(AtomicBool::new(asked.load(Ordering::Relaxed)));
        let (watched, ended) = channel::<()>();
        let raised = flag.clone();
        threads::spawn(move || {
            while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                if asked.load(Ordering::Relaxed) || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    raised.store(true, Ordering::Relaxed);
                }
            }
        })?;
        Ok(Self { flag, _watched: watched })
    }

    /// The flag.
    pub fn flag(&self) -> &AtomicBool {
        &self.flag
    }
}
