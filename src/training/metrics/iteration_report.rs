//! The figures of an iteration.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::selfplay::ResignationCheck;
use crate::training::folder::Counters;
use crate::training::loss::Losses;

use super::game_statistics::GameStatistics;
use super::prediction_quality::PredictionQuality;

/// The figures of an iteration, as written to `metrics.jsonl`. [`crate::training::Metrics`] reads them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IterationReport {
    /// The progress of the run.
    #[serde(flatten)]
    pub counters: Counters,
    /// Statistics of this iteration's games.
    #[serde(flatten)]
    pub games: GameStatistics,
    /// Statistics of this iteration's games on each board size.
    pub by_size: BTreeMap<u8, GameStatistics>,
    /// Resignations, and how often they are wrong, if the recipe allows them.
    pub resignation: Option<ResignationCheck>,
    /// Entropy and calibration of network and search.
    #[serde(flatten)]
    pub predictions: PredictionQuality,
    /// The kernel and the precision of self-play, on which its games depend beside recipe and seed.
    pub evaluation: String,
    /// The hit rate of the evaluation cache in self-play, if there is one.
    pub cache_hits: Option<f64>,
    /// Seconds of self-play, including games kept from an interruption; 0 if the games are another run's.
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
    /// Lists all scalars with their names: nested figures after the name of their parent, as in `losses/policy`, all
    /// others after `run`. Lists are left out.
    pub fn scalars(&self) -> Vec<(String, f64)> {
        serde_json::to_value(self).map_or(Vec::new(), |figures| scalars(&figures))
    }
}

/// Lists all scalars in the figures of an iteration; see [`IterationReport::scalars`].
pub(super) fn scalars(figures: &Value) -> Vec<(String, f64)> {
    let mut scalars = Vec::new();
    for (name, value) in figures.as_object().into_iter().flatten() {
        let name = if value.is_object() { name.clone() } else { format!("run/{name}") };
        collect_scalars(name, value, &mut scalars);
    }
    scalars
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
