//! The hexagonal convolution as a candle operation with its gradients.

use std::sync::Arc;

use candle_core::{CpuStorage, CustomOp2, CustomOp3, Layout, Result, Shape, Tensor, bail};
use rayon::prelude::*;

use crate::board::DIRECTIONS;

use super::boards::{Boards, TAPS};
use super::elementwise::{sum_rows, through_relu};
use super::kernels::{Kernel, Layer, add_weight_gradient};
use super::tensors::f32_slice;

/// Cells that a thread takes at a time. Fixed, so that the partial sums of a weight gradient do not
/// depend on the number of threads.
const CHUNK: usize = 4096;

/// Convolves `x`, `[cells × inputs]`, with `weights`, `[7 × inputs × outputs]`, and adds `bias`,
/// `[outputs]`. The first tap is the cell itself, the others its neighbours in the order of
/// [`crate::board::STEPS`]. Outputs, and where a gradient of `x` is wanted inputs too, must be
/// multiples of 16. Gives `[cells × outputs]`.
///
/// # Errors
/// If the shapes do not fit each other or the batch.
pub fn hex_conv(x: &Tensor, weights: &Tensor, bias: &Tensor, boards: &Boards) -> Result<Tensor> {
    HexConv { taps: boards.taps.clone(), kernel: Kernel::best(), relu: false }.apply(x, weights, bias)
}

/// [`hex_conv`] and a ReLU after it, in the same pass.
///
/// # Errors
/// As [`hex_conv`].
pub fn hex_conv_relu(x: &Tensor, weights: &Tensor, bias: &Tensor, boards: &Boards) -> Result<Tensor> {
    HexConv { taps: boards.taps.clone(), kernel: Kernel::best(), relu: true }.apply(x, weights, bias)
}

struct HexConv {
    taps: Arc<[[u32; TAPS]]>,
    kernel: Kernel,
    relu: bool,
}

/// Runs a layer over the cells of a batch.
fn run(kernel: Kernel, layer: Layer<'_, TAPS>, x: &[f32], taps: &[[u32; TAPS]]) -> CpuStorage {
    let mut out = vec![0.0; taps.len() * layer.outputs];
    out.par_chunks_mut(CHUNK * layer.outputs)
        .zip(taps.par_chunks(CHUNK))
        .for_each(|(out, taps)| layer.run(kernel, x, taps, None, out));
    CpuStorage::F32(out)
}

impl HexConv {
    fn apply(self, x: &Tensor, weights: &Tensor, bias: &Tensor) -> Result<Tensor> {
        let (cells, inputs) = x.dims2()?;
        let (taps, weight_inputs, outputs) = weights.dims3()?;
        if cells != self.taps.len() || taps != TAPS || weight_inputs != inputs || bias.dims() != [outputs] {
            bail!(
                "hex_conv: input {:?}, weights {:?} and bias {:?} do not fit a batch of {} cells",
                x.shape(),
                weights.shape(),
                bias.shape(),
                self.taps.len()
            )
        }
        x.contiguous()?.apply_op3(&weights.contiguous()?, &bias.contiguous()?, self)
    }
}

impl CustomOp3 for HexConv {
    fn name(&self) -> &'static str {
        "hex_conv"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        lx: &Layout,
        w: &CpuStorage,
        lw: &Layout,
        b: &CpuStorage,
        lb: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (_, inputs, outputs) = lw.shape().dims3()?;
        let (x, weights, bias) = (f32_slice(x, lx)?, f32_slice(w, lw)?, f32_slice(b, lb)?);
        let layer = Layer { weights, bias: Some(bias), inputs, outputs, relu: self.relu };
        Ok((run(self.kernel, layer, x, &self.taps), (self.taps.len(), outputs).into()))
    }

    fn bwd(
        &self,
        x: &Tensor,
        weights: &Tensor,
        _: &Tensor,
        result: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let gradient = if self.relu { through_relu(gradient, result)? } else { gradient.contiguous()? };
        let (taps, kernel) = (self.taps.clone(), self.kernel);
        let x_gradient = x.track_op().then(|| {
            let backward = InputGradient { taps: taps.clone(), kernel };
            gradient.apply_op2_no_bwd(weights, &backward)
        });
        let weight_gradient = x.apply_op2_no_bwd(&gradient, &WeightGradient { taps, kernel })?;
        Ok((x_gradient.transpose()?, Some(weight_gradient), Some(sum_rows(&gradient)?)))
    }
}

/// The gradient of the input from the gradient of the output and the weights.
///
/// A cell is read by its neighbours from the opposite direction, so this is itself a convolution, with
/// the taps turned round and each matrix transposed.
struct InputGradient {
    taps: Arc<[[u32; TAPS]]>,
    kernel: Kernel,
}

/// `[7 × inputs × outputs]` to `[7 × outputs × inputs]` with the directions turned round.
fn turned(weights: &[f32], inputs: usize, outputs: usize) -> Vec<f32> {
    let mut turned = vec![0.0; weights.len()];
    for (tap, to) in turned.chunks_exact_mut(inputs * outputs).enumerate() {
        let opposite = if tap == 0 { 0 } else { (tap - 1 + DIRECTIONS / 2) % DIRECTIONS + 1 };
        let from = &weights[opposite * inputs * outputs..][..inputs * outputs];
        for (output, row) in to.chunks_exact_mut(inputs).enumerate() {
            let column = from[output..].iter().step_by(outputs);
            row.iter_mut().zip(column).for_each(|(to, from)| *to = *from);
        }
    }
    turned
}

impl CustomOp2 for InputGradient {
    fn name(&self) -> &'static str {
        "hex_conv_input_gradient"
    }

    fn cpu_fwd(&self, g: &CpuStorage, lg: &Layout, w: &CpuStorage, lw: &Layout) -> Result<(CpuStorage, Shape)> {
        let (_, inputs, outputs) = lw.shape().dims3()?;
        let weights = turned(f32_slice(w, lw)?, inputs, outputs);
        let layer = Layer { weights: &weights, bias: None, inputs: outputs, outputs: inputs, relu: false };
        Ok((run(self.kernel, layer, f32_slice(g, lg)?, &self.taps), (self.taps.len(), inputs).into()))
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
