//! A small checkpoint for tests.

use hexzero_games::game_named;
use hexzero_nn::{Checkpoint, FORMAT_VERSION, Metadata};
use hexzero_train::{Recipe, Trainer};

/// Returns an untrained network for Cachex whose weights are drawn by `seed`.
pub(crate) fn checkpoint(seed: u64) -> Checkpoint {
    let game = game_named("cachex").unwrap();
    let mut recipe = Recipe { seed, ..Recipe::of(game) };
    (recipe.network.blocks, recipe.network.channels) = (1, 16);
    let metadata = Metadata {
        format_version: FORMAT_VERSION,
        game: game.network.to_owned(),
        architecture: recipe.network.clone(),
        view: game.view.clone(),
        step: 0,
        games: 0,
        positions: 0,
        parent: None,
        recipe_hash: None,
        rating: None,
    };
    Checkpoint { metadata, tensors: Trainer::new(game, &recipe).unwrap().averaged().unwrap() }
}
