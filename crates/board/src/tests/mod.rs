//! Properties that the boards of all shapes share.

mod arrows;
mod pictures;
mod symmetries;
mod text;

use super::*;

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
    matches!(board.shape(), Some(Shape::Torus { .. }))
}

fn distance(a: Point, b: Point) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[test]
fn sizes_are_as_expected() {
    for (board, counts) in boards() {
        let found = [board.topology().cells(), board.places().len(), board.symmetries().len()];
        assert_eq!(found, counts, "{:?}", board.shape());
        let again = Board::of(board.shape().unwrap());
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
        for number in board.playable() {
            let slot = board.places()[number].slot.unwrap();
            assert_eq!(board.place_of_slot(slot.plane as usize, slot.cell as usize), Some(number));
        }
        let edges = matches!(board.shape(), Some(Shape::HexagonEdges { .. }));
        assert_eq!(board.planes(), if edges { 3 } else { 1 });
    }
    let board = Board::of(&Shape::HexagonEdges { side: 2 });
    assert_eq!((board.place_of_slot(0, 0), board.place_of_slot(3, 9)), (None, None), "phantoms own few edges");
}
