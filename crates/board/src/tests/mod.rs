//! Properties that the boards of all shapes share.

mod pictures;
mod text;

use std::collections::{BTreeSet, HashSet};

use crate::*;

/// Returns boards of every shape, with the numbers of their cells, places and symmetries.
fn boards() -> Vec<(&'static Board, [usize; 3])> {
    let hex = |side| Shape::Rhombus { side };
    let three = [("Y", Shape::Triangle { side: 6 }), ("G", Shape::Crossings { size: 3 }), ("H", hex(5))];
    let shapes = [
        (hex(1), [1, 1, 4]),
        (hex(2), [4, 4, 4]),
        (hex(9), [81, 81, 4]),
        (Shape::Triangle { side: 1 }, [1, 1, 6]),
        (Shape::Triangle { side: 6 }, [21, 21, 6]),
        (Shape::Triangle { side: 7 }, [28, 28, 6]),
        (Shape::Hexagon { side: 1 }, [1, 1, 12]),
        (Shape::Hexagon { side: 4 }, [37, 37, 12]),
        (Shape::HexagonEdges { side: 1 }, [7, 7, 12]),
        (Shape::HexagonEdges { side: 2 }, [19, 30 + 7, 12]),
        (Shape::HexagonEdges { side: 3 }, [37, 72 + 19, 12]),
        (Shape::Torus { side: 4 }, [16, 16, 192]),
        (Shape::Torus { side: 7 }, [49, 49, 588]),
        (Shape::Crossings { size: 1 }, [1, 1, 8]),
        (Shape::Crossings { size: 3 }, [13, 13, 8]),
        (Shape::Crossings { size: 4 }, [25, 25, 8]),
        (Shape::several([("L", hex(7)), ("R", hex(7))]), [98, 98, 32]),
        (Shape::several([Prefixed::new("L", hex(5)).exchanged(), Prefixed::new("R", hex(5))]), [50, 50, 32]),
        (Shape::several(three), [59, 59, 6 * 8 * 4]),
    ];
    shapes.into_iter().map(|(shape, counts)| (Board::of(&shape), counts)).collect()
}

fn is_torus(board: &Board) -> bool {
    matches!(board.shape(), Shape::Torus { .. })
}

fn distance(a: Point, b: Point) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[test]
fn sizes_are_as_expected() {
    for (board, counts) in boards() {
        let found = [board.topology().cells(), board.places().len(), board.symmetries().len()];
        assert_eq!(found, counts, "{:?}", board.shape());
        assert_eq!(board.text().spots.len(), counts[1], "{:?}", board.shape());
        let again = Board::of(board.shape());
        assert!(std::ptr::eq(board, again), "made once");
    }
}

#[test]
fn names_are_unique_and_found_again() {
    for (board, _) in boards() {
        for (number, place) in board.places().iter().enumerate() {
            assert_eq!(board.parse(&place.label), Ok(number));
            assert_eq!(board.parse(&place.label.to_ascii_uppercase()), Ok(number));
        }
        for text in ["", "Q1", "99,99", "a 1", "zz"] {
            assert!(board.parse(text).is_err(), "{text}");
        }
    }
    let y = Board::of(&Shape::Triangle { side: 6 });
    assert_eq!(y.parse("B3"), Ok(4));
    let error = y.parse("b1").unwrap_err();
    assert_eq!(error.to_string(), "'b1' is not a place of this board, whose places go from a1 to f6");
    let error = Board::of(&Shape::Rhombus { side: 5 }).parse("f1").unwrap_err();
    assert_eq!(error, parse_cell(5, "f1").unwrap_err());
    let three = Board::of(&Shape::several([("Y", Shape::Triangle { side: 6 }), ("G", Shape::Crossings { size: 3 })]));
    assert_eq!(three.parse("G1,1"), Ok(21));
}

#[test]
fn slots_are_unique() {
    for (board, _) in boards() {
        let mut planes = HashSet::new();
        for number in board.playable() {
            let slot = board.places()[number].slot.unwrap();
            assert_eq!(board.place_of_slot(slot.plane as usize, slot.cell as usize), Some(number));
            planes.insert(slot.plane);
        }
        let edges = matches!(board.shape(), Shape::HexagonEdges { .. });
        assert_eq!(planes.len(), if edges { 3 } else { 1 });
    }
    let board = Board::of(&Shape::HexagonEdges { side: 2 });
    assert_eq!((board.place_of_slot(0, 0), board.place_of_slot(3, 9)), (None, None), "phantoms own few edges");
}

#[test]
fn arrows_lead_everywhere() {
    for (board, _) in boards() {
        let playable: Vec<usize> = board.playable().collect();
        let keys = |place: usize| {
            let arrows = &board.places()[place].arrows;
            [arrows.up, arrows.down, arrows.left, arrows.right].into_iter().flatten().map(usize::from)
        };
        for &start in &playable {
            let (mut seen, mut open) = (HashSet::from([start]), vec![start]);
            while let Some(place) = open.pop() {
                open.extend(keys(place).filter(|&to| seen.insert(to)));
            }
            assert_eq!(seen.len(), playable.len(), "{:?} from {start}", board.shape());
            assert!(seen.iter().all(|&place| board.places()[place].playable));
        }
    }
}

#[test]
fn arrows_lead_where_they_point() {
    for (board, _) in boards().into_iter().filter(|(board, _)| !is_torus(board)) {
        for number in board.playable() {
            let place = &board.places()[number];
            let arrows = &place.arrows;
            let step = |to: Option<u16>| {
                let there = board.places()[to? as usize].centre;
                Some([there[0] - place.centre[0], there[1] - place.centre[1]])
            };
            assert!(step(arrows.up).is_none_or(|[_, y]| y < -0.1));
            assert!(step(arrows.down).is_none_or(|[_, y]| y > 0.1));
            assert!(step(arrows.left).is_none_or(|[x, _]| x < -0.1));
            assert!(step(arrows.right).is_none_or(|[x, _]| x > 0.1));
            for (to, [x, y]) in arrows.directions.iter().zip([[-1, 1], [1, 1], [1, 0], [1, -1], [-1, -1], [-1, 0]]) {
                let Some([dx, dy]) = step(*to) else { continue };
                assert!(dx * x as f32 > 0.0 && (dy * y as f32 > 0.0 || y == 0 && dy.abs() < 0.1));
            }
        }
    }
}

#[test]
fn opposite_arrow_leads_back() {
    let torus = Board::of(&Shape::Torus { side: 8 });
    let hexagon = Board::of(&Shape::Hexagon { side: 4 });
    for place in torus.places() {
        let Arrows { up, down, left, right, .. } = place.arrows;
        let [a, b, c, d] = [up, down, left, right].map(|to| torus.places()[to.unwrap() as usize].arrows);
        let back = [a.down, b.up, c.right, d.left].map(|to| to.map(|to| &torus.places()[to as usize].label));
        assert_eq!(back, [Some(&place.label); 4]);
    }
    // Along the middle of a hexagon.
    let up = |&place: &usize| hexagon.places()[place].arrows.up.map(usize::from);
    let way: Vec<usize> = std::iter::successors(hexagon.parse("d4").ok(), up).collect();
    assert_eq!(way.len(), 4);
    for pair in way.windows(2) {
        assert_eq!(hexagon.places()[pair[1]].arrows.down, Some(pair[0] as u16));
    }
}

#[test]
fn symmetries_are_a_group() {
    for (board, _) in boards() {
        let group: HashSet<&Symmetry> = board.symmetries().iter().collect();
        assert_eq!(group.len(), board.symmetries().len(), "all different: {:?}", board.shape());
        let first = &board.symmetries()[0];
        for permutation in [&first.cells, &first.places, &first.sides] {
            assert_eq!(*permutation, Permutation::identity(permutation.forward().len()), "{:?}", board.shape());
        }
        let every = board.symmetries().len().div_ceil(60);
        for a in board.symmetries().iter().step_by(every) {
            for b in board.symmetries().iter().rev().step_by(every) {
                assert!(group.contains(&composed(board, a, b)), "closed: {:?}", board.shape());
            }
            let undone = board.symmetries().iter().any(|b| composed(board, a, b) == *first);
            assert!(undone, "has inverses: {:?}", board.shape());
        }
    }
}

/// Returns the symmetry that applies the first and then the next.
fn composed(board: &Board, first: &Symmetry, next: &Symmetry) -> Symmetry {
    // The image of each part, found by its first cell.
    let parts = first.directions.len();
    let start = |part| (0..board.topology().cells()).find(|&cell| board.part_of_cell(cell) == part).unwrap();
    let directions = (0..parts).map(|part| {
        let to = board.part_of_cell(first.cells.apply(start(part)));
        std::array::from_fn(|direction| next.direction(to, first.direction(part, direction)) as u8)
    });
    Symmetry {
        cells: first.cells.then(&next.cells),
        places: first.places.then(&next.places),
        sides: first.sides.then(&next.sides),
        directions: directions.collect(),
    }
}

#[test]
fn symmetries_keep_neighbours() {
    for (board, _) in boards() {
        let neighbours = board.topology().neighbours();
        for symmetry in board.symmetries() {
            for (cell, slots) in neighbours.iter().enumerate() {
                let image = symmetry.cells.apply(cell);
                for (direction, &other) in slots.iter().enumerate() {
                    let there = neighbours[image][symmetry.direction(board.part_of_cell(cell), direction)];
                    let expected = if other == NO_CELL { NO_CELL } else { symmetry.cells.apply(other as usize) as u16 };
                    assert_eq!(there, expected, "{:?}: cell {cell}, direction {direction}", board.shape());
                }
            }
        }
    }
}

#[test]
fn symmetries_keep_the_picture() {
    for (board, _) in boards() {
        let places = board.places();
        for symmetry in board.symmetries() {
            for (number, place) in places.iter().enumerate() {
                let image = &places[symmetry.places.apply(number)];
                assert_eq!((image.kind, image.playable), (place.kind, place.playable));
                let corners = |place: &Place| {
                    let mut all: Vec<f32> =
                        place.outline.iter().map(|&corner| distance(place.centre, corner)).collect();
                    all.sort_by(f32::total_cmp);
                    all
                };
                assert!(corners(place).iter().zip(corners(image)).all(|(a, b)| (a - b).abs() < 1e-3));
                if place.kind != PlaceKind::Edge {
                    let cell = symmetry.cells.apply(place.cell.unwrap() as usize);
                    assert_eq!(image.cell, Some(cell as u16), "cells and places agree");
                }
                if is_torus(board) {
                    continue;
                }
                for (other, next) in places.iter().enumerate().filter(|(_, next)| next.part == place.part) {
                    let there = places[symmetry.places.apply(other)].centre;
                    let (before, after) = (distance(place.centre, next.centre), distance(image.centre, there));
                    assert!((before - after).abs() < 1e-3, "{:?}: {number}, {other}", board.shape());
                }
            }
        }
    }
}

#[test]
fn symmetries_keep_sides() {
    for (board, _) in boards() {
        for symmetry in board.symmetries() {
            for (number, side) in board.sides().iter().enumerate() {
                let image = |place: &u16| symmetry.places.apply(*place as usize) as u16;
                let images: BTreeSet<u16> = side.places.iter().map(image).collect();
                let there = board.sides()[symmetry.sides.apply(number)].places.iter().copied().collect();
                assert_eq!(images, there, "{:?}: side {number}", board.shape());
            }
        }
    }
}

#[test]
fn rhombus_symmetries_are_in_order() {
    let n = 5;
    let board = Board::of(&Shape::Rhombus { side: n });
    type Map = fn(usize, usize, usize) -> (usize, usize);
    let maps: [Map; 4] =
        [|_, r, q| (r, q), |n, r, q| (n - 1 - r, n - 1 - q), |_, r, q| (q, r), |n, r, q| (n - 1 - q, n - 1 - r)];
    for (symmetry, map) in board.symmetries().iter().zip(maps) {
        for cell in 0..n * n {
            let (row, column) = map(n, cell / n, cell % n);
            assert_eq!(symmetry.cells.apply(cell), row * n + column);
        }
    }
    let sides: Vec<&[u16]> = board.symmetries().iter().map(|symmetry| symmetry.sides.forward()).collect();
    assert_eq!(sides, [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]);
    let keeps: Vec<bool> = board.symmetries().iter().map(|symmetry| board.keeps_owners(symmetry)).collect();
    assert_eq!(keeps, [true, true, false, false]);
}

#[test]
fn half_of_the_crossing_symmetries_keep_owners() {
    let board = Board::of(&Shape::Crossings { size: 3 });
    let centre = board.parse("3,3").unwrap();
    for (number, symmetry) in board.symmetries().iter().enumerate() {
        assert_eq!(board.keeps_owners(symmetry), number < 4);
        assert_eq!(symmetry.places.apply(centre), centre);
    }
}
