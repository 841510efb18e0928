//! Copies between candle's tensors and named arrays, access to candle's storage as a slice, and elementwise operations
//! between layers on it, each in one pass.
//!
//! candle's own gradients are slower: that of a ReLU takes five passes over the tensor, and that of
//! a bias is a sum over rows that took a seventh of a training step.

use candle_core::backend::BackendStorage;
use candle_core::{CpuStorage, CustomOp1, CustomOp2, Device, Layout, Result, Shape, Storage, Tensor, bail};

use hexzero_nn::TensorData;

/// Copies a candle tensor.
///
/// # Errors
/// If the tensor does not hold 32-bit floats.
pub fn tensor_data(tensor: &Tensor) -> Result<TensorData> {
    Ok(TensorData { shape: tensor.dims().to_vec(), data: tensor.flatten_all()?.to_vec1()? })
}

/// Creates a candle tensor with these values.
///
/// # Errors
/// If shape and number of values disagree.
pub fn candle_tensor(data: &TensorData) -> Result<Tensor> {
    Tensor::from_slice(&data.data, data.shape.as_slice(), &Device::Cpu)
}

/// Returns the values of a contiguous tensor of 32-bit floats.
pub(crate) fn f32_slice<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    match (storage, layout.contiguous_offsets()) {
        (CpuStorage::F32(values), Some((start, end))) => Ok(&values[start..end]),
        // candle calls an empty part of each row not contiguous: the global actions of a game that has none.
        (CpuStorage::F32(_), None) if layout.shape().elem_count() == 0 => Ok(&[]),
        _ => bail!("expected contiguous 32-bit floats, got {:?} {layout:?}", storage.dtype()),
    }
}

/// Adds the values of a tensor of 32-bit floats to `sum`.
///
/// # Errors
/// If the tensor is of another type.
pub fn add_values(sum: &mut [f32], tensor: &Tensor) -> Result<()> {
    let tensor = tensor.contiguous()?;
    let (storage, layout) = tensor.storage_and_layout();
    let Storage::Cpu(storage) = &*storage else { bail!("expected a tensor on the processor") };
    sum.iter_mut().zip(f32_slice(storage, layout)?).for_each(|(sum, value)| *sum += value);
    Ok(())
}

/// Returns the gradient through a ReLU that had this result.
pub(crate) fn through_relu(gradient: &Tensor, result: &Tensor) -> Result<Tensor> {
    gradient.contiguous()?.apply_op2_no_bwd(result, &ThroughRelu)
}

/// Sums the rows of `x`, `[rows × channels]`.
pub(crate) fn sum_rows(x: &Tensor) -> Result<Tensor> {
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
pub(crate) fn add_rows(x: &[f32], sums: &mut [f32]) {
    for row in x.chunks_exact(sums.len()) {
        sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
    }
}
