//! The scale of a chart's axis: its range, and round numbers along it.

/// The approximate number of steps of an axis.
const STEPS: f64 = 5.0;

/// A range of values with round or given ends.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    pub low: f64,
    pub high: f64,
    step: f64,
}

impl Axis {
    /// Creates an axis that holds these values, rounded outwards. Ignores values that are not finite.
    pub fn around(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = match (low <= high, high - low > 1e-12 * high.abs().max(1e-12)) {
            (false, _) => (0.0, 1.0),
            (true, true) => (low, high),
            (true, false) if high == 0.0 => (0.0, 1.0),
            // All values equal: some room on both sides.
            (true, false) => (low - 0.1 * low.abs().max(1e-9), high + 0.1 * high.abs().max(1e-9)),
        };
        let step = round_step((high - low) / STEPS);
        Self { low: (low / step).floor() * step, high: (high / step).ceil() * step, step }
    }

    /// Creates an axis with exactly these ends.
    pub fn between(low: f64, high: f64) -> Self {
        Self { low, high, step: round_step((high - low) / STEPS) }
    }

    /// Ends the axis where the values end instead of at a round number.
    pub fn cut_to(self, values: impl Iterator<Item = f64>) -> Self {
        let most = values.filter(|value| value.is_finite()).fold(f64::NEG_INFINITY, f64::max);
        let high = if most > self.low { most } else { self.high };
        Self { high, ..self }
    }

    /// Returns the place of a value, from 0 to 1.
    pub fn place(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// Returns the round numbers along the axis, with their texts.
    pub fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        let first = (self.low / self.step - 1e-6).ceil();
        let count = (self.high / self.step + 1e-6).floor() - first;
        (0..=count.max(0.0) as u32).map(move |index| {
            let tick = (first + f64::from(index)) * self.step;
            (tick, number(tick, self.step))
        })
    }
}

/// Rounds up to 1, 2 or 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= step * 0.999).unwrap_or(10.0);
    factor * power
}

/// Formats a number as short as the step allows.
fn number(value: f64, step: f64) -> String {
    let (value, step, unit) = match step {
        step if step >= 1e6 => (value / 1e6, step / 1e6, "M"),
        step if step >= 1e3 => (value / 1e3, step / 1e3, "k"),
        step => (value, step, ""),
    };
    let decimals = (-(step.log10() + 1e-9).floor()).clamp(0.0, 9.0) as usize;
    // Adding 0 removes the sign of -0.
    format!("{:.decimals$}{unit}", value + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: &Axis) -> Vec<String> {
        axis.ticks().map(|(_, text)| text).collect()
    }

    #[test]
    fn round_numbers_around_the_values() {
        let axis = Axis::around([0.31, 0.94].into_iter());
        assert_eq!(texts(&axis), ["0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts(&Axis::around([-120.0, 430.0].into_iter())), ["-200", "0", "200", "400", "600"]);
        assert_eq!(texts(&Axis::around([0.0, 18_000.0].into_iter())), ["0k", "5k", "10k", "15k", "20k"]);
        assert_eq!(texts(&Axis::around([0.0005, 0.002].into_iter())), ["0.0005", "0.0010", "0.0015", "0.0020"]);
        assert_eq!(texts(&Axis::between(0.0, 1.0)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        let cut = Axis::around([0.0, 17.0].into_iter()).cut_to([17.0].into_iter());
        assert_eq!((cut.high, texts(&cut)), (17.0, vec!["0".into(), "5".into(), "10".into(), "15".into()]));
    }

    #[test]
    fn few_values_or_none_have_an_axis_too() {
        for values in [&[][..], &[f64::NAN], &[0.0], &[3.0, 3.0], &[-1e-300], &[1e300, f64::INFINITY]] {
            let axis = Axis::around(values.iter().copied());
            assert!(axis.low < axis.high, "{values:?}: {axis:?}");
            assert!((2..20).contains(&axis.ticks().count()), "{values:?}: {axis:?}");
            for value in values.iter().filter(|value| value.is_finite()) {
                assert!((0.0..=1.0).contains(&axis.place(*value)), "{value}: {axis:?}");
            }
        }
    }
}
