//! Points in SGF: cells, and rectangles of cells given by two corners, as in `AB[a1:c3]`.

/// A cell: its column from 0, its row from 1, and whether the row was written as a letter.
type Point = (u8, u8, bool);

fn point(text: &str) -> Option<Point> {
    let (column, row) = text.split_at_checked(1)?;
    let letter = |text: &str| match text.as_bytes() {
        &[letter] if letter.is_ascii_alphabetic() => Some(letter.to_ascii_lowercase() - b'a'),
        _ => None,
    };
    let column = letter(column)?;
    match letter(row) {
        Some(row) => Some((column, row + 1, true)),
        // No board has more rows than two digits can express.
        None if row.len() <= 2 => Some((column, row.parse().ok()?, false)),
        None => None,
    }
}

/// Returns the cell's name in the notation of Hex, such as `k3`, if the text is two letters, such as `kc`.
pub(super) fn of_letters(text: &str) -> Option<String> {
    point(text).filter(|&(.., is_letter)| is_letter).map(name_of)
}

fn name_of((column, row, _): Point) -> String {
    format!("{}{row}", char::from(b'a' + column))
}

/// Returns the cells of a rectangle, or the text itself if it is not one.
pub(super) fn points(text: &str) -> Vec<String> {
    let corners = text.split_once(':').and_then(|(one, other)| Some((point(one)?, point(other)?)));
    let Some((one, other)) = corners.filter(|(one, other)| one.2 == other.2) else { return vec![text.to_owned()] };
    let rows = one.1.min(other.1)..=one.1.max(other.1);
    let columns = one.0.min(other.0)..=one.0.max(other.0);
    rows.flat_map(|row| columns.clone().map(move |column| name_of((column, row, false)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_are_lists_of_cells() {
        assert_eq!(points("a1:c1"), ["a1", "b1", "c1"]);
        assert_eq!(points("b10:a9"), ["a9", "b9", "a10", "b10"]);
        assert_eq!(points("aa:ba"), ["a1", "b1"]);
        for text in ["a1", "a1:", ":", "a1:bb", "ü1:c1", "a1:c100", "swap", ""] {
            assert_eq!(points(text), [text], "{text}");
        }
        assert_eq!((of_letters("kc").as_deref(), of_letters("k3"), of_letters("swap")), (Some("k3"), None, None));
    }
}
