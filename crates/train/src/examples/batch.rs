//! Samples as the tensors that a network and its losses take, on the CPU or on the device that trains with them.

use std::sync::Arc;

use candle_core::{Device, Result, Tensor};
use rayon::prelude::*;

use hexzero_games::{Game, NetworkView};
use hexzero_graph::{Boards, ClassTargets, Segments};
use hexzero_selfplay::shards::SampledPosition;

use super::targets::ExactTargets;
use super::{Sample, SearchValue};

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
    /// The number of positions with a full search.
    pub policies: usize,
    /// `[positions × 3]`.
    pub outcome: Tensor,
    /// The class of what each cell holds at the end, `[cells]`.
    pub ownership: Arc<[u8]>,
    /// The moves left in units of the number of cells, 0 if unknown, `[positions]`.
    pub moves_left: Tensor,
    /// 1 where the number of moves left is known and 0 elsewhere, `[positions]`.
    pub finished: Tensor,
    /// The number of positions with known moves left.
    pub finishes: usize,
    /// The number of logits that [`Batch::policy_places`] index into.
    logits: usize,
    /// The targets in the form that losses on a device take.
    pub(crate) on_device: Option<Box<DeviceTargets>>,
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

        let (mut places, mut shares, mut starts) = (Vec::new(), Vec::new(), vec![0]);
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
            for &(action, share) in &sample.policy {
                places.push(place(action));
                shares.push(share);
            }
            starts.push(shares.len());
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
            policy_places: Tensor::new(places, device)?,
            policy_starts: starts.into(),
            policy: Tensor::new(shares, device)?,
            policies: positions(|sample| sample.policy.iter().any(|entry| entry.1 > 0.0)),
            outcome: matrix(|sample| &sample.outcome, count, 3)?,
            ownership: samples.iter().flat_map(|sample| &sample.ownership).copied().collect(),
            moves_left: vector(|sample| sample.moves_left.unwrap_or(0.0))?,
            finished: vector(|sample| f32::from(u8::from(sample.moves_left.is_some())))?,
            finishes: positions(|sample| sample.moves_left.is_some()),
            logits: all_cells * view.policy_planes + count * view.global_actions,
            on_device: None,
            boards,
        })
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> usize {
        self.boards.positions()
    }

    /// Moves the batch to the device of a network [on a device](hexzero_graph::Network::on_device).
    ///
    /// # Errors
    /// If the device fails.
    pub fn put_on(self, device: &Device) -> Result<Self> {
        let (places, shares): (Vec<u32>, Vec<f32>) = (self.policy_places.to_vec1()?, self.policy.to_vec1()?);
        let policy = Segments::new(&places, &shares, &self.policy_starts, self.logits, device)?;
        let tensor = |tensor: &Tensor| tensor.to_device(device);
        Ok(Self {
            boards: self.boards.put_on(device)?,
            cells: tensor(&self.cells)?,
            globals: tensor(&self.globals)?,
            policy: tensor(&self.policy)?,
            outcome: tensor(&self.outcome)?,
            moves_left: tensor(&self.moves_left)?,
            finished: tensor(&self.finished)?,
            on_device: Some(Box::new(DeviceTargets { policy, ownership: ClassTargets::new(&self.ownership, device)? })),
            ..self
        })
    }
}

/// The targets of a batch in the form of a device, beside its tensors.
#[derive(Debug, Clone)]
pub(crate) struct DeviceTargets {
    pub policy: Segments,
    pub ownership: ClassTargets,
}
