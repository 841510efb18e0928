//! Pictures as text, and boards as JSON.

use super::boards;
use crate::*;

#[test]
fn glyphs_are_found_where_they_are_drawn() {
    for (board, _) in boards() {
        for scale in [(1, 1), (2, 1), (3, 2), (4, 3)].map(|(width, lines)| TextScale { width, lines }) {
            let text = board.text_with(scale);
            for (place, &(line, column)) in text.spots.iter().enumerate() {
                assert!((0..scale.width).all(|i| text.place_at(line, column + i) == Some(place)));
                let free = |at: usize| text.lines[line].chars().nth(at).is_none_or(|c| c == ' ');
                assert!((column - 1..=column + scale.width).all(free), "{:?} {scale:?} {place}", board.shape());
            }
            let empty = text.draw_wide(|_| " ".repeat(scale.width), None);
            let bare = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
            assert_eq!(bare(&empty), bare(&text.lines.join("\n")));
            assert!(text.lines.iter().all(|line| line == line.trim_end()));
        }
    }
}

/// Draws a board with a place marked, each edge by its orientation and each place that cannot be
/// played as `#`.
fn lines(shape: &Shape, width: usize, marked: &str) -> Vec<String> {
    let board = Board::of(shape);
    let glyph = |number: usize| match board.places()[number].slot {
        None => "#".to_owned(),
        Some(slot) if matches!(shape, Shape::HexagonEdges { .. }) => ["/", "\\", "|"][slot.plane as usize].to_owned(),
        Some(_) => ".1"[..width].to_owned(),
    };
    let text = board.text_with(TextScale { width, lines: 1 });
    text.draw_wide(glyph, Some(board.parse(marked).unwrap())).lines().map(str::to_owned).collect()
}

#[test]
fn triangle() {
    let expected = ["    1  .", "   2  . .", "  3  .[.].", " 4  . . . .", "   a b c d"];
    assert_eq!(lines(&Shape::Triangle { side: 4 }, 1, "b3"), expected);
}

#[test]
fn hexagon() {
    let expected =
        ["       a b c", "   1  . . .  d", "  2  . . . .  e", " 3  . .[.]. .", "  4  . . . .", "   5  . . ."];
    assert_eq!(lines(&Shape::Hexagon { side: 3 }, 1, "c3"), expected);
}

#[test]
fn edges() {
    let expected = [
        r"        0 1 2 3",
        r"    0  / \ / \  4",
        r"   1  | # | #[|] 5",
        r"  2  / \ / \ / \  6",
        r" 3  | # | # | # |",
        r"  4  \ / \ / \ /",
        r"   5  | # | # |",
        r"    6  \ / \ /",
    ];
    assert_eq!(lines(&Shape::HexagonEdges { side: 2 }, 1, "1,4"), expected);
}

#[test]
fn torus_of_towers() {
    let expected = [
        "        r2      q0",
        "    r1      .1      q1",
        "r0      .1     [.1]     q2",
        "    .1      .1      .1",
        "q0      .1      .1      r2",
        "    q1      .1      r1",
        "        q2      r0",
    ];
    assert_eq!(lines(&Shape::Torus { side: 3 }, 2, "2,1"), expected);
}

#[test]
fn crossings() {
    let expected = [
        "      1 2 3",
        "      x   x",
        " 1  o . o . o  1",
        " 2    x[.]x    2",
        " 3  o . o . o  3",
        "      x   x",
        "      1 2 3",
    ];
    assert_eq!(lines(&Shape::Crossings { size: 2 }, 1, "2,2"), expected);
}

#[test]
fn boards_side_by_side() {
    let expected = [
        "    Y                G                 H",
        "   1  .             1 2 3             a b",
        "  2  . .            x   x          1  . .  1",
        " 3  . . .      1  o . o . o  1      2  . .  2",
        "   a b c       2    x[.]x    2          a b",
        "               3  o . o . o  3",
        "                    x   x",
        "                    1 2 3",
    ];
    let three =
        [("Y", Shape::Triangle { side: 3 }), ("G", Shape::Crossings { size: 2 }), ("H", Shape::Rhombus { side: 2 })];
    assert_eq!(lines(&Shape::several(three), 1, "G2,2"), expected);
}

#[test]
fn large_rhombus() {
    let text = Board::of(&Shape::Rhombus { side: 2 }).text_with(TextScale { width: 3, lines: 2 });
    let expected = "     a   b\n 1   .   .   1\n\n   2   .   .   2\n         a   b\n";
    assert_eq!(text.draw_wide(|_| " . ".to_owned(), None), expected);
    assert_eq!((text.place_at(1, 4), text.place_at(1, 9), text.place_at(2, 5)), (Some(0), Some(1), None));
}

#[test]
fn json_of_a_small_board() {
    let json = serde_json::to_value(Board::of(&Shape::Crossings { size: 2 }).layout()).unwrap();
    assert_eq!(json["shape"], serde_json::json!({ "kind": "crossings", "size": 2 }));
    let place = &json["places"][2];
    assert_eq!(place["label"], "2,2");
    assert_eq!((&place["kind"], &place["playable"], &place["cell"]), (&"crossing".into(), &true.into(), &2.into()));
    assert_eq!(place["slot"], serde_json::json!({ "plane": 0, "cell": 2 }));
    assert_eq!(place["arrows"]["directions"], serde_json::json!([3, 4, null, 1, 0, null]));
    assert_eq!(json["decorations"][0]["kind"], "dot");
    assert_eq!(json["sides"][3]["owner"], 1);
    let three = Shape::several([("Y", Shape::Triangle { side: 3 }), ("H", Shape::Rhombus { side: 2 })]);
    let text = serde_json::to_string(&three).unwrap();
    assert_eq!(serde_json::from_str::<Shape>(&text).unwrap(), three);
}
