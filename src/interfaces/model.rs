//! What the engine judges positions with.

use std::path::Path;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::{Action, Cachex, Evaluation, Evaluator, Game, WinDrawLoss};

use super::error::CliError;

/// An evaluator that can be handed to an engine.
pub type BoxedEvaluator<G> = Box<dyn Evaluator<G> + Send>;

/// An evaluator and what to call it.
pub struct LoadedModel<G = Cachex> {
    /// What it is, in a few words, to be shown to the user.
    pub description: String,
    /// What judges.
    pub evaluator: BoxedEvaluator<G>,
}

/// The model in a checkpoint file, or without one the model that ships with the program.
///
/// # Errors
/// If the file cannot be read or is no checkpoint for this game.
pub fn load_evaluator(model: Option<&Path>) -> Result<LoadedModel, CliError> {
    // PLACEHOLDER, to be replaced as a whole: a checkpoint read from `model`, or the shipped one.
    if let Some(path) = model {
        std::fs::metadata(path).map_err(|source| CliError::Read { path: path.to_owned(), source })?;
        return Err(CliError::NotBuilt("reading a checkpoint"));
    }
    Ok(LoadedModel { description: "random playouts".to_owned(), evaluator: Box::new(playouts()) })
}

/// PLACEHOLDER for a network: uniform priors and one random playout, always the same sequence.
fn playouts<G: Game>() -> impl FnMut(&G, &[Action]) -> Evaluation + Send {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
    let mut actions = Vec::new();
    move |game, legal| {
        let mut playout = game.clone();
        while playout.outcome().is_none() {
            playout.legal_actions(&mut actions);
            let Some(&action) = actions.choose(&mut rng) else { break };
            playout.play(action);
        }
        let value = playout.outcome().map_or(0.0, |outcome| G::value_for(outcome, game.to_move()));
        Evaluation { outcome: WinDrawLoss::certain(value), ..Evaluation::uniform(legal.len()) }
    }
}
