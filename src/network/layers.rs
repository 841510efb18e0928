//! The hexagonal convolution and the dense layer as candle operations with their gradients.

use std::borrow::Cow;
use std::sync::Arc;

use candle_core::{CpuStorage, CustomOp2, CustomOp3, Layout, Result, Shape, Tensor, bail};
use rayon::prelude::*;

use crate::board::DIRECTIONS;

use super::boards::Boards;
use super::elementwise::{sum_rows, through_relu};
use super::kernels::{Kernel, Layer, OUTPUT_MULTIPLE, add_weight_gradient};
use super::tensors::f32_slice;

/// Rows that a thread takes at a time. Fixed, so that the partial sums of a weight gradient do not
/// depend on the number of threads.
const CHUNK: usize = 4096;

/// The activation of a layer. It is not `candle_nn::Activation` because the kernels apply it in the pass of the layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// None.
    Linear,
    /// Negative sums become zero.
    Relu,
}

/// Convolves `x`, `[cells × inputs]`, with `weights`, `[7 × inputs × outputs]`, and adds `bias`,
/// `[outputs]`. The first tap is the cell itself, the others its neighbours in the order of
/// [`crate::board::STEPS`]. Gives `[cells × outputs]`.
///
/// # Errors
/// If the shapes do not fit each other or the batch.
pub fn hex_conv(x: &Tensor, weights: &Tensor, bias: &Tensor, boards: &Boards, then: Activation) -> Result<Tensor> {
    Gathered { taps: boards.taps.clone(), kernel: Kernel::best(), then }.apply(x, weights, bias)
}

/// `x · weights + bias`, of `[rows × inputs]`, `[inputs × outputs]` and `[outputs]`: the same with one tap.
/// candle's own product asks the system for the number of cores each time, which takes longer than a
/// small product.
///
/// # Errors
/// If the shapes do not fit each other.
pub fn dense(x: &Tensor, weights: &Tensor, bias: &Tensor, then: Activation) -> Result<Tensor> {
    let taps = (0..x.dim(0)? as u32).map(|row| [row]).collect();
    Gathered { taps, kernel: Kernel::best(), then }.apply(x, &weights.unsqueeze(0)?, bias)
}

/// A layer over gathered rows.
struct Gathered<const T: usize> {
    /// For each row of the output the rows of the input that it reads.
    taps: Arc<[[u32; T]]>,
    kernel: Kernel,
    then: Activation,
}

/// Rows of `from` values as rows of `to`, filled up with zeros or cut off. The kernels want their outputs
/// in multiples of [`OUTPUT_MULTIPLE`].
fn resized(rows: &[f32], from: usize, to: usize) -> Cow<'_, [f32]> {
    if from == to {
        return rows.into();
    }
    let kept = from.min(to);
    let mut resized = vec![0.0; rows.len() / from * to];
    for (to, from) in resized.chunks_exact_mut(to).zip(rows.chunks_exact(from)) {
        to[..kept].copy_from_slice(&from[..kept]);
    }
    resized.into()
}

/// Runs a layer whose outputs need be no multiple of anything.
fn run<const T: usize>(kernel: Kernel, layer: Layer<'_, T>, x: &[f32], taps: &[[u32; T]]) -> CpuStorage {
    let outputs = layer.outputs.next_multiple_of(OUTPUT_MULTIPLE);
    let weights = resized(layer.weights, layer.outputs, outputs);
    let bias = layer.bias.map(|bias| resized(bias, layer.outputs, outputs));
    let padded = Layer { weights: &weights, bias: bias.as_deref(), outputs, ..layer };
    let mut out = vec![0.0; taps.len() * outputs];
    out.par_chunks_mut(CHUNK * outputs)
        .zip(taps.par_chunks(CHUNK))
        .for_each(|(out, taps)| padded.run(kernel, x, taps, None, out));
    CpuStorage::F32(match layer.outputs == outputs {
        true => out,
        false => resized(&out, outputs, layer.outputs).into_owned(),
    })
}

impl<const T: usize> Gathered<T> {
    fn apply(self, x: &Tensor, weights: &Tensor, bias: &Tensor) -> Result<Tensor> {
        let (rows, inputs) = x.dims2()?;
        let (taps, weight_inputs, outputs) = weights.dims3()?;
        if rows != self.taps.len() || taps != T || weight_inputs != inputs || bias.dims() != [outputs] {
            bail!(
                "input {:?}, weights {:?} and bias {:?} do not fit {} rows of {T} taps",
                x.shape(),
                weights.shape(),
                bias.shape(),
                self.taps.len()
            )
        }
        x.contiguous()?.apply_op3(&weights.contiguous()?, &bias.contiguous()?, self)
    }
}

impl<const T: usize> CustomOp3 for Gathered<T> {
    fn name(&self) -> &'static str {
        "gathered"
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
        let layer = Layer { weights, bias: Some(bias), inputs, outputs, relu: self.then == Activation::Relu };
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
        let gradient = match self.then {
            Activation::Linear => gradient.contiguous()?,
            Activation::Relu => through_relu(gradient, result)?,
        };
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
struct InputGradient<const T: usize> {
    taps: Arc<[[u32; T]]>,
    kernel: Kernel,
}

/// `[taps × inputs × outputs]` to `[taps × outputs × inputs]` with the directions turned round.
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

impl<const T: usize> CustomOp2 for InputGradient<T> {
    fn name(&self) -> &'static str {
        "gathered_input_gradient"
    }

    fn cpu_fwd(&self, g: &CpuStorage, lg: &Layout, w: &CpuStorage, lw: &Layout) -> Result<(CpuStorage, Shape)> {
        let (_, inputs, outputs) = lw.shape().dims3()?;
        let weights = turned(f32_slice(w, lw)?, inputs, outputs);
        let layer = Layer { weights: &weights, bias: None, inputs: outputs, outputs: inputs, relu: false };
        Ok((run(self.kernel, layer, f32_slice(g, lg)?, &self.taps), (self.taps.len(), inputs).into()))
    }
}

/// The gradient of the weights from the input and the gradient of the output.
struct WeightGradient<const T: usize> {
    taps: Arc<[[u32; T]]>,
    kernel: Kernel,
}

impl<const T: usize> CustomOp2 for WeightGradient<T> {
    fn name(&self) -> &'static str {
        "gathered_weight_gradient"
    }

    fn cpu_fwd(&self, x: &CpuStorage, lx: &Layout, g: &CpuStorage, lg: &Layout) -> Result<(CpuStorage, Shape)> {
        let (inputs, outputs) = (lx.shape().dims2()?.1, lg.shape().dims2()?.1);
        let padded = outputs.next_multiple_of(OUTPUT_MULTIPLE);
        let (x, gradient) = (f32_slice(x, lx)?, resized(f32_slice(g, lg)?, outputs, padded));
        let size = T * inputs * padded;
        let parts: Vec<Vec<f32>> = self
            .taps
            .par_chunks(CHUNK)
            .zip(gradient.par_chunks(CHUNK * padded))
            .map(|(taps, gradient)| {
                let mut part = vec![0.0; size];
                add_weight_gradient(self.kernel, x, inputs, taps, gradient, padded, &mut part);
                part
            })
            .collect();
        let mut parts = parts.into_iter();
        let mut sum = parts.next().unwrap_or_else(|| vec![0.0; size]);
        for part in parts {
            sum.iter_mut().zip(&part).for_each(|(sum, part)| *sum += part);
        }
        let sum = if padded == outputs { sum } else { resized(&sum, padded, outputs).into_owned() };
        Ok((CpuStorage::F32(sum), (T, inputs, outputs).into()))
    }
}
