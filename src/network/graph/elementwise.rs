//! Elementwise operations between layers, each in one pass, on plain rows and as candle operations.
//!
//! The gradients that candle has of its own are slower: that of a ReLU takes it five passes over the tensor, and that of a
//! bias a sum over rows that took a seventh of a training step.

use candle_core::{CpuStorage, CustomOp1, CustomOp2, Layout, Result, Shape, Tensor, bail};

use super::storage::f32_slice;

/// Returns the gradient through a ReLU with this result.
pub(in crate::network) fn through_relu(gradient: &Tensor, result: &Tensor) -> Result<Tensor> {
    gradient.contiguous()?.apply_op2_no_bwd(result, &ThroughRelu)
}

/// Sums the rows of `x`, `[rows × channels]`.
pub(in crate::network) fn sum_rows(x: &Tensor) -> Result<Tensor> {
    x.contiguous()?.apply_op1_no_bwd(&SumRows)
}

fn zip(x: &[f32], y: &[f32], f: impl Fn(f32, f32) -> f32) -> CpuStorage {
    CpuStorage::F32(x.iter().zip(y).map(|(&x, &y)| f(x, y)).collect())
}

fn same_shape(op: &'static str, x: &Layout, y: &Layout) -> Result<Shape> {
    if x.shape() != y.shape() {
        bail!("{op}: shapes {:?} and {:?} differ", x.shape(), y.shape())
    }
    Ok(x.shape().clone())
}

struct ThroughRelu;

impl CustomOp2 for ThroughRelu {
    fn name(&self) -> &'static str {
        "relu_gradient"
    }

    fn cpu_fwd(&self, g: &CpuStorage, lg: &Layout, out: &CpuStorage, lo: &Layout) -> Result<(CpuStorage, Shape)> {
        let shape = same_shape(self.name(), lg, lo)?;
        Ok((zip(f32_slice(g, lg)?, f32_slice(out, lo)?, |g, out| if out > 0.0 { g } else { 0.0 }), shape))
    }
}

struct SumRows;

impl CustomOp1 for SumRows {
    fn name(&self) -> &'static str {
        "sum_rows"
    }

    fn cpu_fwd(&self, x: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (_, channels) = layout.shape().dims2()?;
        let mut sums = vec![0.0; channels];
        add_rows(f32_slice(x, layout)?, &mut sums);
        Ok((CpuStorage::F32(sums), channels.into()))
    }
}

/// Adds every row of `x` to `sums`.
pub(in crate::network) fn add_rows(x: &[f32], sums: &mut [f32]) {
    for row in x.chunks_exact(sums.len()) {
        sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
    }
}
