//! Conversions of files of games, as one job of the worker pool: a game of one subnet, then a game
//! of the next.

use std::collections::VecDeque;
use std::io::Cursor;
use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::oneshot;

use hexzero_engine::worker_pool::{Job, WorkerPool};
use hexzero_protocol::game_files::Conversion;

use super::{Refusal, Share};

/// The time of a turn, except where a single game takes longer.
const TURN: Duration = Duration::from_millis(10);

/// The maximum time spent on one file.
const MAX_WORK: Duration = Duration::from_secs(20);

/// The text made of a file, with the room that both take.
type Made = Result<(String, Share), Refusal>;

/// The files that wait for their next turn.
#[derive(Default)]
pub(super) struct Conversions(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    /// Subnets and their files, those whose turn is next first.
    waiting: VecDeque<(IpAddr, VecDeque<Pending>)>,
    is_running: bool,
}

/// A file under way.
struct Pending {
    games: Conversion<'static>,
    share: Share,
    worked: Duration,
    made: oneshot::Sender<Made>,
}

impl Conversions {
    /// Converts a file from this subnet to the form that the query asks for. Stops when the future is dropped.
    pub async fn convert(
        self: &Arc<Self>,
        pool: &WorkerPool,
        subnet: IpAddr,
        query: &str,
        file: Vec<u8>,
        share: Share,
    ) -> Made {
        let games = match Conversion::new(query, Cursor::new(file)) {
            Ok(games) => games,
            Err(answer) => return Ok((answer, share)),
        };
        let (made, answer) = oneshot::channel();
        let starts = self.0.lock().add(subnet, Pending { games, share, worked: Duration::ZERO, made });
        if starts {
            pool.submit(Box::new(Turns(Arc::clone(self))));
        }
        answer.await.unwrap_or(Err(Refusal::Failed))
    }
}

impl Queue {
    /// Adds a file; returns true if no job works on the queue yet.
    fn add(&mut self, subnet: IpAddr, file: Pending) -> bool {
        // Files whose clients have left take no memory until their turn.
        self.waiting.retain_mut(|(_, files)| {
            files.retain(|file| !file.made.is_closed());
            !files.is_empty()
        });
        match self.waiting.iter_mut().find(|(known, _)| *known == subnet) {
            Some((_, files)) => files.push_back(file),
            None => self.waiting.push_back((subnet, VecDeque::from([file]))),
        }
        !std::mem::replace(&mut self.is_running, true)
    }

    /// Takes the next file; its subnet's next turn comes after those of all others.
    fn next(&mut self) -> Option<(IpAddr, Pending)> {
        let (subnet, mut files) = self.waiting.pop_front()?;
        let file = files.pop_front()?;
        if !files.is_empty() {
            self.waiting.push_back((subnet, files));
        }
        Some((subnet, file))
    }
}

/// The job that works on the queue.
struct Turns(Arc<Conversions>);

impl Job for Turns {
    fn is_due(&self) -> bool {
        false
    }

    fn turn(&mut self, _threads: NonZeroUsize) -> bool {
        let Turns(conversions) = self;
        let Some((subnet, file)) = conversions.0.lock().next() else { return false };
        // If the reader panics, its file is dropped and the client is told; the other files go on.
        let unfinished = catch_unwind(AssertUnwindSafe(|| file.turn())).ok().flatten();
        let mut queue = conversions.0.lock();
        if let Some(file) = unfinished {
            queue.add(subnet, file);
        }
        queue.is_running = !queue.waiting.is_empty();
        queue.is_running
    }
}

impl Pending {
    /// Converts games for one turn. Returns the file unless it is finished.
    fn turn(mut self) -> Option<Self> {
        let began = Instant::now();
        while began.elapsed() < TURN {
            // The client has left.
            if self.made.is_closed() {
                return None;
            }
            let refusal = match self.games.convert_next() {
                None => {
                    // The client may have left meanwhile.
                    let _ = self.made.send(Ok((self.games.answer(), self.share)));
                    return None;
                }
                Some(bytes) if !self.share.grow(bytes) => Refusal::Full,
                Some(_) if self.worked + began.elapsed() > MAX_WORK => Refusal::TooMuchWork,
                Some(_) => continue,
            };
            let _ = self.made.send(Err(refusal));
            return None;
        }
        self.worked += began.elapsed();
        Some(self)
    }
}
