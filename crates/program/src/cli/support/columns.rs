//! Tables on a terminal.

/// Joins cells into columns two spaces apart, those that `is_left` names left-aligned, the others right-aligned.
pub fn columns<R: AsRef<[String]>>(rows: &[R], is_left: impl Fn(usize) -> bool) -> String {
    let columns = rows.first().map_or(0, |row| row.as_ref().len());
    let width = |column: usize| rows.iter().map(|row| row.as_ref()[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells =
            row.as_ref().iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match is_left(column) {
                true => format!("{cell:<width$}"),
                false => format!("{cell:>width$}"),
            });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_each_other() {
        let rows = [["7×7", "a", "10"], ["11×11", "bb", "9"]].map(|row| row.map(str::to_owned));
        assert_eq!(columns(&rows, |column| column < 2), "7×7    a   10\n11×11  bb   9\n");
    }
}
