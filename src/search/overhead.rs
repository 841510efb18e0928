//! Overhead of a move: by how much it takes longer than allowed.

use std::time::Duration;

/// Expected before anything is measured.
const AT_FIRST: Duration = Duration::from_millis(20);
/// The least overhead assumed of any machine.
const LEAST: Duration = Duration::from_millis(5);
/// Longer delays are not overhead: the program was stopped, or the clock set.
const MOST: Duration = Duration::from_secs(2);

/// The share of the latest move in the means.
const NEWS: u32 = 8;

/// A peak loses this share with each move, so that it is remembered for a whole game.
const PEAK_FADES: u32 = 128;

/// The least share of a period or of the main time that is reserved for one late move, and the longest such time.
const FLOOR_SHARE: u32 = 10;
const MAX_FLOOR: Duration = Duration::from_millis(200);
/// The largest share reserved: a machine slower than that needs another time control.
const MAX_SHARE: u32 = 3;

/// How often a move waits for a core where it is not measured: the reader of the command, and that of the answer.
const UNSEEN_WAITS: u32 = 2;

/// The recent overhead of moves: threads that end late, other programs, the way of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overhead {
    worst: Duration,
    /// The worst of the whole game, or the longest evaluation.
    peak: Duration,
    /// The longest time of the whole game that a command waited for a core.
    longest_wait: Duration,
    /// The mean of the overhead measured here.
    mean: Duration,
    /// The mean time that a command waits for a core before its search begins.
    wait: Duration,
    /// The mean of the overhead that only a referee sees; none before a referee reports.
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

    /// Returns the time to reserve for one late move in a period or a game of this length: for the worst of the whole game, with
    /// waits where they are not measured; at least a tenth (at most 200 ms), at most a third.
    pub fn reserve(&self, time: Duration) -> Duration {
        let waits = if self.unseen.is_none() { self.longest_wait * UNSEEN_WAITS } else { Duration::ZERO };
        let seen = self.peak * 5 / 4 + waits;
        seen.max((time / FLOOR_SHARE).min(MAX_FLOOR)).min(time / MAX_SHARE)
    }

    /// Returns the usual overhead of a move: a quarter more than the mean.
    pub fn usual(&self) -> Duration {
        (self.mean + self.unseen.unwrap_or(self.assumed())) * 5 / 4
    }

    /// Returns the assumed cost of transmitting a command and its answer: as measured here, or nothing once a referee reports
    /// the true cost.
    pub fn assumed(&self) -> Duration {
        if self.unseen.is_none() { self.mean.max(self.wait * UNSEEN_WAITS) } else { Duration::ZERO }
    }

    /// Begins a move: what was worst earlier in the game fades.
    pub fn fade(&mut self) {
        (self.peak, self.longest_wait) = (faded(self.peak), faded(self.longest_wait));
    }

    /// Records how long a command waited for a core before its search began.
    pub fn learn_wait(&mut self, wait: Duration) {
        self.wait = with_news(self.wait, wait);
        self.longest_wait = self.longest_wait.max(wait.min(MOST));
    }

    /// Records the longest evaluation of a move, by which a search may end late.
    pub fn learn_pause(&mut self, pause: Duration) {
        self.peak = self.peak.max(pause.min(MOST));
    }

    /// Records a move's overhead as it is measured here.
    pub fn learn(&mut self, overhead: Duration) {
        self.worst = overhead.max(self.worst * 19 / 20).clamp(LEAST, MOST);
        self.peak = self.peak.max(overhead.min(MOST));
        self.mean = with_news(self.mean, overhead);
    }

    /// Records by how much more than `measured` a referee has seen.
    pub fn learn_unseen(&mut self, measured: Duration, unseen: Duration) {
        self.worst = self.worst.max(measured + unseen).min(MOST);
        self.peak = self.peak.max(self.worst);
        self.unseen = Some(with_news(self.unseen.unwrap_or(unseen), unseen));
    }
}

fn faded(peak: Duration) -> Duration {
    peak * (PEAK_FADES - 1) / PEAK_FADES
}

fn with_news(mean: Duration, latest: Duration) -> Duration {
    (mean * (NEWS - 1) + latest.min(MOST)) / NEWS
}
