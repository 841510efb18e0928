//! The weighted sum of the losses of a training step.

use candle_core::{DType, Result, Tensor};

use crate::network::{Auxiliary, NetworkInGraph};
use crate::training::examples::Batch;

use super::terms::{COUNT, LOSSES, LossInputs};
use super::values::{LossWeights, Losses};

/// The number of targets of each loss in a step of several parts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::training) struct Totals([usize; COUNT]);

impl Totals {
    pub fn of(batches: &[Batch]) -> Self {
        Self(LOSSES.each_ref().map(|loss| batches.iter().map(loss.targets).sum()))
    }
}

/// A part's share of the total loss of a step, to differentiate, and of each loss.
#[derive(Debug)]
pub(in crate::training) struct Shares {
    pub total: Tensor,
    each: Vec<(usize, Tensor)>,
}

impl Shares {
    /// Reads the losses, for which a device has to be done with them.
    pub fn values(&self) -> Result<Losses> {
        let mut losses = Losses { total: self.total.to_scalar()?, ..Losses::default() };
        for (number, mean) in &self.each {
            losses.each[*number] = Some(mean.to_scalar()?);
        }
        Ok(losses)
    }
}

/// Returns a part's share of the losses. Losses without a weight are not computed.
pub(in crate::training) fn losses(
    network: &NetworkInGraph<'_>,
    auxiliary: &Auxiliary,
    batch: &Batch,
    weights: &LossWeights,
    totals: &Totals,
) -> Result<Shares> {
    let features = network.features(&batch.cells, &batch.globals, &batch.boards)?;
    let heads = network.heads(&features)?;
    let inputs = LossInputs::new(batch, auxiliary, features, heads);
    let mut total = Tensor::zeros((), DType::F32, batch.cells.device())?;
    let mut each = Vec::new();
    for (number, loss) in LOSSES.iter().enumerate() {
        let weight = weights.all()[number];
        if weight > 0.0 {
            let mean = ((loss.sum)(&inputs)? / totals.0[number].max(1) as f64)?;
            total = (total + (&mean * weight)?)?;
            each.push((number, mean));
        }
    }
    Ok(Shares { total, each })
}
