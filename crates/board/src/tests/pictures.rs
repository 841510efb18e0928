//! Outlines, sides and labels.

use std::collections::{BTreeSet, HashMap};

use super::{boards, distance, is_torus};
use crate::*;

#[test]
fn neighbouring_cells_are_two_apart() {
    for (board, _) in boards().into_iter().filter(|(board, _)| !is_torus(board)) {
        let centres: HashMap<u16, Point> = board
            .places()
            .iter()
            .filter(|place| place.kind != PlaceKind::Edge)
            .map(|place| (place.cell.unwrap(), place.centre))
            .collect();
        for (&cell, &at) in &centres {
            for (&other, &there) in &centres {
                let touches = board.topology().neighbours()[cell as usize].contains(&other);
                let apart = distance(at, there);
                assert_eq!(touches, apart > 0.1 && (apart - 2.0).abs() < 1e-3, "{:?}: {cell}, {other}", board.shape());
            }
        }
    }
}

#[test]
fn outlines_hold_their_centres_without_overlap() {
    for (board, _) in boards() {
        for (number, place) in board.places().iter().enumerate() {
            assert_eq!(board.place_at(place.centre), Some(number), "{:?} {}", board.shape(), place.label);
            let inward = |corner: &Point| [0, 1].map(|i| 0.9 * corner[i] + 0.1 * place.centre[i]);
            for corner in place.outline.iter().filter(|_| place.playable) {
                let at = inward(corner);
                let hit = |other: &&Place| other.playable && other.contains(at);
                let hits: Vec<&str> = board.places().iter().filter(hit).map(|other| other.label.as_str()).collect();
                assert_eq!(hits, [&place.label], "{:?}", board.shape());
            }
        }
        let bounds = board.bounds();
        assert_eq!(board.place_at([bounds.left - 1.0, bounds.top]), None);
    }
}

#[test]
fn edges_lie_between_their_cells() {
    // A cell's six edges by the rules of HexiFence, on the grid.
    for side in 1..=4 {
        let board = Board::of(&Shape::HexagonEdges { side });
        let cells: Vec<&Place> = board.places().iter().filter(|place| place.kind == PlaceKind::Cell).collect();
        let mut edges = BTreeSet::new();
        for cell in &cells {
            let (row, column) = cell.label.split_once(',').unwrap();
            let (row, column): (i32, i32) = (row.parse().unwrap(), column.parse().unwrap());
            for (dr, dc) in [(0, -1), (0, 1), (-1, -1), (-1, 0), (1, 0), (1, 1)] {
                let edge = (row + dr, column + dc);
                edges.insert(edge);
                let place = &board.places()[board.parse(&format!("{},{}", edge.0, edge.1)).unwrap()];
                // The cell owns its edges n, ne and w as planes 0, 1 and 2; the other three belong to neighbours.
                let plane = [(-1, -1), (-1, 0), (0, -1)].iter().position(|&step| step == (dr, dc));
                let slot = place.slot.unwrap();
                assert_eq!((slot.cell == cell.cell.unwrap()).then_some(slot.plane as usize), plane, "{}", place.label);
                assert!((distance(place.centre, cell.centre) - 1.0).abs() < 1e-3);
                let ends = place.lines[0].unwrap();
                for end in ends {
                    assert!(cell.outline.iter().any(|corner| distance(*corner, end) < 1e-3), "ends at corners");
                }
            }
        }
        let labels: Vec<String> = edges.iter().map(|(row, column)| format!("{row},{column}")).collect();
        let found: Vec<&str> = board.playable().map(|number| board.places()[number].label.as_str()).collect();
        assert_eq!(found, labels, "row by row");
        assert_eq!(labels.len(), side * (9 * side - 3));
    }
}

/// Returns the dots of a board with their owners.
fn dots(board: &Board) -> Vec<(Point, u8)> {
    let dot = |decoration: &Decoration| match *decoration {
        Decoration::Dot { centre, owner, .. } => Some((centre, owner.unwrap())),
        Decoration::Title { .. } => None,
    };
    board.decorations().iter().filter_map(dot).collect()
}

#[test]
fn bridges_join_dots_of_their_player() {
    let board = Board::of(&Shape::Crossings { size: 3 });
    let dots = dots(board);
    assert_eq!(dots.len(), 24);
    for place in board.places() {
        for (line, player) in place.lines.iter().zip(0..) {
            for end in line.unwrap() {
                assert!(dots.iter().any(|&(dot, owner)| owner == player && distance(dot, end) < 1e-3));
            }
        }
    }
    let upright = |label: &str| {
        let [from, to] = board.places()[board.parse(label).unwrap()].lines[0].unwrap();
        from[0] == to[0]
    };
    assert!(upright("1,1") && upright("3,5") && !upright("2,2"));
}

#[test]
fn sides_run_along_the_border() {
    for (board, _) in boards() {
        let sides = board.sides();
        for (number, side) in sides.iter().enumerate() {
            assert!(!side.places.is_empty());
            if matches!(board.shape(), Shape::Crossings { .. } | Shape::Several { .. }) {
                continue;
            }
            for pair in side.line.windows(2) {
                let apart = distance(pair[0], pair[1]);
                assert!(apart < 1.156 && apart > 0.57, "{:?}: {number}", board.shape());
            }
            let goes_on = |end: &Point| sides.iter().any(|other| distance(other.line[0], *end) < 1e-3);
            assert!(goes_on(side.line.last().unwrap()), "{:?}: side {number} is followed by another", board.shape());
        }
        if let &Shape::Rhombus { side } = board.shape() {
            let counts: Vec<usize> = sides.iter().map(|side| side.places.len()).collect();
            assert_eq!(counts, [side; 4]);
            assert!(sides[0].places.iter().all(|&cell| (cell as usize) < side));
            assert!(sides[2].places.iter().all(|&cell| (cell as usize).is_multiple_of(side)));
        }
    }
    let y = Board::of(&Shape::Triangle { side: 3 });
    let sides: Vec<BTreeSet<u16>> = y.sides().iter().map(|side| side.places.iter().copied().collect()).collect();
    assert_eq!(sides, [[0, 1, 3], [0, 2, 5], [3, 4, 5]].map(BTreeSet::from), "left, right, bottom");
}

#[test]
fn rim_labels_belong_to_the_nearest_line() {
    for (board, _) in boards() {
        for (number, label) in board.rim().iter().enumerate() {
            for other in &board.rim()[number + 1..] {
                assert!(distance(label.position, other.position) > 0.8, "{:?}: {}", board.shape(), label.text);
            }
            assert_eq!(board.place_at(label.position), None, "{:?}: {}", board.shape(), label.text);
        }
    }
    // A number is level with its row. A letter stands straight beyond the end of its column,
    // however far it is moved out, and clearly farther from all other columns.
    for shape in [Shape::Rhombus { side: 9 }, Shape::Hexagon { side: 5 }, Shape::Triangle { side: 8 }] {
        let board = Board::of(&shape);
        for label in board.rim() {
            let is_own = |place: &Place| place.label.starts_with(&label.text) || place.label[1..] == label.text;
            let nearest = |own: bool, at: Point| {
                let places = board.places().iter().filter(|place| is_own(place) == own);
                places.map(|place| distance(place.centre, at)).min_by(f32::total_cmp).unwrap()
            };
            if label.text.parse::<usize>().is_ok() {
                let level = board.places().iter().filter(|place| place.centre[1] == label.position[1]);
                assert!(level.clone().count() > 0 && level.clone().all(is_own), "{shape:?}: {}", label.text);
                continue;
            }
            for further in [0.0, 0.25, 0.5] {
                let at = [0, 1].map(|i| label.position[i] + further * label.outward[i]);
                let (own, other) = (nearest(true, at), nearest(false, at));
                assert!(own * 1.15 < other, "{shape:?}: {} at {own} and {other}", label.text);
            }
        }
    }
}

#[test]
fn exchanged_boards_belong_to_the_other_player() {
    let twice = |shape: &Shape| {
        Board::of(&Shape::several([Prefixed::new("L", shape.clone()).exchanged(), Prefixed::new("R", shape.clone())]))
    };
    let owners = |board: &Board| -> Vec<Option<u8>> { board.sides().iter().map(|side| side.owner).collect() };
    let hex = twice(&Shape::Rhombus { side: 4 });
    assert_eq!(owners(hex), [1, 1, 0, 0, 0, 0, 1, 1].map(Some));
    assert_eq!(owners(twice(&Shape::Triangle { side: 3 })), [None; 6]);
    let gale = twice(&Shape::Crossings { size: 2 });
    let dots = dots(gale);
    let (left, right) = dots.split_at(dots.len() / 2);
    assert!(left.iter().zip(right).all(|((_, left), (_, right))| left + right == 1));
    let places = gale.places();
    let is_upright = |[a, b]: [Point; 2]| (a[0] - b[0]).abs() < 0.1;
    for (left, right) in places.iter().zip(&places[places.len() / 2..]) {
        assert_eq!(left.lines[0].map(is_upright), right.lines[1].map(is_upright), "{}", left.label);
        assert_ne!(left.lines[0].map(is_upright), left.lines[1].map(is_upright), "{}", left.label);
    }
    let json = serde_json::to_string(hex.shape()).unwrap();
    assert_eq!(json.matches("exchanged").count(), 1, "{json}");
    assert_eq!(&serde_json::from_str::<Shape>(&json).unwrap(), hex.shape());
}
