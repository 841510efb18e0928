//! Clipping of gradients that are much longer than usual.

/// The number of steps whose norms make the usual one.
const STEPS: u64 = 100;

/// Scales outliers among gradients down. Their limit follows the norms so far, as these differ by a factor of ten
/// between games, sizes and learning rates: a constant would clip every step of one run and none of another.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Clip {
    /// The running mean of the norms, after clipping; 0 before the first. An `f32`, as in the saved state.
    pub usual: f32,
    /// True if the last gradient was clipped.
    pub clipped: bool,
}

impl Clip {
    /// Counts a gradient's norm, the `number`th from 1; returns the factor by which to scale it. It is 1 up to `limit`
    /// times the usual norm, and for the first one.
    pub fn factor(&mut self, norm: f64, limit: f64, number: u64) -> f64 {
        let usual = f64::from(self.usual);
        let limit = if usual > 0.0 { limit * usual } else { norm };
        let share = if usual > 0.0 { 1.0 / number.clamp(1, STEPS) as f64 } else { 1.0 };
        self.clipped = norm > limit;
        self.usual = (usual + share * (norm.min(limit) - usual)) as f32;
        if self.clipped { limit / norm } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the factors for these norms, with a limit of 3.
    fn factors(norms: impl IntoIterator<Item = f64>) -> Vec<f64> {
        let mut clip = Clip::default();
        norms.into_iter().zip(1..).map(|(norm, number)| clip.factor(norm, 3.0, number)).collect()
    }

    #[test]
    fn outlier_is_scaled_down_to_the_limit() {
        // The means of 10 and 20, and then of these and 3 · 15 = 45, are 15 and 25.
        let found = factors([10.0, 20.0, 100.0, 74.0, 38.0]);
        let expected = [1.0, 1.0, 0.45, 1.0, 1.0];
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
    }

    #[test]
    fn only_ratios_of_norms_count() {
        let norms = (0..500).map(|step| if step % 50 == 49 { 12.0 } else { 1.0 + 0.5 * f64::from(step).sin() });
        let found = factors(norms.clone());
        assert_eq!(found.iter().filter(|factor| **factor < 1.0).count(), 10);
        let scaled = factors(norms.map(|norm| 1000.0 * norm));
        assert!(found.iter().zip(scaled).all(|(a, b)| (a - b).abs() < 1e-5));
    }

    #[test]
    fn lasting_rise_becomes_usual() {
        // The mean grows by 2 % a step, until 1.02^61 = 3.35 > 10 / 3.
        let found = factors((0..400).map(|step| if step < 200 { 1.0 } else { 10.0 }));
        let clipped: Vec<usize> = (0..400).filter(|&step| found[step] < 1.0).collect();
        assert_eq!(clipped, (200..261).collect::<Vec<_>>());
    }

    #[test]
    fn zero_gradients_set_no_limit() {
        assert_eq!(factors([0.0, 0.0, 5.0, 6.0]), [1.0; 4]);
    }
}
