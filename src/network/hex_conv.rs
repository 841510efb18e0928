//! The hexagonal convolution as a candle operation with its gradients.

use std::sync::Arc;

use candle_core::{CpuStorage, CustomOp2, Layout, Result, Shape, Tensor, bail};
use rayon::prelude::*;

use crate::board::DIRECTIONS;

use super::boards::{Boards, TAPS};
use super::kernels::{Kernel, Layer, add_weight_gradient};
use super::tensors::f32_slice;

/// Cells that a thread takes at a time. Fixed, so that the partial sums of a weight gradient do not
/// depend on the number of threads.
const CHUNK: usize = 4096;

/// Convolves `x`, `[cells × inputs]`, with `weights`, `[7 × inputs × outputs]`: the first tap is the
/// cell itself, the others its neighbours in the order of [`crate::board::STEPS`]. Outputs, and where a
/// gradient of `x` is wanted inputs too, must be multiples of 16. Gives `[cells × outputs]`.
///
/// # Errors
/// If the shapes do not fit each other or the batch.
pub fn hex_conv(x: &Tensor, weights: &Tensor, boards: &Boards) -> Result<Tensor> {
    let kernel = Kernel::best();
    x.contiguous()?.apply_op2(&weights.contiguous()?, HexConv { taps: boards.taps.clone(), kernel })
}

struct HexConv {
    taps: Arc<[[u32; TAPS]]>,
    kernel: Kernel,
}

/// The shapes `(cells, inputs)` and `(7, inputs, outputs)` of a convolution's arguments.
fn dimensions(taps: usize, x: &Shape, weights: &Shape) -> Result<(usize, usize)> {
    let (cells, inputs) = x.dims2()?;
    let (count, weight_inputs, outputs) = weights.dims3()?;
    if cells != taps || count != TAPS || weight_inputs != inputs {
        bail!("hex_conv: input {x:?} and weights {weights:?} do not fit a batch of {taps} cells")
    }
    Ok((inputs, outputs))
}

impl CustomOp2 for HexConv {
    fn name(&self) -> &'static str {
        "hex_conv"
    }

    fn cpu_fwd(&self, x: &CpuStorage, lx: &Layout, w: &CpuStorage, lw: &Layout) -> Result<(CpuStorage, Shape)> {
        let (inputs, outputs) = dimensions(self.taps.len(), lx.shape(), lw.shape())?;
        let (x, weights) = (f32_slice(x, lx)?, f32_slice(w, lw)?);
        let layer = Layer { weights, bias: None, inputs, outputs, relu: false };
        let mut out = vec![0.0; self.taps.len() * outputs];
        out.par_chunks_mut(CHUNK * outputs)
            .zip(self.taps.par_chunks(CHUNK))
            .for_each(|(out, taps)| layer.run(self.kernel, x, taps, None, out));
        Ok((CpuStorage::F32(out), (self.taps.len(), outputs).into()))
    }

    fn bwd(&self, x: &Tensor, w: &Tensor, _: &Tensor, gradient: &Tensor) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let gradient = gradient.contiguous()?;
        // A cell is read by its neighbours from the opposite direction, so the gradient of the input
        // is itself a convolution, with the taps turned round and each matrix transposed.
        let x_gradient = if x.track_op() {
            let opposite: Vec<u32> = (0..TAPS as u32)
                .map(|tap| if tap == 0 { 0 } else { (tap - 1 + DIRECTIONS as u32 / 2) % DIRECTIONS as u32 + 1 })
                .collect();
            let turned = w.index_select(&Tensor::new(opposite, w.device())?, 0)?.transpose(1, 2)?.contiguous()?;
            let convolution = Self { taps: self.taps.clone(), kernel: self.kernel };
            Some(gradient.apply_op2_no_bwd(&turned, &convolution)?)
        } else {
            None
        };
        let weights = WeightGradient { taps: self.taps.clone(), kernel: self.kernel };
        Ok((x_gradient, Some(x.apply_op2_no_bwd(&gradient, &weights)?)))
    }
}

/// The gradient of the weights from the input and the gradient of the output.
struct WeightGradient {
    taps: Arc<[[u32; TAPS]]>,
    kernel: Kernel,
}

impl CustomOp2 for WeightGradient {
    fn name(&self) -> &'static str {
        "hex_conv_weight_gradient"
    }

    fn cpu_fwd(&self, x: &CpuStorage, lx: &Layout, g: &CpuStorage, lg: &Layout) -> Result<(CpuStorage, Shape)> {
        let (inputs, outputs) = (lx.shape().dims2()?.1, lg.shape().dims2()?.1);
        let (x, gradient) = (f32_slice(x, lx)?, f32_slice(g, lg)?);
        let size = TAPS * inputs * outputs;
        let parts: Vec<Vec<f32>> = self
            .taps
            .par_chunks(CHUNK)
            .zip(gradient.par_chunks(CHUNK * outputs))
            .map(|(taps, gradient)| {
                let mut part = vec![0.0; size];
                add_weight_gradient(self.kernel, x, inputs, taps, gradient, outputs, &mut part);
                part
            })
            .collect();
        let mut parts = parts.into_iter();
        let mut sum = parts.next().unwrap_or_else(|| vec![0.0; size]);
        for part in parts {
            sum.iter_mut().zip(&part).for_each(|(sum, part)| *sum += part);
        }
        Ok((CpuStorage::F32(sum), (TAPS, inputs, outputs).into()))
    }
}
