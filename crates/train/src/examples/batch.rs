//! Samples as the tensors that a network and its losses take, on the CPU or on the device that trains with them.

use std::sync::Arc;

use candle_core::{Device, Result, Tensor};
use rayon::prelude::*;

use hexzero_games::{Game, NetworkView};
use hexzero_graph::{Boards, CELL_FORECASTS, ClassTargets, SHORT_TERMS, Segments};
use hexzero_selfplay::shards::SampledPosition;

use super::targets::ExactTargets;
use super::{Sample, SearchValue};

/// Added to the share of each legal action before it is softened (*KataGoMethods*, "Auxiliary Soft
/// Policy Target").
const SOFT_LEAST: f32 = 1e-7;

/// Samples as tensors.
#[derive(Debug, Clone)]
pub struct Batch {
    /// The boards.
    pub boards: Boards,
    /// `[cells × cell inputs]`.
    pub cells: Tensor,
    /// `[positions × global inputs]`.
    pub globals: Tensor,
    /// For each legal action of each position the index of its logit among those of all cells (and,
    /// within a cell, planes) and after them all global actions.
    pub policy_places: Tensor,
    /// The index at which each position's legal actions begin, and their number at the end.
    pub policy_starts: Arc<[usize]>,
    /// The share of the visits of each legal action, 0 for positions without a full search.
    pub policy: Tensor,
    /// The policy targets, softened.
    pub soft_policy: Tensor,
    /// The number of positions with a full search.
    pub policies: usize,
    /// As [`Batch::policy_places`], for every action of each position.
    pub reply_places: Tensor,
    /// As [`Batch::policy_starts`].
    pub reply_starts: Arc<[usize]>,
    /// The share of the reply's visits of each action, 0 for positions without a searched reply.
    pub reply: Tensor,
    /// The number of positions with a searched reply.
    pub replies: usize,
    /// `[positions × 3]`.
    pub outcome: Tensor,
    /// Short-term outcomes, `[positions × short terms · 3]`.
    pub short_terms: Tensor,
    /// The class of what each cell holds at the end, `[cells]`.
    pub ownership: Arc<[u8]>,
    /// The classes of the forecasts of each cell, `[cells × forecasts]`.
    pub forecasts: Arc<[u8]>,
    /// The moves left in units of the number of cells, 0 if unknown, `[positions]`.
    pub moves_left: Tensor,
    /// 1 where the number of moves left is known and 0 elsewhere, `[positions]`.
    pub finished: Tensor,
    /// The number of positions with known moves left.
    pub finishes: usize,
    /// The action planes of a cell.
    pub(super) policy_planes: usize,
    pub(super) global_actions: usize,
    /// The targets in the form that losses on a device take.
    pub(crate) on_device: Option<Box<DeviceTargets>>,
}

/// Shares of actions, one position after another.
struct Shares {
    /// The places of the actions among the outputs of the batch.
    places: Vec<u32>,
    shares: Vec<f32>,
    /// Where each position begins, and the end of the last.
    starts: Vec<usize>,
}

impl Default for Shares {
    fn default() -> Self {
        Self { places: Vec::new(), shares: Vec::new(), starts: vec![0] }
    }
}

impl Shares {
    /// Adds the actions of a position.
    fn add(&mut self, actions: impl Iterator<Item = (u32, f32)>) {
        for (place, share) in actions {
            self.places.push(place);
            self.shares.push(share);
        }
        self.starts.push(self.shares.len());
    }
}

/// Returns the shares of a position's legal actions to the power 1/4, normalised again. 0 stays 0.
fn softened(shares: &[f32]) -> impl Iterator<Item = f32> {
    let searched = shares.iter().any(|&share| share > 0.0);
    let soft = move |&share: &f32| if searched { (share + SOFT_LEAST).sqrt().sqrt() } else { 0.0 };
    let sum: f32 = shares.iter().map(soft).sum();
    shares.iter().map(move |share| if searched { soft(share) / sum } else { 0.0 })
}

impl Batch {
    /// Builds the samples of these positions, each under the symmetry beside it. Leaves out
    /// positions of records that break the rules. Returns none if nothing is left.
    ///
    /// # Errors
    /// If candle fails.
    pub fn new(
        game: Game,
        positions: &[(SampledPosition, usize)],
        value: SearchValue,
        exact: &ExactTargets,
    ) -> Result<Option<Self>> {
        let samples: Vec<Sample> = positions
            .par_iter()
            .filter_map(|(SampledPosition { record, turn }, symmetry)| {
                Sample::new(game, record, *turn, *symmetry, value, exact)
            })
            .collect();
        if samples.is_empty() { Ok(None) } else { Self::pack(&game.view, &samples).map(Some) }
    }

    fn pack(view: &NetworkView, samples: &[Sample]) -> Result<Self> {
        let boards = Boards::new(&samples.iter().map(|sample| sample.topology).collect::<Vec<_>>());
        let all_cells = boards.cells();
        let device = &Device::Cpu;

        let (mut policy, mut soft_policy, mut reply) = (Shares::default(), Vec::new(), Shares::default());
        let mut first_cell = 0;
        for (number, sample) in samples.iter().enumerate() {
            let cells = sample.topology.cells();
            let on_cells = cells * view.policy_planes;
            let place = |action: usize| {
                let index = if action < on_cells {
                    (first_cell + action % cells) * view.policy_planes + action / cells
                } else {
                    all_cells * view.policy_planes + number * view.global_actions + action - on_cells
                };
                index as u32
            };
            policy.add(sample.policy.iter().map(|&(action, share)| (place(action), share)));
            soft_policy.extend(softened(&policy.shares[soft_policy.len()..]));
            let from = reply.shares.len();
            reply.add((0..on_cells + view.global_actions).map(|action| (place(action), 0.0)));
            sample.reply.iter().for_each(|&(action, share)| reply.shares[from + action] = share);
            first_cell += cells;
        }
        let count = samples.len();
        let positions = |known: fn(&&Sample) -> bool| samples.iter().filter(known).count();
        let vector = |part: fn(&Sample) -> f32| Tensor::from_iter(samples.iter().map(part), device);
        let matrix = |part: fn(&Sample) -> &[f32], rows: usize, columns: usize| {
            Tensor::from_vec(samples.iter().flat_map(part).copied().collect::<Vec<f32>>(), (rows, columns), device)
        };
        Ok(Self {
            cells: matrix(|sample| &sample.cells, all_cells, view.cell_inputs)?,
            globals: matrix(|sample| &sample.globals, count, view.global_inputs)?,
            policy_places: Tensor::new(policy.places, device)?,
            policy_starts: policy.starts.into(),
            policy: Tensor::new(policy.shares, device)?,
            soft_policy: Tensor::new(soft_policy, device)?,
            policies: positions(|sample| sample.policy.iter().any(|entry| entry.1 > 0.0)),
            reply_places: Tensor::new(reply.places, device)?,
            reply_starts: reply.starts.into(),
            reply: Tensor::new(reply.shares, device)?,
            replies: positions(|sample| !sample.reply.is_empty()),
            outcome: matrix(|sample| &sample.outcome, count, 3)?,
            short_terms: matrix(|sample| sample.short_terms.as_flattened(), count, 3 * SHORT_TERMS)?,
            ownership: samples.iter().flat_map(|sample| &sample.ownership).copied().collect(),
            forecasts: samples.iter().flat_map(|sample| sample.forecasts.as_flattened()).copied().collect(),
            moves_left: vector(|sample| sample.moves_left.unwrap_or(0.0))?,
            finished: vector(|sample| f32::from(u8::from(sample.moves_left.is_some())))?,
            finishes: positions(|sample| sample.moves_left.is_some()),
            policy_planes: view.policy_planes,
            global_actions: view.global_actions,
            on_device: None,
            boards,
        })
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> usize {
        self.boards.positions()
    }
}

/// The targets of a batch in the form of a device, beside its tensors.
#[derive(Debug, Clone)]
pub(crate) struct DeviceTargets {
    pub policy: Segments,
    pub reply: Segments,
    pub ownership: ClassTargets,
    pub forecasts: ClassTargets,
}

impl Batch {
    /// Moves the batch to the device of a network [on a device](hexzero_graph::Network::on_device).
    ///
    /// # Errors
    /// If the device fails.
    pub fn put_on(self, device: &Device) -> Result<Self> {
        let logits = self.boards.cells() * self.policy_planes + self.positions() * self.global_actions;
        let places = |places: &Tensor| places.to_vec1::<u32>();
        let policy = Segments::new(&places(&self.policy_places)?, &self.policy_starts, logits, device)?;
        let reply = Segments::new(&places(&self.reply_places)?, &self.reply_starts, logits, device)?;
        let tensor = |tensor: &Tensor| tensor.to_device(device);
        Ok(Self {
            boards: self.boards.put_on(device)?,
            cells: tensor(&self.cells)?,
            globals: tensor(&self.globals)?,
            policy: policy.filled(&self.policy.to_vec1()?)?,
            soft_policy: policy.filled(&self.soft_policy.to_vec1()?)?,
            reply: reply.filled(&self.reply.to_vec1()?)?,
            outcome: tensor(&self.outcome)?,
            short_terms: tensor(&self.short_terms)?,
            moves_left: tensor(&self.moves_left)?,
            finished: tensor(&self.finished)?,
            on_device: Some(Box::new(DeviceTargets {
                policy,
                reply,
                ownership: ClassTargets::new(&self.ownership, 1, device)?,
                forecasts: ClassTargets::new(&self.forecasts, CELL_FORECASTS, device)?,
            })),
            ..self
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policy_is_softened_to_its_fourth_root() {
        // 16 : 1 becomes 2 : 1, and what was not visited 1e-7^(1/4) = 0.017783 of a visit of everything.
        let soft: Vec<f32> = softened(&[16.0 / 17.0, 1.0 / 17.0, 0.0]).collect();
        let root = (1.0f32 / 17.0).sqrt().sqrt();
        let sum = 3.0 * root + 0.017_783;
        for (found, expected) in soft.iter().zip([2.0 * root / sum, root / sum, 0.017_783 / sum]) {
            assert!((found - expected).abs() < 1e-5, "{soft:?}");
        }
        assert_eq!(softened(&[0.0, 0.0]).collect::<Vec<_>>(), [0.0, 0.0]);
    }
}
