//! Searches many positions together with an evaluator of batches, as for a network on a GPU or in another process.
//! The crates `hexzero-games` and `hexzero-search` are all it needs.
//!
//! ```sh
//! cargo run --release --example search_batches -- hex 5 16
//! ```

use std::error::Error;

use hexzero::games::{BatchEvaluator, Evaluation, Query, game_named};
use hexzero::search::{Limits, Search, SearchSettings};

/// Stands for an evaluator elsewhere, to which `evaluate_batch` would send the positions. This one computes the evaluations itself:
/// priors that fall from the first legal action to the last, and even chances.
#[derive(Default)]
struct Elsewhere {
    batches: usize,
    positions: usize,
}

impl BatchEvaluator for Elsewhere {
    fn batch(&self) -> usize {
        64
    }

    fn evaluate_batch(&mut self, queries: &[Query<'_>]) -> Vec<Evaluation> {
        let answer = |query: &Query<'_>| {
            let weights: Vec<f32> = (1..=query.legal.len()).map(|rank| 1.0 / rank as f32).collect();
            let sum: f32 = weights.iter().sum();
            let priors = weights.iter().map(|weight| weight / sum).collect();
            Evaluation { priors, ..Evaluation::uniform(query.legal.len()) }
        };
        self.batches += 1;
        self.positions += queries.len();
        queries.iter().map(answer).collect()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, size, games] = &arguments[..] else {
        return Err("usage: search_batches GAME SIZE GAMES, such as: hex 5 16".into());
    };
    let start = game_named(game)?.start(size.parse()?)?;
    // One search for each position after the first move, up to the number that was asked for.
    let legal = start.legal();
    let after = |&action| Search::new(start.after(action), SearchSettings::default());
    let mut searches: Vec<Search> = legal.iter().take(games.parse()?).map(after).collect();
    let mut evaluator = Elsewhere::default();
    Search::run_together(&mut searches, &mut evaluator, &Limits::visits(100));
    for (search, &action) in searches.iter().zip(&legal) {
        let answer = search.best_action().map_or_else(String::new, |best| search.position().action_name(best));
        println!("{}: {answer}, {} visits", start.action_name(action), search.visits());
    }
    let mean = evaluator.positions as f64 / evaluator.batches.max(1) as f64;
    println!("{} batches of {mean:.1} positions", evaluator.batches);
    Ok(())
}
