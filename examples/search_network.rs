//! Searches a position with the network that ships, and prints what it found.
//! The crates `hexzero-games`, `hexzero-search` and `hexzero-nn` are all it needs: no candle.
//!
//! ```sh
//! cargo run --release --example search_network -- hex 5 "b2 swap"
//! ```

use std::error::Error;

use hexzero::games::{game_named, play_all};
use hexzero::models;
use hexzero::network::{NetworkEvaluator, Precision};
use hexzero::search::{Limits, Search, SearchSettings};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, size, moves] = &arguments[..] else {
        return Err("usage: search_network GAME SIZE MOVES, such as: hex 5 \"b2 swap\"".into());
    };
    let game = game_named(game)?;
    let mut position = game.start(size.parse()?)?;
    play_all(&mut position, moves)?;

    // `Checkpoint::read(path)` takes a checkpoint of your own.
    let checkpoint = models::shipped(game)?;
    let mut network = NetworkEvaluator::new(game, &checkpoint, models::SHIPPED, Precision::best())?;
    let mut search = Search::new(position, SearchSettings::default());
    search.run(&mut network, &Limits::visits(400));
    for found in search.root_moves().iter().take(3) {
        let mut after = search.position().clone();
        let line = search.variation_from(found.action).into_iter().map(|action| {
            let name = after.action_name(action);
            after.play(action);
            name
        });
        let line: Vec<String> = line.collect();
        println!("{:5} visits  {:.3}  {}", found.visits, found.outcome.expected(), line.join(" "));
    }
    Ok(())
}
