//! Operations over segments of packed rows: the cells of each position, its legal actions.

use std::sync::Arc;

use candle_core::{CpuStorage, CustomOp1, CustomOp2, Layout, Result, Shape, Tensor, bail};

use super::storage::f32_slice;

fn check_rows(starts: &[usize], rows: usize) -> Result<()> {
    if starts.last() != Some(&rows) || starts.windows(2).any(|pair| pair[0] >= pair[1]) {
        bail!("segments {starts:?} do not cover {rows} rows without gap or empty segment")
    }
    Ok(())
}

/// Computes the log softmax over each segment of a packed vector `[n]`; `starts` holds the first
/// index of each segment, followed by `n`. `candle_nn::ops::log_softmax` requires rows of equal
/// length, but positions differ in their number of legal actions.
///
/// # Errors
/// If the segments do not cover the vector, or one is empty.
pub fn log_softmax_segments(logits: &Tensor, starts: Arc<[usize]>) -> Result<Tensor> {
    logits.contiguous()?.apply_op1(LogSoftmax { starts })
}

struct LogSoftmax {
    starts: Arc<[usize]>,
}

impl CustomOp1 for LogSoftmax {
    fn name(&self) -> &'static str {
        "log_softmax_segments"
    }

    fn cpu_fwd(&self, logits: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        check_rows(&self.starts, layout.shape().dims1()?)?;
        let mut out = f32_slice(logits, layout)?.to_vec();
        for segment in self.starts.windows(2) {
            let logits = &mut out[segment[0]..segment[1]];
            let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let log_sum = logits.iter().map(|logit| (logit - max).exp()).sum::<f32>().ln() + max;
            logits.iter_mut().for_each(|logit| *logit -= log_sum);
        }
        let shape = out.len().into();
        Ok((CpuStorage::F32(out), shape))
    }

    fn bwd(&self, _: &Tensor, result: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let backward = LogSoftmaxGradient { starts: self.starts.clone() };
        Ok(Some(result.apply_op2_no_bwd(&gradient.contiguous()?, &backward)?))
    }
}

/// Computes `gradient - softmax · Σ gradient` over each segment.
struct LogSoftmaxGradient {
    starts: Arc<[usize]>,
}

impl CustomOp2 for LogSoftmaxGradient {
    fn name(&self) -> &'static str {
        "log_softmax_segments_gradient"
    }

    fn cpu_fwd(&self, y: &CpuStorage, ly: &Layout, g: &CpuStorage, lg: &Layout) -> Result<(CpuStorage, Shape)> {
        let (log_probabilities, mut out) = (f32_slice(y, ly)?, f32_slice(g, lg)?.to_vec());
        for segment in self.starts.windows(2) {
            let range = segment[0]..segment[1];
            let total: f32 = out[range.clone()].iter().sum();
            for i in range {
                out[i] -= log_probabilities[i].exp() * total;
            }
        }
        let shape = out.len().into();
        Ok((CpuStorage::F32(out), shape))
    }
}
