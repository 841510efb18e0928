//! Student's distribution, for intervals from few values.

/// The two-sided 95 % quantiles for 1 to 30 degrees of freedom.
const QUANTILES: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// Returns the two-sided 95 % quantile, with the degrees of freedom rounded down; none below 1.
pub fn student_quantile(freedom: f64) -> Option<f64> {
    let whole = freedom.floor();
    match whole as usize {
        0 => None,
        // The next term of the expansion for many (Fisher 1925): z + (z³ + z) / 4n.
        30.. => Some(1.960 + 2.372 / whole),
        few => Some(QUANTILES[few - 1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_the_tables() {
        assert_eq!([0.9, 1.0, 2.99, 4.0].map(student_quantile), [None, Some(12.706), Some(4.303), Some(2.776)]);
        // From tables: 2.042, 2.021 and 1.980 for 30, 40 and 120.
        for (freedom, expected) in [(30.0, 2.042), (40.0, 2.021), (120.0, 1.980)] {
            assert!(
                (student_quantile(freedom).unwrap() - expected).abs() < 0.004,
                "{freedom}: {:?}",
                student_quantile(freedom)
            );
        }
    }
}
