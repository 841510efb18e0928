//! The search tree: a search worked out by hand, and its reuse when the game goes on.

use std::cell::Cell;

use hexzero::games::{Action, Evaluation, Position, WinDrawLoss};
use hexzero::search::{Limits, Puct, RootMove, Search, SearchSettings, Selection};

use super::positions::{opinionated, position, sum};
use crate::games::{cachex, known};

/// The first row of the board, where all moves are made, and Red's value of the position.
const VALUES: [(&str, f32); 9] = [
    (".....", 0.0),
    ("R....", -0.5),
    (".R...", 0.1),
    ("BR...", 0.5),
    (".RB..", -0.3),
    ("RRB..", -0.7),
    ("RB...", 0.3),
    ("R.B..", -0.7),
    (".RBR.", 0.1),
];

fn first_row(game: &Position) -> String {
    (0..game.size()).map(|cell| game.symbol(cell)).collect()
}

/// Only the first two empty cells have priors: the first 0.6, the second 0.4.
fn two_moves(game: &Position, legal: &[Action]) -> Evaluation {
    let mut priors = vec![0.0; legal.len()];
    priors[..2].copy_from_slice(&[0.6, 0.4]);
    let row = first_row(game);
    let red = VALUES.iter().find(|(known, _)| *known == row).unwrap_or_else(|| panic!("{row} is judged")).1;
    let win = (1.0 + game.to_move().sign() * red) / 2.0;
    Evaluation { priors, outcome: WinDrawLoss { win, draw: 0.0, loss: 1.0 - win } }
}

/// Nine visits with `c = 1` and a first-play reduction of 0.2, every score worked out. `Q` is the mean for who is
/// to move, `U` is `P · √N / (1 + n)`; an untried move has the node's mean less 0.2 · √(priors tried) for `Q`.
/// All other moves have no prior, and so a score of that `Q` alone, always below the best one here.
#[test]
fn nine_visits_by_hand() {
    let puct = Puct { init: 1.0, base: 1e9, fpu_reduction: 0.2, draw_penalty: 0.0, prior_temperature: 1.0 };
    let mut search = Search::new(cachex().start(5).unwrap(), puct);
    let leaves = [
        // 1: the root itself, 0.0.
        ".....", // 2: a1 0 + 0.6, b1 0 + 0.4. Worth -0.5; the root's mean is -0.25 then.
        "R....",
        // 3: a1 -0.5 + 0.6 · √2 / 2 = -0.076; b1 untried -0.25 - 0.2 · √0.6 + 0.4 · √2 = 0.161. Worth 0.1.
        ".R...",
        // 4: a1 -0.5 + 0.6 · √3 / 2 = 0.020; b1 0.1 + 0.4 · √3 / 2 = 0.446.
        //    After b1, Blue's -0.1: a1 -0.1 + 0.6, c1 -0.1 + 0.4. Worth 0.5; b1 stands at 0.6 / 2 = 0.3.
        "BR...",
        // 5: a1 -0.5 + 0.6 · 2 / 2 = 0.100; b1 0.3 + 0.4 · 2 / 3 = 0.567.
        //    After b1: a1 -0.5 + 0.6 · √2 / 2 = -0.076; c1 -0.3 - 0.155 + 0.566 = 0.111. Worth -0.3; b1 0.3 / 3.
        ".RB..",
        // 6: a1 -0.5 + 0.6 · √5 / 2 = 0.171; b1 0.1 + 0.4 · √5 / 4 = 0.324.
        //    After b1, mean -0.1: a1 -0.5 + 0.6 · √3 / 2 = 0.020; c1 0.3 + 0.4 · √3 / 2 = 0.646.
        //    After b1 c1, Red's -0.3: a1 -0.3 + 0.6, d1 -0.3 + 0.4. Worth -0.7; b1 stands at -0.4 / 4 = -0.1.
        "RRB..",
        // 7: a1 -0.5 + 0.6 · √6 / 2 = 0.235; b1 -0.1 + 0.4 · √6 / 5 = 0.096.
        //    After a1, Blue's 0.5: b1 0.5 + 0.6, c1 0.5 + 0.4. Worth 0.3; a1 stands at -0.2 / 2 = -0.1.
        "RB...",
        // 8: a1 -0.1 + 0.6 · √7 / 3 = 0.429; b1 -0.1 + 0.4 · √7 / 5 = 0.112.
        //    After a1, mean 0.1: b1 -0.3 + 0.6 · √2 / 2 = 0.124; c1 0.1 - 0.155 + 0.566 = 0.511. Worth -0.7; a1 -0.3.
        "R.B..",
        // 9: a1 -0.3 + 0.6 · √8 / 4 = 0.124; b1 -0.1 + 0.4 · √8 / 5 = 0.126.
        //    After b1, mean 0.1: a1 -0.5 + 0.6 · 2 / 2 = 0.100; c1 0.5 + 0.4 · 2 / 3 = 0.767.
        //    After b1 c1: a1 -0.7 + 0.6 · √2 / 2 = -0.276; d1 -0.5 - 0.155 + 0.566 = -0.089.
        ".RBR.",
    ];
    let visits_of_a1_and_b1 = [[0, 0], [1, 0], [1, 1], [1, 2], [1, 3], [1, 4], [2, 4], [3, 4], [3, 5]];
    for (number, (expected, visits)) in leaves.into_iter().zip(visits_of_a1_and_b1).enumerate() {
        let mut judged = Vec::new();
        let mut judge = |game: &Position, legal: &[Action]| {
            judged.push(first_row(game));
            two_moves(game, legal)
        };
        search.run(&mut judge, &Limits::visits(number as u32 + 1));
        assert_eq!(judged, [expected], "visit {}", number + 1);
        assert_eq!([0, 1].map(|cell| of(&search, cell).visits), visits, "after visit {}", number + 1);
    }
    let value = |cell| of(&search, cell).outcome.value();
    // (-0.5 + 0.3 - 0.7) / 3, (0.1 + 0.5 - 0.3 - 0.7 + 0.1) / 5 and all together with the root's 0 / 9.
    assert!((value(0) + 0.3).abs() < 1e-6 && (value(1) + 0.06).abs() < 1e-6, "{} {}", value(0), value(1));
    assert!((search.root_outcome().value() + 1.2 / 9.0).abs() < 1e-6);
    assert_eq!(search.best_action(), Some(Action(1)));
    let names: Vec<String> =
        search.principal_variation().iter().map(|&action| search.position().action_name(action)).collect();
    assert_eq!(names, ["b1", "c1", "a1"], "a1 and d1 have a visit each, a1 the greater prior");
}

/// The third visit again, with another value of untried moves, which decides it: b1 gets
/// -0.25 - 0.55 · √0.6 + 0.4 · √2 = -0.110, less than the -0.076 of a1.
#[test]
fn untried_move_loses_value_as_more_are_tried() {
    let puct = Puct { init: 1.0, base: 1e9, fpu_reduction: 0.55, draw_penalty: 0.0, ..Puct::default() };
    let mut search = Search::new(cachex().start(5).unwrap(), puct);
    search.run(&mut two_moves, &Limits::visits(3));
    assert_eq!([0, 1].map(|cell| of(&search, cell).visits), [2, 0]);
}

fn of(search: &Search, cell: u16) -> RootMove {
    search.root_moves().into_iter().find(|candidate| candidate.action == Action(cell)).unwrap()
}

/// Below the root nothing depends on where the root is: the subtree that is kept is what a search of the position after
/// the move would have found with as many visits. Its outcome, proofs and line are those reported before the move.
#[test]
fn kept_subtree_equals_a_fresh_search() {
    let mut decided = 0;
    let starts = known().into_iter().map(|known| known.game()).step_by(7);
    for game in starts.chain([position(5, "a1 c3"), position(6, "b2"), position(5, "")]) {
        let mut search = Search::new(game, SearchSettings::default());
        search.run(&mut opinionated, &Limits::visits(400));
        for candidate in search.root_moves().into_iter().filter(|candidate| candidate.visits > 1).take(4) {
            let line = search.variation_from(candidate.action);
            let mut kept = search.clone();
            kept.advance(candidate.action);
            if kept.position().outcome().is_some() || kept.winning_action().is_some() || kept.visits() == 0 {
                continue;
            }
            assert_eq!(kept.visits(), candidate.visits);
            let mover_changed = kept.root_outcome().reversed();
            assert!((mover_changed.value() - candidate.outcome.value()).abs() < 1e-5);
            assert_eq!(kept.principal_variation(), line[1..]);
            if candidate.proven_in.is_some() {
                assert_eq!(mover_changed, candidate.outcome);
                assert_eq!(kept.root_moves()[0].proven_in.map(|plies| plies + 1), candidate.proven_in);
                decided += 1;
            }
            let mut fresh = Search::new(kept.position().clone(), SearchSettings::default());
            fresh.run(&mut opinionated, &Limits::visits(candidate.visits));
            if fresh.visits() == kept.visits() {
                assert_eq!(fresh.root_moves(), kept.root_moves());
            }
        }
    }
    assert!(decided > 10, "{decided}");
}

/// Nodes that are kept are not evaluated again.
#[test]
fn kept_nodes_are_not_evaluated_again() {
    let mut search = Search::new(position(5, "a1 c3"), SearchSettings::default());
    search.run(&mut opinionated, &Limits::visits(300));
    search.advance(search.best_action().unwrap());
    let kept = search.visits();
    assert!(kept > 50, "{kept}");
    let judged = Cell::new(0);
    let mut judge = |game: &Position, legal: &[Action]| {
        judged.set(judged.get() + 1);
        opinionated(game, legal)
    };
    search.run(&mut judge, &Limits::visits(kept));
    search.run(&mut judge, &Limits::visits(kept + 20));
    assert_eq!((search.visits(), judged.get()), (kept + 20, 20));
    search.forget();
    assert_eq!((search.visits(), search.root_moves().len(), search.best_action()), (0, 0, None));
    search.run(&mut judge, &Limits::visits(10));
    assert_eq!((search.visits(), judged.get()), (10, 30));
    // A move without visits has no subtree to keep.
    let unseen = search.root_moves().into_iter().find(|candidate| candidate.visits == 0).unwrap();
    search.advance(unseen.action);
    assert_eq!(search.visits(), 0);
}

/// The visits of the root's moves add up to one less than the root's, however many leaves are in flight at a time.
#[test]
fn visits_are_counted_once() {
    for leaves_out in [1, 3, 8] {
        let mut search = Search::new(position(5, "a1"), SearchSettings::default());
        search.run(&mut opinionated, &Limits::visits(1));
        for _ in 0..40 {
            let selected = std::iter::from_fn(|| match search.select() {
                Selection::Leaf(leaf) => Some(leaf),
                _ => None,
            });
            let leaves: Vec<_> = selected.take(leaves_out).collect();
            for leaf in leaves {
                let evaluation = opinionated(&leaf.position, &leaf.legal);
                search.expand(leaf, &evaluation);
            }
            assert_eq!(sum(&search) + 1, search.visits());
        }
        assert!(search.visits() > 40, "{leaves_out}: {}", search.visits());
    }
}
