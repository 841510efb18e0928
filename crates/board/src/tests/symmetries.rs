//! Symmetries.

use std::collections::{BTreeSet, HashSet};

use super::{boards, distance, is_torus};
use crate::*;

#[test]
fn symmetries_are_a_group() {
    for (board, _) in boards() {
        let group: HashSet<&Symmetry> = board.symmetries().iter().collect();
        assert_eq!(group.len(), board.symmetries().len(), "all different: {:?}", board.shape());
        let first = &board.symmetries()[0];
        assert!(first.cells.is_identity() && first.places.is_identity() && first.sides.is_identity());
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
                    let there = neighbours[image][board.direction_under(symmetry, cell, direction)];
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
