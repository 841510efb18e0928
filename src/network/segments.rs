//! Candle operations over segments of a packed tensor: the cells of each position, its legal actions.

use std::sync::Arc;

use candle_core::{CpuStorage, CustomOp1, CustomOp2, Layout, Result, Shape, Tensor, bail};

use super::boards::Boards;
use super::elementwise::{add_rows, add_to_rows};
use super::tensors::f32_slice;

/// Mean and maximum over each position's cells: `[cells × channels]` to `[positions × 2·channels]`.
///
/// # Errors
/// If `x` has not as many rows as the batch has cells.
pub fn pool_segments(x: &Tensor, boards: &Boards) -> Result<Tensor> {
    x.contiguous()?.apply_op1(Pool { starts: boards.starts.clone() })
}

struct Pool {
    starts: Arc<[usize]>,
}

fn check_rows(starts: &[usize], rows: usize) -> Result<()> {
    if starts.last() != Some(&rows) || starts.windows(2).any(|pair| pair[0] >= pair[1]) {
        bail!("segments {starts:?} do not cover {rows} rows without gap or empty segment")
    }
    Ok(())
}

/// Writes the mean and the maximum of each column of `rows` into `out`.
pub(super) fn pool_rows(rows: &[f32], channels: usize, out: &mut [f32]) {
    let (mean, max) = out.split_at_mut(channels);
    mean.fill(0.0);
    max.fill(f32::NEG_INFINITY);
    for row in rows.chunks_exact(channels) {
        for ((mean, max), &value) in mean.iter_mut().zip(max.iter_mut()).zip(row) {
            *mean += value;
            *max = max.max(value);
        }
    }
    let scale = channels as f32 / rows.len() as f32;
    mean.iter_mut().for_each(|mean| *mean *= scale);
}

impl CustomOp1 for Pool {
    fn name(&self) -> &'static str {
        "pool_segments"
    }

    fn cpu_fwd(&self, x: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (rows, channels) = layout.shape().dims2()?;
        check_rows(&self.starts, rows)?;
        let x = f32_slice(x, layout)?;
        let positions = self.starts.len() - 1;
        let mut out = vec![0.0; positions * 2 * channels];
        for (out, segment) in out.chunks_exact_mut(2 * channels).zip(self.starts.windows(2)) {
            pool_rows(&x[segment[0] * channels..segment[1] * channels], channels, out);
        }
        Ok((CpuStorage::F32(out), (positions, 2 * channels).into()))
    }

    fn bwd(&self, x: &Tensor, _: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let backward = PoolGradient { starts: self.starts.clone() };
        Ok(Some(x.apply_op2_no_bwd(&gradient.contiguous()?, &backward)?))
    }
}

/// The gradient of a pool from its input and the gradient of its output. The first of equal maxima
/// takes the whole gradient.
struct PoolGradient {
    starts: Arc<[usize]>,
}

impl CustomOp2 for PoolGradient {
    fn name(&self) -> &'static str {
        "pool_segments_gradient"
    }

    fn cpu_fwd(&self, x: &CpuStorage, lx: &Layout, g: &CpuStorage, lg: &Layout) -> Result<(CpuStorage, Shape)> {
        let (rows, channels) = lx.shape().dims2()?;
        let (x, gradient) = (f32_slice(x, lx)?, f32_slice(g, lg)?);
        let mut out = vec![0.0; rows * channels];
        let mut pooled = vec![0.0; 2 * channels];
        let mut left = vec![0.0; channels];
        for (segment, gradient) in self.starts.windows(2).zip(gradient.chunks_exact(2 * channels)) {
            let values = segment[0] * channels..segment[1] * channels;
            let (x, out) = (&x[values.clone()], &mut out[values]);
            pool_rows(x, channels, &mut pooled);
            let (mean, max) = gradient.split_at(channels);
            let share = 1.0 / (segment[1] - segment[0]) as f32;
            left.copy_from_slice(max);
            for (out, x) in out.chunks_exact_mut(channels).zip(x.chunks_exact(channels)) {
                for c in 0..channels {
                    let largest = x[c] == pooled[channels + c];
                    out[c] = mean[c] * share + if largest { left[c] } else { 0.0 };
                    left[c] = if largest { 0.0 } else { left[c] };
                }
            }
        }
        Ok((CpuStorage::F32(out), (rows, channels).into()))
    }
}

/// Adds to every cell the row of its position: `x`, `[cells × channels]`, and `rows`,
/// `[positions × channels]`.
///
/// # Errors
/// If the shapes do not fit each other or the batch.
pub fn add_to_cells(x: &Tensor, rows: &Tensor, boards: &Boards) -> Result<Tensor> {
    x.contiguous()?.apply_op2(&rows.contiguous()?, AddToCells { starts: boards.starts.clone() })
}

struct AddToCells {
    starts: Arc<[usize]>,
}

impl CustomOp2 for AddToCells {
    fn name(&self) -> &'static str {
        "add_to_cells"
    }

    fn cpu_fwd(&self, x: &CpuStorage, lx: &Layout, y: &CpuStorage, ly: &Layout) -> Result<(CpuStorage, Shape)> {
        let (rows, channels) = lx.shape().dims2()?;
        check_rows(&self.starts, rows)?;
        if ly.shape().dims2()? != (self.starts.len() - 1, channels) {
            bail!("add_to_cells: {:?} are not {channels} values for each position", ly.shape())
        }
        let mut out = f32_slice(x, lx)?.to_vec();
        for (segment, addend) in self.starts.windows(2).zip(f32_slice(y, ly)?.chunks_exact(channels)) {
            add_to_rows(&mut out[segment[0] * channels..segment[1] * channels], addend);
        }
        Ok((CpuStorage::F32(out), lx.shape().clone()))
    }

    fn bwd(&self, _: &Tensor, _: &Tensor, _: &Tensor, gradient: &Tensor) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let backward = SumSegments { starts: self.starts.clone() };
        Ok((Some(gradient.clone()), Some(gradient.contiguous()?.apply_op1_no_bwd(&backward)?)))
    }
}

/// The sum of each segment's rows.
struct SumSegments {
    starts: Arc<[usize]>,
}

impl CustomOp1 for SumSegments {
    fn name(&self) -> &'static str {
        "sum_segments"
    }

    fn cpu_fwd(&self, x: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (_, channels) = layout.shape().dims2()?;
        let x = f32_slice(x, layout)?;
        let positions = self.starts.len() - 1;
        let mut sums = vec![0.0; positions * channels];
        for (segment, sums) in self.starts.windows(2).zip(sums.chunks_exact_mut(channels)) {
            add_rows(&x[segment[0] * channels..segment[1] * channels], sums);
        }
        Ok((CpuStorage::F32(sums), (positions, channels).into()))
    }
}

/// The logarithm of the softmax over each segment of a packed vector `[n]`; `starts` holds the first
/// index of each segment and `n` at the end. `candle_nn::ops::log_softmax` takes rows of one length, but positions
/// differ in the number of their legal actions.
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

/// `gradient - softmax · Σ gradient` over each segment.
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
