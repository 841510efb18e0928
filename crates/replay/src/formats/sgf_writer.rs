//! Writes games in SGF; points in SGF: cells, and rectangles of cells given by two corners, as in `AB[a1:c3]`.

use crate::recorded::{Labels, MoveNode, MoveTree, game_of_sgf};
use hexzero_games::{Arrangement, Game, Seat};

/// A game to write: its moves by their SGF names, each with its player.
pub(crate) struct SgfText<'a> {
    pub game: Game,
    pub size: usize,
    /// The starting position, if it is not the empty board.
    pub setup: Option<&'a Arrangement>,
    pub tree: &'a MoveTree,
    /// The position in which the game ended.
    pub end: usize,
    /// The side to move there, if it is not the one whose turn it would be.
    pub next: Option<Seat>,
    /// The winner, if any, and `R` or `T` for a resignation or loss on time, if the game is over.
    pub result: Option<(Option<Seat>, &'static str)>,
    pub labels: &'a Labels,
}

fn letter(seat: Seat) -> char {
    ['B', 'W'][seat.index()]
}

/// Formats a property, or returns an empty text without a value.
fn property(name: &str, value: &str) -> String {
    if value.is_empty() {
        return String::new();
    }
    format!("{name}[{}]", value.replace('\\', "\\\\").replace(']', "\\]"))
}

/// Formats a property with any number of values.
fn list(name: &str, values: impl Iterator<Item = String>) -> String {
    let values: String = values.map(|value| property("", &value)).collect();
    if values.is_empty() { values } else { format!("{name}{values}") }
}

/// Formats the comment, the texts on the board and the search result of a position.
fn notes(node: &MoveNode) -> String {
    let marks = list("LB", node.marks.iter().map(|(place, text)| format!("{place}:{text}")));
    let mut notes = property("C", &node.comment) + &marks;
    if let Some(found) = &node.finding {
        // The win rate as Sabaki and others show it.
        notes += &format!("SBKV[{}]{}", found.win_rate(), property("HZA", found.as_str()));
    }
    notes
}

impl SgfText<'_> {
    /// Formats the game, without a line end.
    pub fn write(&self) -> String {
        let mut text = String::from("(;FF[4]");
        text += &self.game.sgf.map(|number| format!("GM[{number}]")).unwrap_or_default();
        // The number tells the game, but not the variant.
        if game_of_sgf(self.game.sgf).ok() != Some(self.game) {
            text += &property("HZ", self.game.name());
        }
        text += &format!("AP[hexzero:{}]SZ[{}]", env!("CARGO_PKG_VERSION"), self.size);
        let [black, white] = &self.labels.players;
        for (name, value) in [("GN", &self.labels.name), ("PB", black), ("PW", white), ("DT", &self.labels.date)] {
            text += &property(name, value);
        }
        if let Some((winner, how)) = self.result {
            text += &winner.map_or("RE[0]".to_owned(), |winner| format!("RE[{}+{how}]", letter(winner)));
        }
        if let Some(setup) = self.setup {
            text += &handicap(setup).map(|stones| format!("HA[{stones}]")).unwrap_or_default();
            text += &list("AB", setup.first.iter().cloned());
            text += &list("AW", setup.second.iter().cloned());
            text += &format!("PL[{}]", letter(setup.to_move));
        }
        let start = self.tree.node(MoveTree::START);
        text += &notes(start);
        if self.end == MoveTree::START && !start.next.is_empty() {
            text += "HE[]";
        }
        self.write_after(&mut text);
        text.push(')');
        if !text.is_ascii() {
            text.insert_str("(;FF[4]".len(), "CA[UTF-8]");
        }
        text
    }

    /// Writes the nodes after the root.
    fn write_after(&self, text: &mut String) {
        enum Part {
            Move(usize, bool),
            Close,
        }
        let after = |parts: &mut Vec<Part>, node: usize| {
            let next = &self.tree.node(node).next;
            for &child in next.iter().rev() {
                if next.len() > 1 {
                    parts.push(Part::Close);
                }
                parts.push(Part::Move(child, next.len() > 1));
            }
        };
        let mut parts = Vec::new();
        after(&mut parts, MoveTree::START);
        while let Some(part) = parts.pop() {
            let Part::Move(number, is_one_of_several) = part else {
                text.push(')');
                continue;
            };
            let node = self.tree.node(number);
            text.push_str(if is_one_of_several { "(;" } else { ";" });
            text.push(letter(node.mover.unwrap_or(Seat::First)));
            text.push_str(&property("", &node.name));
            text.push_str(&notes(node));
            if number == self.end && !node.next.is_empty() {
                text.push_str("HE[]");
            }
            if let Some(next) = self.next.filter(|_| number == self.end && node.next.is_empty()) {
                text.push_str(&format!(";PL[{}]", letter(next)));
            }
            after(&mut parts, number);
        }
    }
}

/// Returns the number of the first player's stones before the second player's first move, if the
/// arrangement is such a handicap. A handicap has at least two stones, since one stone is a first
/// move.
fn handicap(setup: &Arrangement) -> Option<usize> {
    let is_handicap = setup.first.len() > 1 && setup.second.is_empty() && setup.to_move == Seat::Second;
    is_handicap.then_some(setup.first.len())
}

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
