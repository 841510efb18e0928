//! Fast powers of many small numbers.

use std::f32::consts::{LN_2, LOG2_E};

/// Adding and subtracting this rounds a small number to an integer.
const ROUND: f32 = 12_582_912.0;

/// Raises values in [0, 1] to a power: a fast `powf` with a relative error below 1e-5. The standard
/// library's `powf` takes as long for the priors of one position as the rest of a visit does; this
/// is arithmetic that the compiler vectorises.
pub(super) fn raise(numbers: &mut [f32], exponent: f32) {
    for number in numbers {
        *number = exp2(exponent * log2(number.max(f32::MIN_POSITIVE)));
    }
}

/// Returns the base-2 logarithm: the binary exponent, plus for the mantissa `m` the series of
/// `ln m = 2 artanh((m - 1) / (m + 1))`.
#[inline]
fn log2(number: f32) -> f32 {
    let bits = number.to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let square = t * t;
    let series = 1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square / 9.0)));
    exponent as f32 + 2.0 * LOG2_E * t * series
}

/// Returns the power of two: the nearest integer power, times the series of the exponential for the
/// rest.
#[inline]
fn exp2(number: f32) -> f32 {
    let number = number.max(-126.0);
    let rounded = number + ROUND;
    let x = (number - (rounded - ROUND)) * LN_2;
    let series = 1.0 + x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0 * (1.0 + x / 5.0))));
    // The integer is in the last bits of the mantissa.
    let whole = rounded.to_bits().wrapping_sub(ROUND.to_bits());
    f32::from_bits(whole.wrapping_add(127) << 23) * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_those_of_the_standard_library() {
        for exponent in [0.1f32, 0.5, 0.714, 1.0, 2.0] {
            for step in 0..=1000 {
                let number = (step as f32 / 1000.0).powi(4).max(1e-12);
                let mut raised = [number];
                raise(&mut raised, exponent);
                let expected = number.powf(exponent);
                assert!((raised[0] / expected - 1.0).abs() < 1e-5, "{number}^{exponent}: {} {expected}", raised[0]);
            }
        }
        let mut nothing = [0.0];
        raise(&mut nothing, 0.7);
        assert!(nothing[0] < 1e-20);
    }
}
