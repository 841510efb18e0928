//! Plays a match between the shipped network and a built-in player, and prints the result.
//!
//! ```sh
//! cargo run --release --example play_match -- hex 5 20 alphabeta:2
//! ```

use std::error::Error;

use hexzero::arena::{MatchSettings, play_match};
use hexzero::games::game_named;
use hexzero::models;
use hexzero::network::Backend;
use hexzero::players::{PlayerOptions, PlayerSource};
use hexzero::search::Limits;
use hexzero::stop::StopSignal;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, size, games, opponent] = &arguments[..] else {
        return Err("usage: play_match GAME SIZE GAMES OPPONENT, such as: hex 5 20 alphabeta:2".into());
    };
    let game = game_named(game)?;
    let network = models::shipped(game)?;
    let (options, limits) = (PlayerOptions::default(), Limits::visits(100));
    let shipped = PlayerSource::network(
        game,
        "shipped".to_owned(),
        &network,
        &Backend::default(),
        options,
        limits,
        PlayerSource::CACHE,
    )?;
    let opponent = PlayerSource::built_in(opponent.parse()?);
    // On all cores. The same seed gives the same openings and the same games.
    let settings = MatchSettings { size: size.parse()?, games: games.parse()?, seed: 0, sequential: None, threads: 0 };
    let stop = StopSignal::new();
    let result = play_match(
        game,
        || shipped.player(),
        || opponent.player(),
        &settings,
        &stop,
        |progress| {
            println!("game {}: {} moves", progress.tally.games, progress.last.moves.len());
        },
    )?;
    let tally = &result.tally;
    println!("{} wins, {} losses, {} draws", tally.wins_a, tally.wins_b, tally.draws);
    println!("Elo {:+.0}, 95 % interval {:+.0} to {:+.0}", result.elo.elo, result.elo.low, result.elo.high);
    Ok(())
}
