//! Measures rates, robustly against other load on the machine.

use std::time::{Duration, Instant};

/// The duration of a round, long enough to neglect the clock's own cost.
const ROUND: Duration = Duration::from_millis(10);

/// Returns how often `work` runs per second: the median over rounds that take `total` together.
pub(super) fn per_second(total: Duration, work: impl FnMut()) -> f64 {
    let rates = rates(total, work);
    rates[rates.len() / 2]
}

/// Returns how often `work` runs per second in the fastest round.
pub(super) fn most_per_second(total: Duration, work: impl FnMut()) -> f64 {
    let rates = rates(total, work);
    rates[rates.len() - 1]
}

/// Returns the rates of at least three rounds, as many as take `total`, in rising order.
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
