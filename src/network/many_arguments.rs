//! Candle operations with any number of arguments; candle's own custom operations take three at most.
//!
//! The arguments enter the graph through a chain of links, each of which takes two more of them and gives a number that
//! means nothing. The operation itself hangs on the end of the chain. Its gradients wait beside the graph until candle, on
//! its way back along the chain, asks each link for those of its arguments.

use std::sync::{Arc, Mutex, PoisonError};

use candle_core::{CpuStorage, CustomOp1, CustomOp3, Device, Layout, Result, Shape, Storage, Tensor, bail};

use super::tensors::f32_slice;

/// An operation on many arguments.
pub(super) trait Operation: Send + Sync + 'static {
    /// The result, row-major, and its shape.
    fn forward(&self, arguments: &[&[f32]]) -> Result<(Vec<f32>, Shape)>;

    /// The gradient of each argument from that of the result.
    fn backward(&self, arguments: &[&[f32]], gradient: &[f32]) -> Result<Vec<Vec<f32>>>;
}

/// Applies an operation to its arguments.
///
/// # Errors
/// If the operation fails, or an argument holds no 32-bit floats.
pub(super) fn apply(operation: impl Operation, arguments: &[Tensor]) -> Result<Tensor> {
    let arguments = arguments.iter().map(Tensor::contiguous).collect::<Result<Vec<_>>>()?;
    let gradients = Mutex::new(vec![None; arguments.len()]);
    let shared = Arc::new(Shared { operation: Box::new(operation), arguments, gradients });
    let nothing = Tensor::zeros((), candle_core::DType::F32, &Device::Cpu)?;
    let mut chain = nothing.clone();
    for (number, pair) in shared.arguments.chunks(2).enumerate() {
        let link = Link { shared: shared.clone(), first: 2 * number };
        chain = chain.apply_op3(&pair[0], pair.get(1).unwrap_or(&nothing), link)?;
    }
    chain.apply_op1(End(shared))
}

struct Shared {
    operation: Box<dyn Operation>,
    arguments: Vec<Tensor>,
    gradients: Mutex<Vec<Option<Tensor>>>,
}

impl Shared {
    /// Calls `f` with the values of all arguments.
    fn with_values<T>(&self, f: impl FnOnce(&dyn Operation, &[&[f32]]) -> Result<T>) -> Result<T> {
        let guards: Vec<_> = self.arguments.iter().map(Tensor::storage_and_layout).collect();
        let values = guards.iter().map(|(storage, layout)| match &**storage {
            Storage::Cpu(storage) => f32_slice(storage, layout),
            _ => bail!("expected a tensor on the processor"),
        });
        f(&*self.operation, &values.collect::<Result<Vec<_>>>()?)
    }

    /// The gradient of an argument, once, if there is such an argument.
    fn take_gradient(&self, argument: usize) -> Option<Tensor> {
        self.gradients.lock().unwrap_or_else(PoisonError::into_inner).get_mut(argument)?.take()
    }
}

/// A number that means nothing.
fn nothing() -> (CpuStorage, Shape) {
    (CpuStorage::F32(vec![0.0]), ().into())
}

/// Joins two arguments to the chain, those from number `first` on.
struct Link {
    shared: Arc<Shared>,
    first: usize,
}

impl CustomOp3 for Link {
    fn name(&self) -> &'static str {
        "arguments"
    }

    fn cpu_fwd(
        &self,
        _: &CpuStorage,
        _: &Layout,
        _: &CpuStorage,
        _: &Layout,
        _: &CpuStorage,
        _: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        Ok(nothing())
    }

    fn bwd(
        &self,
        chain: &Tensor,
        _: &Tensor,
        _: &Tensor,
        _: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let [first, second] = [0, 1].map(|offset| self.shared.take_gradient(self.first + offset));
        Ok((chain.track_op().then(|| gradient.clone()), first, second))
    }
}

/// The operation at the end of the chain.
struct End(Arc<Shared>);

impl CustomOp1 for End {
    fn name(&self) -> &'static str {
        "operation"
    }

    fn cpu_fwd(&self, _: &CpuStorage, _: &Layout) -> Result<(CpuStorage, Shape)> {
        let (values, shape) = self.0.with_values(|operation, arguments| operation.forward(arguments))?;
        Ok((CpuStorage::F32(values), shape))
    }

    fn bwd(&self, chain: &Tensor, _: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let gradient = gradient.contiguous()?;
        let (storage, layout) = gradient.storage_and_layout();
        let Storage::Cpu(storage) = &*storage else { bail!("expected a tensor on the processor") };
        let gradient = f32_slice(storage, layout)?;
        let gradients = self.0.with_values(|operation, arguments| operation.backward(arguments, gradient))?;
        let tensors = gradients.into_iter().zip(&self.0.arguments);
        let tensors =
            tensors.map(|(values, argument)| Tensor::from_vec(values, argument.shape(), &Device::Cpu).map(Some));
        *self.0.gradients.lock().unwrap_or_else(PoisonError::into_inner) = tensors.collect::<Result<_>>()?;
        Ok(Some(chain.zeros_like()?))
    }
}
