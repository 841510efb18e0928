//! What the network is trained to make small.

use candle_core::{Result, Tensor};
use serde::{Deserialize, Serialize};

use crate::network::{Heads, log_softmax_segments};

use super::sample::Batch;

/// The weights of the losses in their sum. Every field is a key of `[training.losses]`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LossWeights {
    /// Cross entropy of the policy against the visits of the search.
    pub policy: f64,
    /// Cross entropy of win, draw and loss.
    pub outcome: f64,
    /// Cross entropy of the opponent's reply (KataGo).
    pub reply: f64,
    /// Cross entropy of what each cell holds at the end, the mean over cells.
    pub ownership: f64,
    /// Squared error of the plies left, in units of the number of cells.
    pub moves_left: f64,
}

impl LossWeights {
    /// All of them.
    pub(super) fn all(&self) -> [f64; 5] {
        [self.policy, self.outcome, self.reply, self.ownership, self.moves_left]
    }
}

impl Default for LossWeights {
    fn default() -> Self {
        Self { policy: 1.0, outcome: 1.5, reply: 0.15, ownership: 0.3, moves_left: 0.1 }
    }
}

/// The losses of a batch before weighting: means over positions, or cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// See [`LossWeights::policy`]. At least the entropy of the visits.
    pub policy: f32,
    /// See [`LossWeights::outcome`].
    pub outcome: f32,
    /// See [`LossWeights::reply`].
    pub reply: f32,
    /// See [`LossWeights::ownership`].
    pub ownership: f32,
    /// See [`LossWeights::moves_left`].
    pub moves_left: f32,
    /// The weighted sum, which is what training makes small.
    pub total: f32,
}

impl Losses {
    /// Adds another batch's losses.
    pub fn add(&mut self, other: &Self) {
        self.policy += other.policy;
        self.outcome += other.outcome;
        self.reply += other.reply;
        self.ownership += other.ownership;
        self.moves_left += other.moves_left;
        self.total += other.total;
    }

    /// Divides by a number of batches.
    pub fn divide(&mut self, batches: f32) {
        for loss in [
            &mut self.policy,
            &mut self.outcome,
            &mut self.reply,
            &mut self.ownership,
            &mut self.moves_left,
            &mut self.total,
        ] {
            *loss /= batches;
        }
    }
}

/// `-Σ target · log_probability / count`.
fn cross_entropy(log_probabilities: &Tensor, target: &Tensor, count: usize) -> Result<Tensor> {
    (log_probabilities * target)?.sum_all()? * (-1.0 / count.max(1) as f64)
}

/// The logits of cells, then of global actions, picked by place.
fn picked(cells: &Tensor, globals: &Tensor, places: &Tensor) -> Result<Tensor> {
    Tensor::cat(&[cells.flatten_all()?, globals.flatten_all()?], 0)?.index_select(places, 0)
}

/// The log-probabilities of rows of three logits, `[rows × 3]` to `[3·rows]`.
fn log_thirds(logits: &Tensor) -> Result<Tensor> {
    let starts: Vec<usize> = (0..=logits.dim(0)?).map(|row| row * 3).collect();
    log_softmax_segments(&logits.flatten_all()?, starts.into())
}

/// What the losses of a step are means over, when the step is taken in several parts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub positions: usize,
    pub replies: usize,
    pub cells: usize,
}

impl Totals {
    pub fn of(batches: &[Batch]) -> Self {
        batches.iter().fold(Self::default(), |sum, batch| Self {
            positions: sum.positions + batch.positions(),
            replies: sum.replies + batch.replies,
            cells: sum.cells + batch.boards.cells(),
        })
    }
}

/// A part's share of the weighted sum of a step's losses, to differentiate, and of each of them.
pub(super) fn losses(heads: &Heads, batch: &Batch, weights: &LossWeights, totals: &Totals) -> Result<(Tensor, Losses)> {
    let policy = picked(&heads.cell_policy, &heads.global_policy, &batch.policy_places)?;
    let policy = log_softmax_segments(&policy, batch.policy_starts.clone())?;
    let policy = cross_entropy(&policy, &batch.policy, totals.positions)?;
    let reply = picked(&heads.cell_reply, &heads.global_reply, &batch.reply_places)?;
    let reply = log_softmax_segments(&reply, batch.reply_starts.clone())?;
    let reply = cross_entropy(&reply, &batch.reply, totals.replies)?;
    let outcome = cross_entropy(&log_thirds(&heads.outcome)?, &batch.outcome.flatten_all()?, totals.positions)?;
    let ownership = cross_entropy(&log_thirds(&heads.ownership)?, &batch.ownership.flatten_all()?, totals.cells)?;
    let moves_left = (&heads.moves_left - &batch.moves_left)?.sqr()?.sum_all()?;
    let moves_left = (moves_left / totals.positions as f64)?;

    let weighted = [
        (&policy, weights.policy),
        (&outcome, weights.outcome),
        (&reply, weights.reply),
        (&ownership, weights.ownership),
        (&moves_left, weights.moves_left),
    ];
    let mut total = (weighted[0].0 * weighted[0].1)?;
    for (loss, weight) in &weighted[1..] {
        total = (total + (*loss * *weight)?)?;
    }
    let losses = Losses {
        policy: policy.to_scalar()?,
        outcome: outcome.to_scalar()?,
        reply: reply.to_scalar()?,
        ownership: ownership.to_scalar()?,
        moves_left: moves_left.to_scalar()?,
        total: total.to_scalar()?,
    };
    Ok((total, losses))
}
