//! Copies between candle's tensors and named arrays, and candle's storage as a slice.

use candle_core::backend::BackendStorage;
use candle_core::{CpuStorage, Device, Layout, Result, Storage, Tensor, bail};

use crate::network::file::TensorData;

impl TensorData {
    /// Copies a candle tensor.
    ///
    /// # Errors
    /// If it does not hold 32-bit floats.
    pub fn from_candle(tensor: &Tensor) -> Result<Self> {
        Ok(Self { shape: tensor.dims().to_vec(), data: tensor.flatten_all()?.to_vec1()? })
    }

    /// Creates a candle tensor with these values.
    ///
    /// # Errors
    /// If shape and number of values disagree.
    pub fn to_candle(&self) -> Result<Tensor> {
        Tensor::from_slice(&self.data, self.shape.as_slice(), &Device::Cpu)
    }
}

/// Returns the values of a contiguous tensor of 32-bit floats.
pub(in crate::network) fn f32_slice<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    match (storage, layout.contiguous_offsets()) {
        (CpuStorage::F32(values), Some((start, end))) => Ok(&values[start..end]),
        _ => bail!("expected contiguous 32-bit floats, got {:?} {layout:?}", storage.dtype()),
    }
}

/// Adds the values of a tensor of 32-bit floats to `sum`.
///
/// # Errors
/// If it is another kind of tensor.
pub fn add_values(sum: &mut [f32], tensor: &Tensor) -> Result<()> {
    let tensor = tensor.contiguous()?;
    let (storage, layout) = tensor.storage_and_layout();
    let Storage::Cpu(storage) = &*storage else { bail!("expected a tensor on the processor") };
    sum.iter_mut().zip(f32_slice(storage, layout)?).for_each(|(sum, value)| *sum += value);
    Ok(())
}
