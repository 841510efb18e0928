//! Rhombi as text.

use super::{Board, Shape};

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
///
/// # Panics
/// If `side` is 0 or greater than 26.
pub fn draw_rhombus(side: usize, glyph: impl Fn(usize) -> char, marked: Option<usize>) -> String {
    Board::of(&Shape::Rhombus { side }).text().draw(glyph, marked)
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

    /// Draws without a layout.
    fn plainly(side: usize, glyph: impl Fn(usize) -> char, marked: Option<usize>) -> String {
        let letters: Vec<String> = (0..side).map(|column| crate::board::column_letter(column).to_string()).collect();
        let letters = letters.join(" ");
        let mut text = format!("    {letters}\n");
        for row in 0..side {
            text.push_str(&" ".repeat(row));
            text.push_str(&format!("{:>2} ", row + 1));
            for column in 0..=side {
                let cell = row * side + column;
                let before = column > 0 && marked == Some(cell - 1);
                let here = column < side && marked == Some(cell);
                text.push(if before {
                    ']'
                } else if here {
                    '['
                } else {
                    ' '
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

    #[test]
    fn the_layout_draws_as_a_plain_loop_does() {
        let glyph = |cell: usize| ['.', 'R', 'B'][cell * cell % 7 % 3];
        for side in 1..=26 {
            let last = side * side - 1;
            for marked in [None, Some(0), Some(side - 1), Some(last / 2), Some(last)] {
                assert_eq!(draw_rhombus(side, glyph, marked), plainly(side, glyph, marked), "side {side}, {marked:?}");
            }
        }
    }
}
