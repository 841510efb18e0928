//! Copies of candle's tensors as arrays, access to candle's storage as a slice, and elementwise operations between
//! layers on it, each in one pass.
//!
//! candle's own gradients are slower: that of a ReLU takes five passes over the tensor, and that of
//! a bias is a sum over rows that took a seventh of a training step.

use candle_core::backend::BackendStorage;
use candle_core::{CpuStorage, Device, Layout, Result, Storage, Tensor, bail};

use hexzero_nn::TensorData;

/// Copies a candle tensor.
///
/// # Errors
/// If the tensor does not hold 32-bit floats.
pub fn tensor_data(tensor: &Tensor) -> Result<TensorData> {
    Ok(TensorData { shape: tensor.dims().to_vec(), data: tensor.flatten_all()?.to_vec1()? })
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

/// Calls `f` with the values of contiguous tensors of 32-bit floats on the processor.
pub(crate) fn with_floats<const N: usize, T>(
    tensors: [&Tensor; N],
    f: impl FnOnce([&[f32]; N]) -> Result<T>,
) -> Result<T> {
    let guards = tensors.map(Tensor::storage_and_layout);
    let mut values: [&[f32]; N] = [&[]; N];
    for (values, (storage, layout)) in values.iter_mut().zip(&guards) {
        let Storage::Cpu(storage) = &**storage else { bail!("expected a tensor on the processor") };
        *values = f32_slice(storage, layout)?;
    }
    f(values)
}

/// Adds the values of a tensor of 32-bit floats to `sum`.
///
/// # Errors
/// If the tensor is of another type.
pub fn add_values(sum: &mut [f32], tensor: &Tensor) -> Result<()> {
    with_floats([&tensor.contiguous()?], |[values]| {
        sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        Ok(())
    })
}

/// Returns the gradient through a ReLU that had this result.
pub(crate) fn through_relu(gradient: &Tensor, result: &Tensor) -> Result<Tensor> {
    let gradient = gradient.contiguous()?;
    let passed: Vec<f32> = with_floats([&gradient, result], |[gradient, result]| {
        Ok(gradient.iter().zip(result).map(|(&g, &out)| if out > 0.0 { g } else { 0.0 }).collect())
    })?;
    Tensor::from_vec(passed, gradient.shape(), &Device::Cpu)
}

/// Sums the rows of `x`, `[rows × channels]`.
pub(crate) fn sum_rows(x: &Tensor) -> Result<Tensor> {
    let (_, channels) = x.dims2()?;
    let sums = with_floats([&x.contiguous()?], |[x]| {
        let mut sums = vec![0.0; channels];
        add_rows(x, &mut sums);
        Ok(sums)
    })?;
    Tensor::from_vec(sums, channels, &Device::Cpu)
}

/// Adds every row of `x` to `sums`.
pub(crate) fn add_rows(x: &[f32], sums: &mut [f32]) {
    for row in x.chunks_exact(sums.len()) {
        sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
    }
}
