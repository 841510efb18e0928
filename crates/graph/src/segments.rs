//! Operations over segments of packed rows: the cells of each position, its legal actions.

use std::sync::Arc;

use candle_core::{CpuStorage, CustomOp2, Device, Layout, Result, Shape, Storage, Tensor, bail};
use candle_nn::ops::log_softmax;

use super::storage::{f32_slice, with_floats};

fn check_rows(starts: &[usize], rows: usize) -> Result<()> {
    if starts.last() != Some(&rows) || starts.windows(2).any(|pair| pair[0] >= pair[1]) {
        bail!("segments {starts:?} do not cover {rows} rows without gap or empty segment")
    }
    Ok(())
}

/// Computes the log softmax over each segment of a packed vector `[n]`; `starts` holds the first
/// index of each segment, followed by `n`. For losses of your own on small batches, as its gradient takes
/// time in the number of segments times `n`: training itself computes [`segment_cross_entropy`] in one pass.
///
/// # Errors
/// If the segments do not cover the vector, one is empty, or there is none.
pub fn log_softmax_segments(logits: &Tensor, starts: Arc<[usize]>) -> Result<Tensor> {
    check_rows(&starts, logits.dims1()?)?;
    let segments = starts.windows(2).map(|pair| log_softmax(&logits.narrow(0, pair[0], pair[1] - pair[0])?, 0));
    Tensor::cat(&segments.collect::<Result<Vec<_>>>()?, 0)
}

/// The targets of [`segment_cross_entropy`].
#[derive(Debug, Clone)]
pub struct SegmentTargets {
    /// The index of each logit, 32-bit numbers.
    pub places: Tensor,
    /// The first index of each segment, followed by the number of indices.
    pub starts: Arc<[usize]>,
    /// The share of each logit within its segment, 32-bit floats.
    pub shares: Tensor,
}

/// Computes `-Σ share · log softmax` over segments of `logits` and `more`, one after the other, in
/// one pass: the same as [`log_softmax_segments`] of the logits that the places select, multiplied
/// and summed. Returns a scalar.
///
/// # Errors
/// If the segments do not cover the places, one is empty, or a place has no logit.
pub fn segment_cross_entropy(logits: &Tensor, more: &Tensor, targets: SegmentTargets) -> Result<Tensor> {
    // candle requires a gradient for every argument that is part of a graph.
    let more = if more.elem_count() == 0 { more.detach() } else { more.contiguous()? };
    logits.contiguous()?.apply_op2(&more, SegmentCrossEntropy(targets))
}

struct SegmentCrossEntropy(SegmentTargets);

impl SegmentCrossEntropy {
    /// Calls `f` for each segment with its places, shares and logits, and the logarithm of the sum of
    /// their exponentials.
    fn each_segment(&self, logits: [&[f32]; 2], mut f: impl FnMut(&[u32], &[f32], &[f32], f32)) -> Result<()> {
        let SegmentTargets { places, starts, shares } = &self.0;
        let (shares, shares_layout) = shares.storage_and_layout();
        let Storage::Cpu(shares) = &*shares else { bail!("expected shares on the processor") };
        let shares = f32_slice(shares, shares_layout)?;
        let (places, places_layout) = places.storage_and_layout();
        let places = match (&*places, places_layout.contiguous_offsets()) {
            (Storage::Cpu(CpuStorage::U32(places)), Some((start, end))) => &places[start..end],
            _ => bail!("expected places as contiguous 32-bit numbers"),
        };
        check_rows(starts, places.len())?;
        let [first, more] = logits;
        let count = first.len() + more.len();
        if shares.len() != places.len() || places.iter().any(|&place| place as usize >= count) {
            bail!("{} places with {} shares do not fit {count} logits", places.len(), shares.len())
        }
        let mut read = Vec::new();
        for segment in starts.windows(2) {
            let range = segment[0]..segment[1];
            read.clear();
            let logit =
                |&place: &u32| first.get(place as usize).copied().unwrap_or_else(|| more[place as usize - first.len()]);
            read.extend(places[range.clone()].iter().map(logit));
            let max = read.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let log_sum = read.iter().map(|logit| (logit - max).exp()).sum::<f32>().ln() + max;
            f(&places[range.clone()], &shares[range], &read, log_sum);
        }
        Ok(())
    }
}

impl CustomOp2 for SegmentCrossEntropy {
    fn name(&self) -> &'static str {
        "segment_cross_entropy"
    }

    fn cpu_fwd(&self, x: &CpuStorage, lx: &Layout, y: &CpuStorage, ly: &Layout) -> Result<(CpuStorage, Shape)> {
        let mut sum = 0.0;
        self.each_segment([f32_slice(x, lx)?, f32_slice(y, ly)?], |_, shares, logits, log_sum| {
            sum += shares.iter().zip(logits).map(|(share, logit)| share * (log_sum - logit)).sum::<f32>();
        })?;
        Ok((CpuStorage::F32(vec![sum]), ().into()))
    }

    fn bwd(&self, x: &Tensor, y: &Tensor, _: &Tensor, gradient: &Tensor) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let gradient: f32 = gradient.to_scalar()?;
        let mut gradients = vec![0.0; x.elem_count() + y.elem_count()];
        with_floats([x, y], |logits| {
            self.each_segment(logits, |places, shares, logits, log_sum| {
                let total: f32 = shares.iter().sum();
                for ((&place, share), logit) in places.iter().zip(shares).zip(logits) {
                    gradients[place as usize] += gradient * ((logit - log_sum).exp() * total - share);
                }
            })
        })?;
        let of_more = gradients.split_off(x.elem_count());
        let of_more = Tensor::from_vec(of_more, y.shape(), &Device::Cpu)?;
        Ok((Some(Tensor::from_vec(gradients, x.shape(), &Device::Cpu)?), y.track_op().then_some(of_more)))
    }
}
