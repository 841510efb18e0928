//! Boards as text.

use super::coordinates::column_letter;

/// A rhombus of `side` × `side` cells as text, row 1 on top and each row half a cell further to the
/// right. `glyph` gives the character of each cell; `marked`, if any, stands between brackets.
///
/// ```text
///     a b c
///  1  . R .  1
///   2  .[B].  2
///    3  . . .  3
///        a b c
/// ```
pub fn draw_rhombus(side: usize, glyph: impl Fn(usize) -> char, marked: Option<usize>) -> String {
    let letters: Vec<String> = (0..side).map(|column| column_letter(column).to_string()).collect();
    let letters = letters.join(" ");
    let mut text = format!("    {letters}\n");
    for row in 0..side {
        text.push_str(&" ".repeat(row));
        text.push_str(&format!("{:>2} ", row + 1));
        for column in 0..=side {
            let cell = row * side + column;
            let before = column > 0 && marked == Some(cell - 1);
            let here = column < side && marked == Some(cell);
            text.push(match (before, here) {
                (true, _) => ']',
                (_, true) => '[',
                _ => ' ',
            });
            if column < side {
                text.push(glyph(cell));
            }
        }
        text.push_str(&format!(" {}\n", row + 1));
    }
    text.push_str(&" ".repeat(side + 4));
    text.push_str(&letters);
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_board() {
        let glyphs = ['.', 'R', '.', '.', 'B', '.', '.', '.', '.'];
        let expected = "    a b c\n 1  . R .  1\n  2  .[B].  2\n   3  . . .  3\n       a b c\n";
        assert_eq!(draw_rhombus(3, |cell| glyphs[cell], Some(4)), expected);
    }
}
