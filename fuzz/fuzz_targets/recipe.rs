//! Recipes: what is accepted can be written, and is the same when it is read again.
#![no_main]

use hexzero::games::default_game;
use hexzero::training::{Counters, Recipe};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let game = match Recipe::game_in_text(text, "fuzz") {
        Ok(game) => game.unwrap_or(default_game()),
        Err(_) => return,
    };
    let Ok(recipe) = Recipe::parse(game, text, "fuzz") else { return };
    let again = Recipe::parse(game, &recipe.to_toml(), "again").expect("it was accepted");
    assert_eq!(again.hash(), recipe.hash());
    for step in [0, 1, 1000, u64::MAX] {
        for seconds in [0.0, 1.0, 1e6, f64::INFINITY] {
            let _ = recipe.at(&Counters { step, seconds, ..Counters::default() });
        }
    }
});
