//! Reads lines while one of them is being answered, so that an interrupt takes effect at once.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::lines::{Line, each_line};
use hexzero_system::stop::StopSignal;
use hexzero_system::threads;

/// The maximum number of lines that may wait for their answer; a client that sends more is blocked.
const WAITING: usize = 64;

/// The line that stops the command under way.
const INTERRUPT: &str = "# interrupt";

/// A line and the time of its arrival.
pub(super) struct Heard {
    pub line: Line,
    pub at: Instant,
    /// How long the line waited for a core; none if it waited for an earlier answer.
    pub waited: Option<Duration>,
}

/// Passes on the lines of an input one by one, and requests a stop while the line being answered is interrupted.
pub(super) struct Listener {
    lines: Receiver<io::Result<Heard>>,
    count: Arc<Count>,
}

impl Listener {
    /// Reads on a thread of its own, which is left behind when no longer needed: reading cannot be stopped.
    pub fn new(input: impl BufRead + Send + 'static, stop: StopSignal) -> io::Result<Self> {
        let (send, lines) = sync_channel(WAITING);
        let count = Arc::new(Count { numbers: Mutex::default(), stop });
        let counted = Arc::clone(&count);
        let pass_on = move |line: io::Result<Line>| {
            let interrupts = matches!(&line, Ok(Line::Text(text)) if text.trim() == INTERRUPT);
            counted.change(|numbers| {
                if interrupts {
                    numbers.interrupted = numbers.heard;
                }
                numbers.heard += 1;
            });
            let heard = line.map(|line| Heard { line, at: Instant::now(), waited: None });
            send.send(heard).is_ok()
        };
        threads::spawn(move || each_line(input, pass_on))?;
        Ok(Self { lines, count })
    }

    /// Returns the next line as soon as it comes.
    pub fn next(&self) -> io::Result<Heard> {
        if let Ok(heard) = self.lines.try_recv() {
            return heard;
        }
        // The reader has already reported the end.
        let end = |_| Ok(Heard { line: Line::End, at: Instant::now(), waited: None });
        let heard = self.lines.recv().unwrap_or_else(end)?;
        Ok(Heard { waited: Some(heard.at.elapsed()), ..heard })
    }

    /// Marks a line as answered: its interrupt does not apply to the next.
    pub fn answered(&self) {
        self.count.change(|numbers| numbers.answered += 1);
    }
}

/// The interrupted lines.
struct Count {
    numbers: Mutex<Numbers>,
    stop: StopSignal,
}

#[derive(Default)]
struct Numbers {
    heard: u64,
    answered: u64,
    /// The number of lines before the last interrupt.
    interrupted: u64,
}

impl Count {
    fn change(&self, how: impl FnOnce(&mut Numbers)) {
        let mut numbers = self.numbers.lock();
        how(&mut numbers);
        if numbers.interrupted > numbers.answered {
            self.stop.request();
        } else {
            self.stop.withdraw();
        }
    }
}
