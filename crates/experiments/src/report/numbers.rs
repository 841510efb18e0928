//! Numbers in the texts of pages and charts.

/// Separates thousands: a narrow space that does not break.
const THOUSANDS: char = '\u{202f}';

/// Formats a whole number with separated thousands.
pub fn whole(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(THOUSANDS);
        }
        text.push(digit);
    }
    text
}

/// Formats a share of 1 in percent, with `digits` digits after the point.
pub fn percent(share: f64, digits: usize) -> String {
    format!("{:.digits$}%", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_write_them() {
        let texts = [0, 999, 1000, 1_234_567].map(|number| whole(number).replace(THOUSANDS, " "));
        assert_eq!(texts, ["0", "999", "1 000", "1 234 567"]);
        assert_eq!([percent(0.5, 1), percent(0.256, 0)], ["50.0%", "26%"]);
    }
}
