//! Measures rates, robustly against other load on the machine.

use std::time::{Duration, Instant};

/// The duration of a round, long enough to neglect the clock's own cost.
const ROUND: Duration = Duration::from_millis(10);

/// A clock to measure work with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clock {
    /// The processor time of this thread, which does all the work: time taken by other programs does not count.
    Thread,
    /// The time that passes: for work on several threads or on a device.
    Wall,
}

impl Clock {
    /// Returns the clock for work on `threads` threads, including this one.
    pub fn of(threads: usize) -> Self {
        if threads == 1 { Self::Thread } else { Self::Wall }
    }

    /// Returns the time that `work` takes.
    fn time(self, work: impl FnOnce()) -> Duration {
        let (start, spent) = (Instant::now(), self.spent());
        work();
        match (spent, self.spent()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            _ => start.elapsed(),
        }
    }

    /// Returns the processor time of this thread, if this clock uses it and the system provides it.
    fn spent(self) -> Option<Duration> {
        #[cfg(unix)]
        if self == Self::Thread {
            use rustix::time::{ClockId, clock_gettime};
            return Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).ok();
        }
        None
    }
}

/// Returns how often `work` runs per second: the median over at least three rounds, as many as take `total`.
pub(super) fn per_second(clock: Clock, total: Duration, mut work: impl FnMut()) -> f64 {
    let mut repeat = |times: u32| clock.time(|| (0..times).for_each(|_| work())).max(Duration::from_nanos(1));
    // The first call warms up buffers and caches.
    let once = repeat(1).min(repeat(1));
    let times = u32::try_from(ROUND.div_duration_f64(once).ceil() as u64).unwrap_or(u32::MAX).max(1);
    let start = Instant::now();
    let mut rates = Vec::new();
    while rates.len() < 3 || start.elapsed() < total {
        rates.push(f64::from(times) / repeat(times).as_secs_f64());
    }
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}
