//! Searches with a function in place of a network, and keeps the tree from move to move.
//! The crates `hexzero-games` and `hexzero-search` are all it needs.
//!
//! ```sh
//! cargo run --release --example search_function -- hex 4
//! ```

use std::error::Error;

use hexzero::games::{Action, Evaluation, GameRng, Position, WinDrawLoss, game_named};
use hexzero::search::{Limits, Search, SearchSettings};
use rand::SeedableRng;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, size] = &arguments[..] else {
        return Err("usage: search_function GAME SIZE, such as: hex 4".into());
    };

    // Any function of a position and its legal actions is an evaluator: here all moves have the same prior, and one random game
    // gives the chances of the player to move.
    let mut rng = GameRng::seed_from_u64(0);
    let mut evaluate = move |position: &Position, legal: &[Action]| {
        let winner = position.clone().playout(&mut rng, &mut Vec::new()).winner;
        let value = winner.map_or(0.0, |winner| if winner == position.to_move() { 1.0 } else { -1.0 });
        Evaluation { outcome: WinDrawLoss::certain(value), ..Evaluation::uniform(legal.len()) }
    };

    let mut search = Search::new(game_named(game)?.start(size.parse()?)?, SearchSettings::default());
    while search.position().outcome().is_none() {
        search.run(&mut evaluate, &Limits::visits(500));
        let best = search.best_action().ok_or("nothing was searched")?;
        let (name, chance) = (search.position().action_name(best), search.root_outcome().expected());
        println!("{name:6} {:.2}{}", chance, if search.is_proven() { "  proven" } else { "" });
        // What was searched below the move stays.
        search.advance(best);
    }
    println!("{}", search.position().drawing(None));
    Ok(())
}
