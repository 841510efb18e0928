//! The losses: one entry each in the list of terms, their values by name, their weighted sum.

mod values;

use candle_core::{DType, Result, Tensor};
use candle_nn::loss::mse;
use candle_nn::ops::log_softmax;

use crate::examples::Batch;
use hexzero_graph::{Heads, NetworkInGraph, SegmentTargets, UNKNOWN_CLASS, class_cross_entropy, segment_cross_entropy};

pub use values::{LossWeights, Losses};

/// A term of the total loss: a mean over its targets, which are of positions, of cells, or several of each.
struct Loss {
    /// The loss's key in `[training.losses]` and in the metrics.
    pub name: &'static str,
    /// The loss's default weight in the total.
    pub weight: f64,
    /// Returns the number of targets of a batch.
    pub targets: fn(&Batch) -> usize,
    /// Returns the sum over the targets.
    pub sum: fn(&Heads, &Batch) -> Result<Tensor>,
}

/// The number of losses.
const COUNT: usize = 4;

/// All losses.
const LOSSES: [Loss; COUNT] = [
    Loss { name: "policy", weight: 1.0, targets: |batch| batch.policies, sum: policy },
    Loss { name: "outcome", weight: 1.5, targets: Batch::positions, sum: outcome },
    Loss {
        name: "ownership",
        weight: 0.3,
        targets: |batch| batch.ownership.iter().filter(|&&class| class != UNKNOWN_CLASS).count(),
        sum: ownership,
    },
    Loss { name: "moves_left", weight: 0.1, targets: |batch| batch.finishes, sum: moves_left },
];

/// Returns the cross entropy of win, draw and loss. `candle_nn::loss` has that against one right class only.
fn outcome(heads: &Heads, batch: &Batch) -> Result<Tensor> {
    let (logits, target) = (&heads.outcome, &batch.outcome);
    if logits.device().is_cpu() {
        let starts = (0..=target.elem_count()).step_by(3).collect();
        let places = Tensor::arange(0, target.elem_count() as u32, target.device())?;
        let targets = SegmentTargets { places, starts, shares: target.clone() };
        let nothing = Tensor::zeros(0, DType::F32, target.device())?;
        return segment_cross_entropy(logits, &nothing, targets);
    }
    (log_softmax(logits, 1)? * target)?.sum_all()?.neg()
}

/// Joins the logits of cells and of global actions, cells first.
fn all_logits(cells: &Tensor, globals: &Tensor) -> Result<Tensor> {
    let cells = cells.flatten_all()?;
    if globals.elem_count() == 0 { Ok(cells) } else { Tensor::cat(&[cells, globals.flatten_all()?], 0) }
}

/// Returns the cross entropy of the policy against the visits of the search, as shares of the legal actions. It is at least
/// the entropy of the visits.
fn policy(heads: &Heads, batch: &Batch) -> Result<Tensor> {
    let (cells, globals) = (&heads.cell_policy, &heads.global_policy);
    match &batch.on_device {
        Some(targets) => targets.policy.cross_entropy(&all_logits(cells, globals)?),
        None => {
            let (places, starts) = (batch.policy_places.clone(), batch.policy_starts.clone());
            segment_cross_entropy(cells, globals, SegmentTargets { places, starts, shares: batch.policy.clone() })
        }
    }
}

/// Returns the cross entropy of what each cell holds at the end.
fn ownership(heads: &Heads, batch: &Batch) -> Result<Tensor> {
    match &batch.on_device {
        Some(targets) => targets.ownership.cross_entropy(&heads.ownership),
        None => class_cross_entropy(&heads.ownership, batch.ownership.clone()),
    }
}

/// Returns the squared error of the plies left, in units of the number of cells.
fn moves_left(heads: &Heads, batch: &Batch) -> Result<Tensor> {
    // Unknown targets are 0, and so is their error. candle's loss is the mean over all positions.
    let known = (&heads.moves_left * &batch.finished)?;
    mse(&known, &batch.moves_left)? * batch.positions() as f64
}

/// The number of targets of each loss in a step of several parts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Totals([usize; COUNT]);

impl Totals {
    pub fn of(batches: &[Batch]) -> Self {
        Self(LOSSES.each_ref().map(|loss| batches.iter().map(loss.targets).sum()))
    }
}

/// A part's share of the total loss of a step, to differentiate, and of each loss.
#[derive(Debug)]
pub(crate) struct Shares {
    pub total: Tensor,
    each: Vec<(usize, Tensor)>,
}

impl Shares {
    /// Reads the losses; a device must finish computing them first.
    pub fn values(&self) -> Result<Losses> {
        let mut losses = Losses { total: self.total.to_scalar()?, ..Losses::default() };
        for (number, mean) in &self.each {
            losses.each[*number] = Some(mean.to_scalar()?);
        }
        Ok(losses)
    }
}

/// Returns a part's share of the losses. Losses without a weight are not computed.
pub(crate) fn losses(
    network: &NetworkInGraph<'_>,
    batch: &Batch,
    weights: &LossWeights,
    totals: &Totals,
) -> Result<Shares> {
    let heads = network.forward(&batch.cells, &batch.globals, &batch.boards)?;
    let mut total = Tensor::zeros((), DType::F32, batch.cells.device())?;
    let mut each = Vec::new();
    for (number, (loss, weight)) in LOSSES.iter().zip(weights.0).enumerate() {
        if weight > 0.0 {
            let mean = ((loss.sum)(&heads, batch)? / totals.0[number].max(1) as f64)?;
            total = (total + (&mean * weight)?)?;
            each.push((number, mean));
        }
    }
    Ok(Shares { total, each })
}
