//! The figures of an iteration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::selfplay::ResignationCheck;

use super::game_statistics::GameStatistics;
use super::judgement::Judgement;
use super::loss_values::Losses;
use super::state::Counters;

/// The figures of an iteration, as they stand in `metrics.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IterationReport {
    /// How far the run has come.
    #[serde(flatten)]
    pub counters: Counters,
    /// How the games of this iteration went.
    #[serde(flatten)]
    pub games: GameStatistics,
    /// The same for the games of each board size.
    pub by_size: BTreeMap<u8, GameStatistics>,
    /// When sides gave up, and how often that is wrong, if the recipe lets them.
    pub resignation: Option<ResignationCheck>,
    /// How sure network and search were, and how right.
    #[serde(flatten)]
    pub judgement: Judgement,
    /// The kernel and the precision of self-play, on which its games depend beside recipe and seed.
    pub evaluation: String,
    /// The share of the positions of self-play that the evaluation cache knew, if there is one.
    pub cache_hits: Option<f64>,
    /// Seconds of self-play, those of games that an interruption left included; 0 if the games are another run's.
    pub selfplay_seconds: f64,
    /// Seconds of training.
    pub training_seconds: f64,
    /// Positions in the window.
    pub window: usize,
    /// Mean losses over the iteration's steps.
    pub losses: Losses,
    /// The step size of the last step.
    pub learning_rate: f64,
    /// The mean length of the gradient over the iteration's steps, before it was clipped.
    pub gradient_length: f64,
    /// The name of the checkpoint it ended with, in the run's `checkpoints/`. All but every
    /// `keep_every`-th are removed when the next one is there.
    pub checkpoint: String,
}

impl IterationReport {
    /// Every single number in it with its name: those of nested figures after the name of what they are in, as in
    /// `losses/policy`, all others after `run`. Lists are left out.
    pub fn scalars(&self) -> Vec<(String, f64)> {
        let mut scalars = Vec::new();
        if let Ok(Value::Object(figures)) = serde_json::to_value(self) {
            for (name, value) in figures {
                let name = if value.is_object() { name } else { format!("run/{name}") };
                collect_scalars(name, &value, &mut scalars);
            }
        }
        scalars
    }
}

fn collect_scalars(name: String, value: &Value, scalars: &mut Vec<(String, f64)>) {
    match value {
        Value::Number(number) => scalars.extend(number.as_f64().map(|number| (name, number))),
        Value::Object(parts) => {
            for (part, value) in parts {
                collect_scalars(format!("{name}/{part}"), value, scalars);
            }
        }
        _ => {}
    }
}
