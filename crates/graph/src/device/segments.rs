//! The loss operations on a device: the softmax over the legal actions of each position, and the
//! classes of cells.

use candle_core::{DType, Device, Result, Tensor};
use candle_nn::ops::log_softmax;

use hexzero_nn::CELL_CLASSES;

use super::operations::{NOTHING, Picks};

/// The logit of padding. Finite, so that its product with 0 is 0.
const NEVER: f32 = -1e30;

/// Segments of logits with the target share of each, selected from all logits and padded to the length of the longest segment.
#[derive(Debug, Clone)]
pub struct Segments {
    picks: Picks,
    /// 0 for the logits of a segment and [`NEVER`] for padding.
    mask: Tensor,
    /// The shares of the logits of a segment, and 0 for padding.
    shares: Tensor,
}

impl Segments {
    /// Creates segments of `logits` logits: segment `i` consists of the logits
    /// `places[starts[i]..starts[i + 1]]`, with their `shares`. No logit may occur twice.
    ///
    /// # Errors
    /// If the device fails.
    pub fn new(places: &[u32], shares: &[f32], starts: &[usize], logits: usize, device: &Device) -> Result<Self> {
        let longest = starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
        let segments = starts.len() - 1;
        let (mut picked, mut back) = (vec![NOTHING; segments * longest], vec![NOTHING; logits]);
        let (mut mask, mut padded) = (vec![NEVER; segments * longest], vec![0.0; segments * longest]);
        for (segment, pair) in starts.windows(2).enumerate() {
            for (number, from) in (pair[0]..pair[1]).enumerate() {
                let to = segment * longest + number;
                (picked[to], mask[to], padded[to]) = (places[from], 0.0, shares[from]);
                back[places[from] as usize] = to as u32;
            }
        }
        Ok(Self {
            picks: Picks::new(picked, Some(back), 1, device)?,
            mask: Tensor::from_vec(mask, (segments, longest), device)?,
            shares: Tensor::from_vec(padded, (segments, longest), device)?,
        })
    }

    /// Computes [`segment_cross_entropy`](crate::segment_cross_entropy) of all logits, `[n]`, on the device.
    ///
    /// # Errors
    /// If candle fails.
    pub fn cross_entropy(&self, logits: &Tensor) -> Result<Tensor> {
        let picked = self.picks.of(&logits.unsqueeze(1)?)?.reshape(self.mask.shape())?;
        let log = log_softmax(&(picked + &self.mask)?, 1)?;
        (log * &self.shares)?.sum_all()?.neg()
    }
}

/// The target class of each cell, on a device.
#[derive(Debug, Clone)]
pub struct ClassTargets {
    /// One-hot target classes, `[cells × 3]`.
    right: Tensor,
}

impl ClassTargets {
    /// Creates the targets; unknown classes do not contribute.
    ///
    /// # Errors
    /// If the device fails.
    pub fn new(classes: &[u8], device: &Device) -> Result<Self> {
        let mut right = vec![0f32; classes.len() * CELL_CLASSES];
        for (triple, &class) in right.chunks_exact_mut(CELL_CLASSES).zip(classes) {
            triple.iter_mut().skip(class.into()).take(1).for_each(|right| *right = 1.0);
        }
        Ok(Self { right: Tensor::from_vec(right, (classes.len(), CELL_CLASSES), device)? })
    }

    /// Computes [`class_cross_entropy`](crate::class_cross_entropy) on the device.
    ///
    /// # Errors
    /// If the logits do not fit the targets.
    pub fn cross_entropy(&self, logits: &Tensor) -> Result<Tensor> {
        let log = log_softmax(&logits.to_dtype(DType::F32)?, 1)?;
        (log * &self.right)?.sum_all()?.neg()
    }
}
