//! The search through its public interface, with evaluators made up for the test.

mod levels;
mod limits;
mod mates;
mod noise;
mod positions;
mod pruning;
mod tree;

use hexzero::games::{Action, Evaluation, Evaluator, Position, WinDrawLoss};
use hexzero::search::{Limits, RootNoise, Search, SearchSettings, Selection};
use positions::{position, uniform};

use crate::network::rng;

fn search(game: Position, visits: u32) -> Search {
    let mut search = Search::new(game, SearchSettings::default());
    search.run(&mut uniform, &Limits::visits(visits));
    search
}

#[test]
fn win_in_one_needs_no_evaluation() {
    let game = position(3, "a1 c1 a2 c2");
    let mut search = Search::new(game, SearchSettings::default());
    let mut never = |_: &Position, _: &[Action]| -> Evaluation { panic!("nothing needs an evaluation") };
    search.run(&mut never, &Limits::visits(100));
    let moves = search.root_moves();
    assert_eq!(moves.len(), 1);
    assert!(moves[0].is_proven_win());
    assert_eq!(search.position().action_name(moves[0].action), "a3");
    assert_eq!(search.root_outcome().win, 1.0);
}

#[test]
fn only_move_is_found_by_refuting_the_others() {
    // Red threatens a3; Blue must be there first.
    let game = position(3, "a1 c1 a2");
    let search = search(game, 200);
    let moves = search.root_moves();
    assert_eq!(search.position().action_name(moves[0].action), "a3");
    let losing = moves[1..].iter().filter(|root_move| root_move.is_proven_loss());
    assert_eq!(losing.count(), moves.len() - 1);
}

/// Eight captures go round in a circle: the ninth position is the first again, and is not evaluated.
#[test]
fn position_that_occurs_again_is_a_draw() {
    let opening = "a4 a1 a2 c2 c4 c3 b1 a3 c1 b2 b3 b4 a4 b2 d2 c4 b3 c2 b3 c1 b1";
    let circle = ["b4", "a2", "a3", "a4", "a1", "b3", "b2", "b1"];
    let start = position(15, opening);
    let turns = start.turns();
    let plies_seen = |settings: SearchSettings| {
        let mut most = 0;
        let mut search = Search::new(start.clone(), settings);
        let mut along_the_circle = |position: &Position, legal: &[Action]| {
            most = most.max(position.turns() - turns);
            let next = position.parse_action(circle[(position.turns() - turns) % 8]).unwrap();
            let priors = legal.iter().map(|&action| f32::from(u8::from(action == next))).collect();
            Evaluation { priors, outcome: WinDrawLoss::DRAW }
        };
        search.run(&mut along_the_circle, &Limits::visits(20));
        (most, search.principal_variation().len())
    };
    let counting_to_seven = SearchSettings { repetitions_draw: false, ..SearchSettings::default() };
    assert_eq!(plies_seen(counting_to_seven), (19, 19));
    assert_eq!(plies_seen(SearchSettings::default()), (7, 8));
}

#[test]
fn root_noise_keeps_priors_summing_to_one() {
    let mut search = Search::new(position(5, "a1"), SearchSettings::default());
    search.expand_root(&mut uniform);
    let before: Vec<f32> = search.root_moves().iter().map(|root_move| root_move.prior).collect();
    assert!(before.iter().all(|&prior| prior == before[0]));
    let noise = RootNoise { concentration: 10.0, fraction: 0.25, ..RootNoise::default() };
    search.add_root_noise(&noise, &mut rng(1));
    let after: Vec<f32> = search.root_moves().iter().map(|root_move| root_move.prior).collect();
    assert!((after.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    assert!(after.iter().all(|&prior| prior >= 0.75 * before[0] - 1e-6));
    assert!(after[0] > before[0]);
}

/// The two halves by hand, as a remote evaluator would use them.
#[test]
fn leaves_are_handed_out_and_answers_taken() {
    let mut search = Search::new(position(4, "a1 b2"), SearchSettings::default());
    let next = |search: &mut Search| match search.select() {
        Selection::Leaf(leaf) => leaf,
        other => panic!("{other:?}"),
    };
    let root = next(&mut search);
    assert_eq!((root.position.turns(), root.legal.len()), (2, 14));
    assert!(matches!(search.select(), Selection::Awaited), "there is nothing else before the root is judged");
    search.expand(root, &Evaluation::uniform(14));
    // Three leaves at the same time, all different, and answered in another order.
    let leaves = [next(&mut search), next(&mut search), next(&mut search)];
    assert!(leaves.iter().all(|leaf| leaf.position.turns() == 3));
    assert_eq!(search.visits(), 1, "what has not been answered does not count");
    for leaf in leaves.into_iter().rev() {
        let evaluation = uniform.evaluate(&leaf.position, &leaf.legal);
        search.expand(leaf, &evaluation);
    }
    assert_eq!(search.visits(), 4);
    assert_eq!(search.root_moves().iter().filter(|root_move| root_move.visits == 1).count(), 3);
}
