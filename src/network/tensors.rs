//! Named arrays of floats, and how candle's storage is read as one.

use std::collections::BTreeMap;

use candle_core::backend::BackendStorage;
use candle_core::{CpuStorage, Device, Layout, Result, Tensor, bail};

/// An array of floats with its shape, row-major.
#[derive(Debug, Clone, PartialEq)]
pub struct TensorData {
    /// The length of each dimension.
    pub shape: Vec<usize>,
    /// The values.
    pub data: Vec<f32>,
}

/// Arrays by name, in the order of the names.
pub type NamedTensors = BTreeMap<String, TensorData>;

impl TensorData {
    /// A copy of a candle tensor.
    ///
    /// # Errors
    /// If it does not hold 32-bit floats.
    pub fn from_candle(tensor: &Tensor) -> Result<Self> {
        Ok(Self { shape: tensor.dims().to_vec(), data: tensor.flatten_all()?.to_vec1()? })
    }

    /// A candle tensor with these values.
    ///
    /// # Errors
    /// If shape and number of values disagree.
    pub fn to_candle(&self) -> Result<Tensor> {
        Tensor::from_slice(&self.data, self.shape.as_slice(), &Device::Cpu)
    }
}

/// The values of a contiguous tensor of 32-bit floats.
pub(super) fn f32_slice<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    match (storage, layout.contiguous_offsets()) {
        (CpuStorage::F32(values), Some((start, end))) => Ok(&values[start..end]),
        _ => bail!("expected contiguous 32-bit floats, got {:?} {layout:?}", storage.dtype()),
    }
}
