//! Rates that a busy machine disturbs little.

use std::time::{Duration, Instant};

/// How long a round should last, so that the clock's own cost does not count.
const ROUND: Duration = Duration::from_millis(10);

/// How often `work` is done a second: the median over rounds.
pub(super) fn per_second(total: Duration, work: impl FnMut()) -> f64 {
    let rates = rates(total, work);
    rates[rates.len() / 2]
}

/// How often `work` can be done a second: in the fastest round.
pub(super) fn most_per_second(total: Duration, work: impl FnMut()) -> f64 {
    let rates = rates(total, work);
    rates[rates.len() - 1]
}

/// The rates of rounds in rising order; there are at least three and as many as take `total`.
fn rates(total: Duration, mut work: impl FnMut()) -> Vec<f64> {
    let mut repeat = |times: u32| {
        let start = Instant::now();
        (0..times).for_each(|_| work());
        start.elapsed()
    };
    // The first call warms up buffers and caches.
    let once = repeat(1).min(repeat(1)).max(Duration::from_nanos(1));
    let times = u32::try_from(ROUND.div_duration_f64(once).ceil() as u64).unwrap_or(u32::MAX).max(1);
    let start = Instant::now();
    let mut rates = Vec::new();
    while rates.len() < 3 || start.elapsed() < total {
        rates.push(f64::from(times) / repeat(times).as_secs_f64());
    }
    rates.sort_by(f64::total_cmp);
    rates
}
