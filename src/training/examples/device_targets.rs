//! A batch on the device that trains with it.

use candle_core::{Device, Result, Tensor};

use crate::network::{CELL_FORECASTS, ClassTargets, Segments};

use super::batch::Batch;

/// The targets of a batch in the form of a device, beside its tensors.
#[derive(Debug, Clone)]
pub(in crate::training) struct DeviceTargets {
    pub policy: Segments,
    pub reply: Segments,
    pub ownership: ClassTargets,
    pub forecasts: ClassTargets,
}

impl Batch {
    /// Moves the batch to the device of a network [on a device](crate::network::Network::on_device).
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
