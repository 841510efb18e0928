//! The overhead of a move: how much longer it takes than allowed.

use std::time::Duration;

/// The overhead expected before anything is measured.
const AT_FIRST: Duration = Duration::from_millis(20);
/// The least overhead assumed on any machine.
const MIN: Duration = Duration::from_millis(5);
/// A longer delay is not overhead: the program was suspended, or the clock was set.
const MAX: Duration = Duration::from_secs(2);

/// The moving averages give the latest move a weight of one over this.
const NEWS: u32 = 8;

/// Each move lowers a peak by one part in this many, so that it is remembered for a whole game.
const PEAK_FADES: u32 = 128;

/// The time reserved for one late move is at least the period or main time divided by this, but
/// that minimum never exceeds `MAX_FLOOR`.
const FLOOR_SHARE: u32 = 10;
const MAX_FLOOR: Duration = Duration::from_millis(200);
/// The time reserved is at most the period or main time divided by this: a slower machine needs
/// another time control.
const MAX_SHARE: u32 = 3;

/// Scheduling delays per move that cannot be measured (one reading the command, one sending the
/// answer).
const UNSEEN_WAITS: u32 = 2;

/// The recent overhead of moves: late threads, other processes, sending the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overhead {
    worst: Duration,
    /// The worst overhead of the whole game, or the longest evaluation.
    peak: Duration,
    /// The longest time of the whole game that a command waited for a core.
    longest_wait: Duration,
    /// The mean of the overhead measured here.
    mean: Duration,
    /// The mean time that a command waits for a core before its search begins.
    wait: Duration,
    /// The mean of the overhead that only a referee sees, or `None` before a referee reports.
    unseen: Option<Duration>,
}

impl Default for Overhead {
    fn default() -> Self {
        Self {
            worst: AT_FIRST,
            peak: AT_FIRST,
            longest_wait: Duration::ZERO,
            mean: Duration::ZERO,
            wait: Duration::ZERO,
            unseen: None,
        }
    }
}

impl Overhead {
    /// Returns the expected overhead: a quarter more than the worst recent one.
    pub fn margin(&self) -> Duration {
        self.worst * 5 / 4
    }

    /// Returns the time to reserve for one late move in a period or game of this length: the worst
    /// overhead of the whole game plus the scheduling delays that cannot be measured; at least a
    /// tenth of `time` (at most 200 ms), at most a third.
    pub fn reserve(&self, time: Duration) -> Duration {
        let waits = if self.unseen.is_none() { self.longest_wait * UNSEEN_WAITS } else { Duration::ZERO };
        let seen = self.peak * 5 / 4 + waits;
        seen.max((time / FLOOR_SHARE).min(MAX_FLOOR)).min(time / MAX_SHARE)
    }

    /// Returns the usual overhead of a move: a quarter more than the mean.
    pub fn usual(&self) -> Duration {
        (self.mean + self.unseen.unwrap_or(self.assumed())) * 5 / 4
    }

    /// Returns the assumed cost of transmitting a command and its answer: the waits measured here,
    /// or zero once a referee reports the true cost.
    pub fn assumed(&self) -> Duration {
        if self.unseen.is_none() { self.mean.max(self.wait * UNSEEN_WAITS) } else { Duration::ZERO }
    }

    /// Begins a move: the peaks of earlier moves fade.
    pub fn fade(&mut self) {
        (self.peak, self.longest_wait) = (faded(self.peak), faded(self.longest_wait));
    }

    /// Records how long a command waited for a core before its search began.
    pub fn learn_wait(&mut self, wait: Duration) {
        self.wait = with_news(self.wait, wait);
        self.longest_wait = self.longest_wait.max(wait.min(MAX));
    }

    /// Records the longest evaluation of a move, by which a search may overrun.
    pub fn learn_pause(&mut self, pause: Duration) {
        self.peak = self.peak.max(pause.min(MAX));
    }

    /// Records the overhead of a move as measured here.
    pub fn learn(&mut self, overhead: Duration) {
        self.worst = overhead.max(self.worst * 19 / 20).clamp(MIN, MAX);
        self.peak = self.peak.max(overhead.min(MAX));
        self.mean = with_news(self.mean, overhead);
    }

    /// Records the part of a move's overhead that only a referee has seen, beyond what was
    /// `measured`.
    pub fn learn_unseen(&mut self, measured: Duration, unseen: Duration) {
        self.worst = self.worst.max(measured + unseen).min(MAX);
        self.peak = self.peak.max(self.worst);
        self.unseen = Some(with_news(self.unseen.unwrap_or(unseen), unseen));
    }
}

fn faded(peak: Duration) -> Duration {
    peak * (PEAK_FADES - 1) / PEAK_FADES
}

fn with_news(mean: Duration, latest: Duration) -> Duration {
    (mean * (NEWS - 1) + latest.min(MAX)) / NEWS
}
