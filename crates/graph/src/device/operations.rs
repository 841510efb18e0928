//! The network's operations on any device: hexagonal convolution, bias, ReLU, and row selection.
//!
//! candle has these operations too, but its gradients are slow on a GPU: that of row selection
//! loops over all rows for each channel, and that of a bias is a strided sum. Its ReLU also passes
//! the gradient at 0, unlike the kernels.

use candle_core::backend::{BackendDevice, BackendStorage};
use candle_core::op::{Add, Relu};
use candle_core::{DType, Device, DeviceLocation, Layout, Result, Shape, Tensor};

use hexzero_nn::TAPS;

use super::any_device::{AnyDevice, apply};

/// The index that stands for a row of zeros, in candle's operations.
pub(super) const NOTHING: u32 = u32::MAX;

/// Half the number of directions: the offset from a direction to its opposite.
const HALF_TURN: usize = (TAPS - 1) / 2;

/// Multiplies the matrices `a` and `b`, on any device in any precision.
pub(super) fn matmul(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    if !multiplies_in_floats(a.dtype(), a.device().location()) {
        return a.matmul(b);
    }
    a.to_dtype(DType::F32)?.matmul(&b.to_dtype(DType::F32)?)?.to_dtype(DType::BF16)
}

/// Returns true if a product is computed in f32 and rounded, because candle cannot multiply bf16 on
/// the processor.
fn multiplies_in_floats(dtype: DType, location: DeviceLocation) -> bool {
    dtype == DType::BF16 && matches!(location, DeviceLocation::Cpu)
}

/// Convolves `x`, `[cells × inputs]`, with `weights`, `[7 · inputs × outputs]`, without a bias. `taps`
/// holds the rows that each cell reads, `[cells · 7]`.
pub(super) fn convolution(x: &Tensor, weights: &Tensor, taps: &Tensor) -> Result<Tensor> {
    apply(Convolution, &[&x.contiguous()?, &weights.contiguous()?, taps])
}

struct Convolution;

impl AnyDevice for Convolution {
    const NAME: &'static str = "hexagonal_convolution";

    fn forward<S: BackendStorage>(&self, arguments: &[(&S, &Layout)]) -> Result<(S, Shape)> {
        let [(x, lx), (weights, lw), (taps, lt)] = *arguments else { unreachable!("three arguments") };
        let ((_, inputs), (taken, outputs)) = (lx.shape().dims2()?, lw.shape().dims2()?);
        let cells = lt.shape().dims1()? * inputs / taken;
        let gathered = x.index_select(taps, lx, lt, 0)?;
        let rows = Layout::contiguous((cells, taken));
        let shape = (cells, outputs).into();
        let matmul = |a: &S, b: &S| a.matmul(b, (1, cells, outputs, taken), &rows, lw);
        if !multiplies_in_floats(gathered.dtype(), gathered.device().location()) {
            return Ok((matmul(&gathered, weights)?, shape));
        }
        let weights = weights.to_dtype(lw, DType::F32)?;
        let product = matmul(&gathered.to_dtype(&rows, DType::F32)?, &weights)?;
        Ok((product.to_dtype(&Layout::contiguous(&shape), DType::BF16)?, shape))
    }

    /// Propagates the gradient back. A cell is read by its neighbours from the opposite direction,
    /// so the gradient of the input is itself a convolution. The gathered rows are gathered again,
    /// since storing them would take seven times the memory.
    fn backward(&self, arguments: &[&Tensor], _: &Tensor, gradient: &Tensor) -> Result<[Option<Tensor>; 3]> {
        let [x, weights, taps] = *arguments else { unreachable!("three arguments") };
        let cells = gradient.dim(0)?;
        let gathered = |rows: &Tensor| rows.index_select(taps, 0)?.reshape((cells, ()));
        let gradient = gradient.contiguous()?;
        let of_x = || matmul(&gathered(&gradient)?, &transposed(weights, x.dim(1)?)?);
        let of_weights = matmul(&gathered(x)?.t()?, &gradient)?;
        Ok([x.track_op().then(of_x).transpose()?, Some(of_weights), None])
    }
}

/// Returns the weights of the backward convolution: directions reversed, each matrix transposed.
pub(super) fn transposed(weights: &Tensor, inputs: usize) -> Result<Tensor> {
    let outputs = weights.dim(1)?;
    let taps = weights.reshape((TAPS, inputs, outputs))?;
    let [itself, near, far] =
        [(0, 1), (1, HALF_TURN), (1 + HALF_TURN, HALF_TURN)].map(|(start, length)| taps.narrow(0, start, length));
    Tensor::cat(&[itself?, far?, near?], 0)?.transpose(1, 2)?.contiguous()?.reshape((TAPS * outputs, inputs))
}

/// Adds `bias`, `[channels]`, to every row of `x`, `[rows × channels]`.
pub(super) fn with_bias(x: &Tensor, bias: &Tensor) -> Result<Tensor> {
    apply(Bias, &[&x.contiguous()?, &bias.contiguous()?])
}

struct Bias;

impl AnyDevice for Bias {
    const NAME: &'static str = "bias";

    fn forward<S: BackendStorage>(&self, arguments: &[(&S, &Layout)]) -> Result<(S, Shape)> {
        let [(x, lx), (bias, lb)] = *arguments else { unreachable!("two arguments") };
        let sum = x.binary_impl::<Add>(bias, lx, &lb.broadcast_as(lx.shape().clone())?)?;
        Ok((sum, lx.shape().clone()))
    }

    fn backward(&self, arguments: &[&Tensor], _: &Tensor, gradient: &Tensor) -> Result<[Option<Tensor>; 3]> {
        let [x, bias] = *arguments else { unreachable!("two arguments") };
        let rows = x.dim(0)?;
        // Computed as a matrix product, which reads each row once.
        let ones = Tensor::ones((1, rows), gradient.dtype(), gradient.device())?;
        let sums = matmul(&ones, &gradient.contiguous()?)?;
        Ok([Some(gradient.clone()), Some(sums.reshape(bias.shape())?), None])
    }
}

/// Returns `x` with zeros for negative values.
pub(super) fn relu(x: &Tensor) -> Result<Tensor> {
    apply(Rectifier, &[x])
}

struct Rectifier;

impl AnyDevice for Rectifier {
    const NAME: &'static str = "relu";

    fn forward<S: BackendStorage>(&self, arguments: &[(&S, &Layout)]) -> Result<(S, Shape)> {
        let (x, layout) = arguments[0];
        Ok((x.unary_impl::<Relu>(layout)?, layout.shape().clone()))
    }

    fn backward(&self, _: &[&Tensor], result: &Tensor, gradient: &Tensor) -> Result<[Option<Tensor>; 3]> {
        let passes = result.gt(&result.zeros_like()?)?.to_dtype(gradient.dtype())?;
        Ok([Some((gradient * passes)?), None, None])
    }
}

/// A selection of rows whose gradient is gathered too, so that no two additions go to the same
/// place.
#[derive(Debug, Clone)]
pub(crate) struct Picks {
    /// The index of each selected row, or [`NOTHING`] for zeros.
    rows: Tensor,
    /// For each source row, the `times` places that it was copied to, or [`NOTHING`]. If `None`,
    /// each source row was copied to `times` successive places.
    back: Option<Tensor>,
    times: usize,
}

impl Picks {
    /// Selects these rows, or zeros for [`NOTHING`]. `back` lists for each source row the places
    /// that it is copied to, `times` of them. Without `back`, each source row is copied to the next
    /// `times` places.
    pub fn new(rows: Vec<u32>, back: Option<Vec<u32>>, times: usize, device: &Device) -> Result<Self> {
        let tensor = |values: Vec<u32>| {
            let length = values.len();
            Tensor::from_vec(values, length, device)
        };
        Ok(Self { rows: tensor(rows)?, back: back.map(tensor).transpose()?, times })
    }

    /// Returns the selected rows of `x`, `[rows × channels]`.
    pub fn of(&self, x: &Tensor) -> Result<Tensor> {
        apply(self.clone(), &[&x.contiguous()?, &self.rows])
    }
}

impl AnyDevice for Picks {
    const NAME: &'static str = "picks";

    fn forward<S: BackendStorage>(&self, arguments: &[(&S, &Layout)]) -> Result<(S, Shape)> {
        let [(x, lx), (rows, lr)] = *arguments else { unreachable!("two arguments") };
        let picked = x.index_select(rows, lx, lr, 0)?;
        Ok((picked, (lr.shape().dims1()?, lx.shape().dims2()?.1).into()))
    }

    fn backward(&self, _: &[&Tensor], _: &Tensor, gradient: &Tensor) -> Result<[Option<Tensor>; 3]> {
        let channels = gradient.dim(1)?;
        let gradient = match &self.back {
            Some(back) => gradient.contiguous()?.index_select(back, 0)?,
            None => gradient.contiguous()?,
        };
        if self.times == 1 {
            return Ok([Some(gradient), None, None]);
        }
        let rows = gradient.dim(0)? / self.times;
        let ones = Tensor::ones((rows, 1, self.times), gradient.dtype(), gradient.device())?;
        let sums = matmul(&ones, &gradient.reshape((rows, self.times, channels))?)?;
        Ok([Some(sums.reshape((rows, channels))?), None, None])
    }
}
