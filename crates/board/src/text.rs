//! Boards as text: where each place's glyph and the labels stand.

/// The scale of a text picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TextScale {
    /// Characters in a place's glyph, at least 1.
    pub width: usize,
    /// Lines from one row to the next, at least 1.
    pub lines: usize,
}

impl Default for TextScale {
    /// Returns the scale of one character a place and one line a row.
    fn default() -> Self {
        Self { width: 1, lines: 1 }
    }
}

/// The alignment of a label in a text picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Right-aligned, ending two characters before the glyph that would stand here.
    Before,
    /// Left-aligned, beginning two characters after the glyph that would stand here.
    After,
    /// Centred on the glyph that would stand here.
    Middle,
    /// Like `Middle`, but one character to the right: for the end of a line of glyphs.
    Apart,
}

/// A label of a text picture.
#[derive(Debug, Clone)]
pub struct TextLabel {
    /// The text of the label.
    pub text: String,
    /// The row that the label stands in, above or below.
    pub row: i32,
    /// The number of lines below that row: -1, 0 or 1.
    pub below: i32,
    /// The column, in half distances between glyphs.
    pub x: i32,
    /// The alignment of the label in its column.
    pub anchor: Anchor,
}

/// The contents of a text picture, at any scale.
#[derive(Debug, Clone)]
pub enum TextPlan {
    /// Places and labels.
    Places {
        /// For each place, its row and its position in the row, in half distances between glyphs.
        /// Glyphs in a row stand at least two halves apart.
        spots: Vec<(i32, i32)>,
        /// The labels.
        labels: Vec<TextLabel>,
    },
    /// Boards side by side, each below its title.
    Beside(Vec<(String, TextPlan)>),
}

impl TextPlan {
    /// Lays the picture out.
    ///
    /// # Panics
    /// If the scale's width or lines are 0.
    pub fn layout(&self, scale: TextScale) -> TextLayout {
        assert!(scale.width > 0 && scale.lines > 0, "a glyph takes room");
        match self {
            Self::Places { spots, labels } => lay_out(spots, labels, scale),
            Self::Beside(boards) => beside(boards, scale),
        }
    }
}

/// A text picture without glyphs.
#[derive(Debug, Clone)]
pub struct TextLayout {
    /// The lines with the labels, and spaces in place of the glyphs.
    pub lines: Vec<String>,
    /// For each place, the line and column of the first character of its glyph. The characters
    /// before and after a glyph are free for marks.
    pub spots: Vec<(usize, usize)>,
    /// Characters in a glyph.
    pub width: usize,
}

impl TextLayout {
    /// Draws the board with one character for each place; the place `marked`, if any, stands
    /// between brackets. Each line ends with a line feed.
    pub fn draw(&self, glyph: impl Fn(usize) -> char, marked: Option<usize>) -> String {
        self.draw_wide(|place| glyph(place).to_string(), marked)
    }

    /// Draws the board with a text for each place, cut to the width of the layout's glyphs.
    pub fn draw_wide(&self, glyph: impl Fn(usize) -> String, marked: Option<usize>) -> String {
        let mut lines: Vec<Vec<char>> = self.lines.iter().map(|line| line.chars().collect()).collect();
        let mut put = |(line, column): (usize, usize), c: char| {
            let line = &mut lines[line];
            if line.len() <= column {
                line.resize(column + 1, ' ');
            }
            line[column] = c;
        };
        for (place, &(line, column)) in self.spots.iter().enumerate() {
            for (i, c) in glyph(place).chars().take(self.width).enumerate() {
                put((line, column + i), c);
            }
            if marked == Some(place) {
                put((line, column - 1), '[');
                put((line, column + self.width), ']');
            }
        }
        lines.iter().flat_map(|line| line.iter().chain(&['\n'])).collect()
    }

    /// Finds the place whose glyph stands at a line and column or next to it.
    pub fn place_at(&self, line: usize, column: usize) -> Option<usize> {
        // Twice the distance to the middle of the glyph.
        let far = |at: usize| (2 * column).abs_diff(2 * at + self.width - 1);
        let spots = self.spots.iter().enumerate().filter(|(_, spot)| spot.0 == line);
        let nearest = spots.min_by_key(|(_, spot)| far(spot.1));
        nearest.filter(|(_, spot)| far(spot.1) <= self.width + 1).map(|(place, _)| place)
    }
}

fn lay_out(spots: &[(i32, i32)], labels: &[TextLabel], scale: TextScale) -> TextLayout {
    let (width, lines) = (scale.width as i32, scale.lines as i32);
    // Room for the glyph and one mark, on either side so that the picture stays symmetric.
    let half = width / 2 + 1;
    let glyph = |&(row, x): &(i32, i32)| (row * lines, x * half);
    let label = |label: &TextLabel| {
        let (line, column) = glyph(&(label.row, label.x));
        let length = label.text.chars().count() as i32;
        let shift = match label.anchor {
            Anchor::Before => -2 - length,
            Anchor::After => width + 2,
            Anchor::Middle => (width - length) / 2,
            Anchor::Apart => (width - length) / 2 + 1,
        };
        (line + label.below, column + shift)
    };
    let (glyphs, starts) = (spots.iter().map(glyph), labels.iter().map(label));
    // A mark may stand before the first glyph.
    let all = || glyphs.clone().map(|(line, column)| (line, column - 1)).chain(starts.clone());
    let top = all().map(|(line, _)| line).min().unwrap_or(0);
    let left = all().map(|(_, column)| column).min().unwrap_or(0);
    let last = all().map(|(line, _)| line - top).max().unwrap_or(0);
    let at = |(line, column): (i32, i32)| ((line - top) as usize, (column - left) as usize);
    let mut texts = vec![String::new(); last as usize + 1];
    let mut written: Vec<_> = starts.clone().map(at).zip(labels).collect();
    written.sort_by_key(|(at, _)| *at);
    for ((line, column), label) in written {
        let missing = column.saturating_sub(texts[line].chars().count());
        texts[line].push_str(&" ".repeat(missing));
        texts[line].push_str(&label.text);
    }
    TextLayout { lines: texts, spots: glyphs.map(at).collect(), width: scale.width }
}

/// Columns between boards that stand side by side.
const GAP: usize = 4;

fn beside(boards: &[(String, TextPlan)], scale: TextScale) -> TextLayout {
    let parts: Vec<TextLayout> = boards.iter().map(|(_, plan)| plan.layout(scale)).collect();
    let height = parts.iter().map(|part| part.lines.len()).max().unwrap_or(0);
    let mut all = TextLayout { lines: vec![String::new(); height + 1], spots: Vec::new(), width: scale.width };
    let mut left = 0;
    for (part, (title, _)) in parts.iter().zip(boards) {
        // Marks may stand after the last glyph.
        let ends = part.spots.iter().map(|spot| spot.1 + scale.width + 1);
        let width = part.lines.iter().map(|line| line.chars().count()).chain(ends).max().unwrap_or(0);
        let title = format!("{title:^width$}");
        for (line, text) in
            all.lines.iter_mut().zip([title.trim_end()].into_iter().chain(part.lines.iter().map(String::as_str)))
        {
            if !text.is_empty() {
                let missing = left - line.chars().count();
                line.push_str(&" ".repeat(missing));
                line.push_str(text);
            }
        }
        all.spots.extend(part.spots.iter().map(|&(line, column)| (line + 1, column + left)));
        left += width + GAP;
    }
    all
}
