//! Whether the kernel and the precision that the program chooses are the fastest ones here.

use serde::Serialize;

/// A default may be slower than the best by this share, as timings vary by as much.
const TOLERANCE: f64 = 0.05;

/// A kernel with a precision, by their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct KernelAndPrecision {
    /// The kernel.
    pub kernel: &'static str,
    /// The precision of its products.
    pub precision: &'static str,
}

/// The rate of a network on one thread.
pub(super) struct Measured<'a> {
    pub network: &'a str,
    pub way: KernelAndPrecision,
    pub per_second: f64,
}

/// The default kernel and precision of a part of the program, compared with the fastest where they are furthest behind.
#[derive(Debug, Clone, Serialize)]
pub struct DefaultChoice {
    /// The part of the program that was measured.
    pub part: &'static str,
    /// The default.
    pub default: KernelAndPrecision,
    /// The network with which the default is furthest behind.
    pub network: String,
    /// The fastest with that network.
    pub best: KernelAndPrecision,
    /// The rate of the default as a share of the best.
    pub share_of_best: f64,
}

impl DefaultChoice {
    /// Compares the default with all that was measured; none if the default was not measured.
    pub(super) fn new(part: &'static str, default: KernelAndPrecision, measured: &[Measured<'_>]) -> Option<Self> {
        let compared = measured.iter().filter(|own| own.way == default).filter_map(|own| {
            let rivals = measured.iter().filter(|rival| rival.network == own.network);
            let best = rivals.max_by(|a, b| a.per_second.total_cmp(&b.per_second))?;
            let share_of_best = own.per_second / best.per_second;
            Some(Self { part, default, network: own.network.to_owned(), best: best.way, share_of_best })
        });
        compared.min_by(|a, b| a.share_of_best.total_cmp(&b.share_of_best))
    }

    /// Returns whether nothing else is faster by more than timings vary.
    pub fn is_good(&self) -> bool {
        self.share_of_best >= 1.0 - TOLERANCE
    }

    /// Says in a sentence whether the default is good.
    pub fn in_words(&self) -> String {
        let Self { part, default, network, best, share_of_best } = self;
        let used = format!("Default of {part}: {} {}", default.kernel, default.precision);
        if self.is_good() {
            return format!("{used}, within {:.0}% of the fastest", 100.0 * TOLERANCE);
        }
        let times = 1.0 / share_of_best;
        format!("{used}, but {} {} is {times:.2} times as fast with {network}", best.kernel, best.precision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slowest_network_decides() {
        let [wide, narrow] = ["avx512", "avx2"].map(|kernel| KernelAndPrecision { kernel, precision: "f32" });
        let measured = |rates: [f64; 4]| {
            let [a, b, c, d] = rates;
            let all = [("small", wide, a), ("small", narrow, b), ("large", wide, c), ("large", narrow, d)];
            all.map(|(network, way, per_second)| Measured { network, way, per_second })
        };
        let good = DefaultChoice::new("training", wide, &measured([96.0, 100.0, 50.0, 20.0])).unwrap();
        assert!(good.is_good() && (good.share_of_best - 0.96).abs() < 1e-9);
        assert_eq!(good.in_words(), "Default of training: avx512 f32, within 5% of the fastest");
        let bad = DefaultChoice::new("training", wide, &measured([96.0, 100.0, 40.0, 50.0])).unwrap();
        assert!(!bad.is_good() && bad.best == narrow);
        let words = "Default of training: avx512 f32, but avx2 f32 is 1.25 times as fast with large";
        assert_eq!(bad.in_words(), words);
        assert!(
            DefaultChoice::new("training", KernelAndPrecision { precision: "bf16", ..wide }, &measured([1.0; 4]))
                .is_none()
        );
    }
}
