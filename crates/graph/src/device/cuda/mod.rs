//! The tower's operations on NVIDIA GPUs by kernels of our own, in bf16 and f16.
//!
//! candle has no convolution over neighbours on a hexagonal board: by its operations, the rows of all neighbours are
//! copied before each product, and bias, addition and ReLU are a pass over memory each.

mod launch;

use candle_core::backend::BackendStorage;
use candle_core::{CudaStorage, DType, Layout, Result, Shape, Tensor, bail};
use hexzero_nn::TAPS;

use self::launch::{Argument, Half, Launcher, Values, with_indices};
use super::any_device::{AnyDevice, apply};
use super::operations::transposed;

/// Rows that a block of the convolution computes.
const CONVOLUTION_ROWS: usize = 128;

/// Rows or channels multiplied in one step, and the steps whose operands are in shared memory at once.
const STEP: usize = 32;
const STAGES: usize = 4;

/// Number of blocks that fill the largest GPUs (132 multiprocessors with two each).
const BLOCKS: usize = 264;

/// Threads of a block.
const THREADS: usize = 256;

/// Returns true if the kernels take rows of `x` and give rows of as many channels: 64, 128, 256 or 512 16-bit floats
/// on an NVIDIA GPU.
pub fn takes(x: &Tensor, outputs: usize) -> bool {
    let fits = |channels: usize| channels.is_multiple_of(64) && THREADS.is_multiple_of(channels / 2);
    let is_half = matches!(x.dtype(), DType::BF16 | DType::F16);
    x.device().is_cuda() && is_half && x.dim(1).is_ok_and(fits) && fits(outputs)
}

/// Convolves `x`, `[rows × inputs]`, with `layer`, `[7 · inputs + 1 × outputs]`, whose last row is the bias; adds
/// `residual` and applies a ReLU.
pub fn convolution(x: &Tensor, layer: &Tensor, residual: Option<&Tensor>, taps: &Tensor, relu: bool) -> Result<Tensor> {
    let operation = Convolution { taps: taps.clone(), relu, has_bias: true };
    let (x, layer) = (x.contiguous()?, layer.contiguous()?);
    match residual {
        Some(residual) => apply(operation, &[&x, &layer, &residual.contiguous()?]),
        None => apply(operation, &[&x, &layer]),
    }
}

/// Computes mean and maximum over the rows of each position, `[positions × 2 · channels]`.
pub fn pool(x: &Tensor, starts: &Tensor) -> Result<Tensor> {
    apply(Pool { starts: starts.clone() }, &[&x.contiguous()?])
}

/// Adds to each row of `x` that of its position in `addends`, `[positions × channels]`, and applies a ReLU if asked.
pub fn add_to_positions(x: &Tensor, addends: &Tensor, starts: &Tensor, relu: bool) -> Result<Tensor> {
    apply(AddToPositions { starts: starts.clone(), relu }, &[&x.contiguous()?, &addends.contiguous()?])
}

/// An operation that runs in both 16-bit precisions.
trait InHalves: Send + Sync + 'static {
    const NAME: &'static str;

    /// Computes the result of the arguments, which are contiguous.
    fn launch<T: Half>(&self, launcher: &Launcher<T>, arguments: &[Values<'_, T>]) -> Result<(CudaStorage, Shape)>;

    /// Computes the gradients of the arguments.
    fn gradients(&self, _: &[&Tensor], _: &Tensor, _: &Tensor) -> Result<[Option<Tensor>; 3]> {
        bail!("{} has no gradient", Self::NAME)
    }
}

impl<O: InHalves> AnyDevice for O {
    const NAME: &'static str = O::NAME;

    fn forward<S: BackendStorage>(&self, _: &[(&S, &Layout)]) -> Result<(S, Shape)> {
        bail!("{} runs on NVIDIA GPUs only", O::NAME)
    }

    fn on_cuda(&self, arguments: &[(&CudaStorage, &Layout)]) -> Result<(CudaStorage, Shape)> {
        match arguments[0].0.dtype() {
            DType::BF16 => launch::with_halves::<half::bf16, _>(self, arguments),
            _ => launch::with_halves::<half::f16, _>(self, arguments),
        }
    }

    fn backward(&self, arguments: &[&Tensor], result: &Tensor, gradient: &Tensor) -> Result<[Option<Tensor>; 3]> {
        self.gradients(arguments, result, &gradient.contiguous()?)
    }
}

struct Convolution {
    /// The row that each row reads by each tap, `[rows · 7]`.
    taps: Tensor,
    relu: bool,
    /// True if the last row of the weights is a bias.
    has_bias: bool,
}

impl InHalves for Convolution {
    const NAME: &'static str = "hexagonal_convolution";

    fn launch<T: Half>(&self, launcher: &Launcher<T>, arguments: &[Values<'_, T>]) -> Result<(CudaStorage, Shape)> {
        let [x, weights, residual @ ..] = arguments else { bail!("a convolution takes weights") };
        let ([rows, inputs], [_, outputs]) = (x.dims, weights.dims);
        let columns = if outputs.is_multiple_of(128) { 128 } else { 64 };
        let memory = STAGES * (CONVOLUTION_ROWS + columns) * STEP * size_of::<T>();
        let memory = memory + CONVOLUTION_ROWS * TAPS * size_of::<u32>();
        let bias = self.has_bias.then(|| weights.view.slice(TAPS * inputs * outputs..));
        let out = launcher.empty(rows * outputs)?;
        let grid = [rows.div_ceil(CONVOLUTION_ROWS), outputs / columns, 1];
        with_indices(&self.taps, |taps| {
            let (left, right) = (Argument::Values(&x.view), Argument::Values(&weights.view));
            let (bias, residual) = (bias.as_ref(), residual.first().map(|residual| &residual.view));
            let [bias, residual] = [bias, residual].map(Argument::optional);
            let [rows, inputs, outputs, relu] = [rows, inputs, outputs, self.relu.into()].map(Argument::number);
            let arguments = [
                left,
                right,
                Argument::Indices(taps),
                bias,
                residual,
                Argument::Result(&out),
                rows,
                inputs,
                outputs,
                relu,
            ];
            launcher.run_with_memory(&format!("convolve_{columns}"), grid, memory, &arguments)
        })?;
        Ok(launcher.finish(out, (rows, outputs)))
    }

    /// A row is read by its neighbours from the opposite direction, so the gradient of the input is itself a
    /// convolution.
    fn gradients(&self, arguments: &[&Tensor], result: &Tensor, gradient: &Tensor) -> Result<[Option<Tensor>; 3]> {
        let [x, layer, ..] = *arguments else { bail!("a convolution takes weights") };
        let gradient = through_relu(self.relu, gradient, result)?;
        let of_x = || {
            let inputs = x.dim(1)?;
            let weights = transposed(&layer.detach().narrow(0, 0, TAPS * inputs)?, inputs)?;
            let operation = Convolution { taps: self.taps.clone(), relu: false, has_bias: false };
            apply(operation, &[&gradient, &weights])
        };
        let of_x = x.track_op().then(of_x).transpose()?;
        let of_layer = apply(WeightGradient { taps: self.taps.clone() }, &[&x.detach(), &gradient])?;
        Ok([of_x, Some(of_layer), Some(gradient)])
    }
}

/// Returns the gradient through a ReLU, if there was one.
fn through_relu(relu: bool, gradient: &Tensor, result: &Tensor) -> Result<Tensor> {
    let gradient = gradient.detach();
    if relu { apply(ReluGradient, &[&gradient, &result.detach()]) } else { Ok(gradient) }
}

/// Computes the gradient of a convolution's layer from `x`, `[rows × inputs]`, and the gradient of the result.
struct WeightGradient {
    taps: Tensor,
}

impl InHalves for WeightGradient {
    const NAME: &'static str = "weight_gradient";

    fn launch<T: Half>(&self, launcher: &Launcher<T>, arguments: &[Values<'_, T>]) -> Result<(CudaStorage, Shape)> {
        let [x, gradient] = arguments else { bail!("a weight gradient takes two arguments") };
        let ([rows, inputs], [_, outputs]) = (x.dims, gradient.dims);
        let side = if inputs.is_multiple_of(128) && outputs.is_multiple_of(128) { 128 } else { 64 };
        let tiles = (inputs / side) * (outputs / side);
        let parts = (BLOCKS / (TAPS * tiles)).clamp(1, rows.div_ceil(STEP));
        let weights = TAPS * inputs * outputs;
        let out = launcher.empty(weights + outputs)?;
        let partial = launcher.empty(parts * weights)?;
        let [x, gradient] = [&x.view, &gradient.view].map(Argument::Values);
        let numbers = || [rows, inputs, outputs].map(Argument::number);
        with_indices(&self.taps, |taps| {
            let [rows, inputs, outputs] = numbers();
            let (taps, partial) = (Argument::Indices(taps), Argument::Floats(&partial));
            let memory = STAGES * 2 * side * STEP * size_of::<T>();
            let arguments = [x, gradient, taps, partial, rows, inputs, outputs];
            launcher.run_with_memory(&format!("weight_gradient_{side}"), [tiles, TAPS, parts], memory, &arguments)
        })?;
        launcher.sum_parts(&partial, &out.slice(..weights), parts)?;
        // The bias.
        let parts = BLOCKS / 2;
        let partial = launcher.empty(parts * outputs)?;
        let [rows, _, columns] = numbers();
        launcher.run("sum_columns", [parts, 1, 1], &[gradient, Argument::Floats(&partial), rows, columns])?;
        launcher.sum_parts(&partial, &out.slice(weights..), parts)?;
        Ok(launcher.finish(out, (TAPS * inputs + 1, outputs)))
    }
}

/// Sets the gradient to zero where the result of a ReLU is zero.
struct ReluGradient;

impl InHalves for ReluGradient {
    const NAME: &'static str = "relu_gradient";

    fn launch<T: Half>(&self, launcher: &Launcher<T>, arguments: &[Values<'_, T>]) -> Result<(CudaStorage, Shape)> {
        let [gradient, result] = arguments else { bail!("a ReLU gradient takes two arguments") };
        let [rows, channels] = gradient.dims;
        let out = launcher.empty(rows * channels)?;
        let to = Argument::Result(&out);
        let [gradient, result] = [&gradient.view, &result.view].map(Argument::Values);
        let grid = [(rows * channels / 8).div_ceil(THREADS), 1, 1];
        launcher.run("relu_gradient", grid, &[gradient, result, to, Argument::number(rows * channels)])?;
        Ok(launcher.finish(out, (rows, channels)))
    }
}

struct Pool {
    /// The first row of each position, then the number of rows.
    starts: Tensor,
}

impl InHalves for Pool {
    const NAME: &'static str = "pool";

    fn launch<T: Half>(&self, launcher: &Launcher<T>, arguments: &[Values<'_, T>]) -> Result<(CudaStorage, Shape)> {
        let (x, positions) = (&arguments[0], self.starts.elem_count() - 1);
        let [_, channels] = x.dims;
        let out = launcher.empty(positions * 2 * channels)?;
        let to = Argument::Result(&out);
        let x = Argument::Values(&x.view);
        with_indices(&self.starts, |starts| {
            let arguments = [x, Argument::Indices(starts), to, Argument::number(channels)];
            launcher.run("pool", [positions, 1, 1], &arguments)
        })?;
        Ok(launcher.finish(out, (positions, 2 * channels)))
    }

    fn gradients(&self, arguments: &[&Tensor], _: &Tensor, gradient: &Tensor) -> Result<[Option<Tensor>; 3]> {
        let operation = PoolGradient { starts: self.starts.clone() };
        Ok([Some(apply(operation, &[&arguments[0].detach(), &gradient.detach()])?), None, None])
    }
}

struct PoolGradient {
    starts: Tensor,
}

impl InHalves for PoolGradient {
    const NAME: &'static str = "pool_gradient";

    fn launch<T: Half>(&self, launcher: &Launcher<T>, arguments: &[Values<'_, T>]) -> Result<(CudaStorage, Shape)> {
        let [x, gradient] = arguments else { bail!("a pool gradient takes two arguments") };
        let ([rows, channels], positions) = (x.dims, self.starts.elem_count() - 1);
        let out = launcher.empty(rows * channels)?;
        let to = Argument::Result(&out);
        let [x, gradient] = [&x.view, &gradient.view].map(Argument::Values);
        with_indices(&self.starts, |starts| {
            let arguments = [x, Argument::Indices(starts), gradient, to, Argument::number(channels)];
            launcher.run("pool_gradient", [positions, 1, 1], &arguments)
        })?;
        Ok(launcher.finish(out, (rows, channels)))
    }
}

struct AddToPositions {
    starts: Tensor,
    relu: bool,
}

impl InHalves for AddToPositions {
    const NAME: &'static str = "add_to_positions";

    fn launch<T: Half>(&self, launcher: &Launcher<T>, arguments: &[Values<'_, T>]) -> Result<(CudaStorage, Shape)> {
        let [x, addends] = arguments else { bail!("an addition takes two arguments") };
        let ([rows, channels], [positions, _]) = (x.dims, addends.dims);
        let out = launcher.empty(rows * channels)?;
        let to = Argument::Result(&out);
        let [x, addends] = [&x.view, &addends.view].map(Argument::Values);
        let [channels_of, relu] = [channels, self.relu.into()].map(Argument::number);
        with_indices(&self.starts, |starts| {
            let arguments = [x, addends, Argument::Indices(starts), to, channels_of, relu];
            launcher.run("add_to_positions", [positions, 1, 1], &arguments)
        })?;
        Ok(launcher.finish(out, (rows, channels)))
    }

    fn gradients(&self, _: &[&Tensor], result: &Tensor, gradient: &Tensor) -> Result<[Option<Tensor>; 3]> {
        let gradient = through_relu(self.relu, gradient, result)?;
        let of_addends = apply(SumPositions { starts: self.starts.clone() }, &[&gradient])?;
        Ok([Some(gradient), Some(of_addends), None])
    }
}

/// Sums the rows of each position.
struct SumPositions {
    starts: Tensor,
}

impl InHalves for SumPositions {
    const NAME: &'static str = "sum_positions";

    fn launch<T: Half>(&self, launcher: &Launcher<T>, arguments: &[Values<'_, T>]) -> Result<(CudaStorage, Shape)> {
        let (x, positions) = (&arguments[0], self.starts.elem_count() - 1);
        let [_, channels] = x.dims;
        let out = launcher.empty(positions * channels)?;
        let to = Argument::Result(&out);
        let x = Argument::Values(&x.view);
        with_indices(&self.starts, |starts| {
            let arguments = [x, Argument::Indices(starts), to, Argument::number(channels)];
            launcher.run("sum_positions", [positions, 1, 1], &arguments)
        })?;
        Ok(launcher.finish(out, (positions, channels)))
    }
}
