//! Arrow keys.

use std::collections::HashSet;

use super::{boards, is_torus};
use crate::*;

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
        let back = [(up, torus), (down, torus), (left, torus), (right, torus)];
        let [a, b, c, d] = back.map(|(to, board)| board.places()[to.unwrap() as usize].arrows);
        let back = [a.down, b.up, c.right, d.left].map(|to| to.map(|to| &torus.places()[to as usize].label));
        assert_eq!(back, [Some(&place.label); 4]);
    }
    // Along the middle of a hexagon.
    let mut place = hexagon.parse("d4").unwrap();
    let mut way = vec![place];
    while let Some(up) = hexagon.places()[place].arrows.up {
        place = up as usize;
        way.push(place);
    }
    assert_eq!(way.len(), 4);
    for pair in way.windows(2) {
        assert_eq!(hexagon.places()[pair[1]].arrows.down, Some(pair[0] as u16));
    }
}
