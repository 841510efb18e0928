//! A small checkpoint for tests.

use crate::games::game_named;
use crate::network::{Checkpoint, FORMAT_VERSION, Metadata};
use crate::training::{Recipe, Trainer};

/// Returns an untrained network for Cachex whose weights are drawn by `seed`.
pub(in crate::cluster) fn checkpoint(seed: u64) -> Checkpoint {
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
