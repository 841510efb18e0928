//! The dense layer as a candle operation with its gradient.

use std::borrow::Cow;

use candle_core::{CpuStorage, CustomOp3, Device, Layout, Result, Shape, Tensor, bail};

use super::storage::{f32_slice, sum_rows, through_relu, with_floats};
use hexzero_nn::kernels::{Gathered, Kernel, Layer, LayerWeights, OUTPUT_MULTIPLE, Taps, add_weight_gradient};

/// Computes `x · weights + bias`, of `[rows × inputs]`, `[inputs × outputs]` and `[outputs]`, and a ReLU if asked, in
/// one pass. candle's own product asks the system for the number of cores on every call, which takes longer than a
/// small product.
///
/// # Errors
/// If the shapes do not fit each other.
pub fn dense(x: &Tensor, weights: &Tensor, bias: &Tensor, relu: bool) -> Result<Tensor> {
    let (inputs, outputs) = weights.dims2()?;
    if x.dims2()?.1 != inputs || bias.dims() != [outputs] {
        bail!("input {:?}, weights {:?} and bias {:?} do not fit", x.shape(), weights.shape(), bias.shape())
    }
    x.contiguous()?.apply_op3(&weights.contiguous()?, &bias.contiguous()?, Dense { kernel: Kernel::best(), relu })
}

struct Dense {
    kernel: Kernel,
    relu: bool,
}

/// Up to this many channels, rows are copied column by column.
const FEW: usize = 4;

/// Returns rows of `from` values as rows of `to`, padded with zeros or truncated. The kernels
/// require channels in multiples of [`OUTPUT_MULTIPLE`].
pub(crate) fn resized(rows: &[f32], from: usize, to: usize) -> Cow<'_, [f32]> {
    if from == to {
        return rows.into();
    }
    let kept = from.min(to);
    let mut resized = vec![0.0; rows.len() / from * to];
    if kept <= FEW {
        // Copy column by column, because a call of `memcpy` for each row would take longer.
        for column in 0..kept {
            let values = rows[column..].iter().step_by(from);
            resized[column..].iter_mut().step_by(to).zip(values).for_each(|(to, from)| *to = *from);
        }
        return resized.into();
    }
    for (to, from) in resized.chunks_exact_mut(to).zip(rows.chunks_exact(from)) {
        to[..kept].copy_from_slice(&from[..kept]);
    }
    resized.into()
}

/// Rounds a number of channels up to a multiple of [`OUTPUT_MULTIPLE`].
pub(crate) fn padded(channels: usize) -> usize {
    channels.next_multiple_of(OUTPUT_MULTIPLE)
}

/// Returns taps by which each row reads itself.
fn identity(rows: usize) -> Vec<[u32; 1]> {
    (0..rows as u32).map(|row| [row]).collect()
}

/// Runs a layer with any number of outputs, where row `i` is the input of output row `i`.
fn run(kernel: Kernel, layer: Layer<'_, f32>, x: &[f32]) -> Vec<f32> {
    let outputs = padded(layer.outputs);
    let weights = resized(layer.weights.words, layer.outputs, outputs);
    let bias = layer.bias.map(|bias| resized(bias, layer.outputs, outputs));
    let wide = Layer { weights: LayerWeights::plain(&weights, outputs), bias: bias.as_deref(), outputs, ..layer };
    let rows = identity(x.len() / layer.inputs);
    let mut out = vec![0.0; rows.len() * outputs];
    wide.run(kernel, x, &Taps::new(&rows), None, &mut out);
    match layer.outputs == outputs {
        true => out,
        false => resized(&out, outputs, layer.outputs).into_owned(),
    }
}

impl CustomOp3 for Dense {
    fn name(&self) -> &'static str {
        "dense"
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
        let (inputs, outputs) = lw.shape().dims2()?;
        let (x, weights, bias) = (f32_slice(x, lx)?, f32_slice(w, lw)?, f32_slice(b, lb)?);
        let weights = LayerWeights::plain(weights, outputs);
        let layer = Layer { weights, bias: Some(bias), inputs, outputs, relu: self.relu };
        Ok((CpuStorage::F32(run(self.kernel, layer, x)), (x.len() / inputs, outputs).into()))
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
        let of_x = x.track_op().then(|| input_gradient(self.kernel, &gradient, weights)).transpose()?;
        let of_weights = weight_gradient(self.kernel, x, &gradient)?;
        Ok((of_x, Some(of_weights), Some(sum_rows(&gradient)?)))
    }
}

/// Computes the gradient of the input from the gradient of the output and the weights.
fn input_gradient(kernel: Kernel, gradient: &Tensor, weights: &Tensor) -> Result<Tensor> {
    let (inputs, outputs) = weights.dims2()?;
    let values = with_floats([gradient, weights], |[gradient, weights]| {
        let mut turned = vec![0.0; weights.len()];
        for (output, row) in turned.chunks_exact_mut(inputs).enumerate() {
            row.iter_mut().zip(weights[output..].iter().step_by(outputs)).for_each(|(to, from)| *to = *from);
        }
        let weights = LayerWeights::plain(&turned, inputs);
        let layer = Layer { weights, bias: None, inputs: outputs, outputs: inputs, relu: false };
        Ok(run(kernel, layer, gradient))
    })?;
    Tensor::from_vec(values, (gradient.dim(0)?, inputs), &Device::Cpu)
}

/// Computes the gradient of the weights from the input and the gradient of the output.
fn weight_gradient(kernel: Kernel, x: &Tensor, gradient: &Tensor) -> Result<Tensor> {
    let ((rows, inputs), (_, outputs)) = (x.dims2()?, gradient.dims2()?);
    let (wide, high) = (padded(outputs), padded(inputs));
    let values = with_floats([x, gradient], |[x, gradient]| {
        let (x, gradient) = (resized(x, inputs, high), resized(gradient, outputs, wide));
        let mut sums = vec![0.0; high * wide];
        let gathered = &mut Gathered::default();
        let taps = &identity(rows);
        add_weight_gradient(kernel, &x[..], high, &Taps::new(taps), &gradient, wide, gathered, &mut sums);
        sums.truncate(inputs * wide);
        Ok(resized(&sums, wide, outputs).into_owned())
    })?;
    Tensor::from_vec(values, (inputs, outputs), &Device::Cpu)
}
