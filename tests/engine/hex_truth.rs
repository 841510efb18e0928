//! Compares a network's values of openings with what is known: which first stones win on boards of 3×3 to 8×8, and a
//! strong engine's estimates for 11×11 (see `tests/data/README.md`).
//!
//! ```sh
//! cargo test --release --test engine hex_truth -- --nocapture
//! HEXZERO_MODEL=runs/hex/checkpoints/step-….safetensors cargo test --release --test engine hex_truth -- --nocapture
//! ```
//!
//! The first command measures the shipped model, the second any checkpoint; `HEXZERO_VISITS` sets the visits of a search.

use std::collections::BTreeMap;
use std::path::Path;

use hexzero::games::{Action, Game};
use hexzero::models::{SHIPPED, shipped};
use hexzero::network::{Checkpoint, NetworkEvaluator, Precision};
use hexzero::search::{Limits, Puct, Search};
use rayon::prelude::*;

use crate::games::{hex, hex_without_swap};

const VISITS: u32 = 1_000;

/// The searched position after an opening.
fn after(game: Game, size: usize, opening: Action, evaluator: &NetworkEvaluator, visits: u32) -> Search {
    let mut position = game.start(size).unwrap();
    position.play(opening);
    let mut search = Search::new(position, Puct::default());
    search.run(&mut evaluator.clone(), &Limits::visits(visits));
    search
}

/// Returns whether the evaluation of an opening is right, and the decision to swap it.
fn judge(size: usize, opening: Action, wins: bool, evaluator: &NetworkEvaluator, visits: u32) -> (bool, bool) {
    // Without the swap the opener keeps the stone. The search speaks for the player to move, the opponent.
    let verdict = after(hex_without_swap(), size, opening, evaluator, visits).root_outcome().value() < 0.0;
    let choice = after(hex(), size, opening, evaluator, visits);
    let swaps = choice.best_action().map(|action| choice.position().action_name(action)) == Some("swap".to_owned());
    (verdict == wins, swaps == wins)
}

/// The network that is measured, and the visits of a search.
fn measured() -> (NetworkEvaluator, u32) {
    let visits = std::env::var("HEXZERO_VISITS").map_or(VISITS, |visits| visits.parse().unwrap());
    let (name, checkpoint) = match std::env::var("HEXZERO_MODEL") {
        Ok(path) => (path.clone(), Checkpoint::read(Path::new(&path)).unwrap()),
        Err(_) => (SHIPPED.to_owned(), shipped(hex()).unwrap()),
    };
    println!("{name}, {visits} visits");
    (NetworkEvaluator::new(hex(), &checkpoint, &name, Precision::best()).unwrap(), visits)
}

#[test]
fn verdicts_on_every_opening() {
    let (evaluator, visits) = measured();
    let known: BTreeMap<usize, Vec<String>> = serde_json::from_str(include_str!("../data/hex_openings.json")).unwrap();
    let mut short = Vec::new();
    for (size, winning) in known {
        let board = hex().game_board(size).unwrap().board();
        let cells = size * size;
        let judged: Vec<(bool, bool)> = (0..cells)
            .into_par_iter()
            .map(|cell| {
                let wins = winning.iter().any(|name| name == board.label(cell));
                judge(size, Action(cell as u16), wins, &evaluator, visits)
            })
            .collect();
        let wrong = |right: fn(&(bool, bool)) -> bool| {
            let cells = (0..cells).filter(|&cell| !right(&judged[cell]));
            cells.map(|cell| board.label(cell)).collect::<Vec<_>>()
        };
        let wrong = [wrong(|judged| judged.0), wrong(|judged| judged.1)];
        let right = wrong.each_ref().map(|wrong| cells - wrong.len());
        let share = right.map(|right| 100.0 * right as f64 / cells as f64);
        println!(
            "{size}×{size}: verdicts {}/{cells} ({:.1} %), swaps {}/{cells} ({:.1} %); wrong: {} | {}",
            right[0],
            share[0],
            right[1],
            share[1],
            wrong[0].join(" "),
            wrong[1].join(" ")
        );
        let wanted = if size <= 5 { 100.0 } else { 95.0 };
        if share.iter().any(|&share| share < wanted) {
            short.push(size);
        }
    }
    assert!(short.is_empty(), "all openings up to 5×5 and 95 % above should be right; they are not at {short:?}");
}

/// The rank of each value among all, the mean of their places where several are equal.
fn ranks(values: &[f64]) -> Vec<f64> {
    let below = |value: f64| values.iter().filter(|&&other| other < value).count();
    let equal = |value: f64| values.iter().filter(|&&other| other == value).count();
    values.iter().map(|&value| below(value) as f64 + (equal(value) as f64 - 1.0) / 2.0).collect()
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let covariance = |x: &[f64], mean_x, y: &[f64], mean_y: f64| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum()
    };
    covariance(a, mean_a, b, mean_b) / (covariance(a, mean_a, a, mean_a) * covariance(b, mean_b, b, mean_b)).sqrt()
}

/// Nothing is proven on 11×11. The network ranks the first stones much as a strong engine's games do.
#[test]
fn openings_on_11x11_rank_as_by_a_strong_engine() {
    let (evaluator, visits) = measured();
    let rows: Vec<Vec<f64>> = serde_json::from_str(include_str!("../data/hex_opening_estimates.json")).unwrap();
    let estimates = rows.concat();
    let expected: Vec<f64> = (0..estimates.len())
        .into_par_iter()
        .map(|cell| {
            let search = after(hex_without_swap(), rows.len(), Action(cell as u16), &evaluator, visits);
            -f64::from(search.root_outcome().value())
        })
        .collect();
    let correlation = correlation(&ranks(&estimates), &ranks(&expected));
    let sides = estimates.iter().zip(&expected);
    let agreed = sides.filter(|&(&estimate, &expected)| (estimate > 50.0) == (expected > 0.0)).count();
    println!("11×11: rank correlation {correlation:.3}, the same winner after {agreed} of {}", estimates.len());
    assert!(correlation >= 0.9, "the rank correlation with the estimates is {correlation:.3}");
}
