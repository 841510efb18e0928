//! Candle operations with any number of arguments; candle's own custom operations take at most
//! three.
//!
//! The arguments enter the graph through a chain of links. Each link takes two more arguments and
//! returns a dummy value. Operations are attached to the end of the chain, as many as share the
//! arguments. Their gradients are accumulated outside the graph until candle, in its backward pass
//! along the chain, asks each link for those of its arguments.

use std::sync::Arc;

use candle_core::{CpuStorage, CustomOp1, CustomOp3, DType, Device, Layout, Result, Shape, Storage, Tensor, bail};
use parking_lot::Mutex;

use super::storage::f32_slice;

/// An operation on many arguments.
pub(crate) trait Operation: Send + Sync + 'static {
    /// Computes the result, row-major, and its shape.
    fn forward(&self, arguments: &[&[f32]]) -> Result<(Vec<f32>, Shape)>;

    /// Adds to the gradient of each argument the contribution from the gradient of the result.
    fn backward(&self, arguments: &[&[f32]], gradient: &[f32], gradients: &mut [Vec<f32>]) -> Result<()>;
}

/// Arguments that are part of a graph.
pub(crate) struct Arguments {
    shared: Arc<Shared>,
    chain: Tensor,
}

impl Arguments {
    /// Adds arguments to a graph.
    ///
    /// # Errors
    /// If candle fails.
    pub fn new(arguments: impl IntoIterator<Item = Tensor>) -> Result<Self> {
        let arguments = arguments.into_iter().map(|argument| argument.contiguous()).collect::<Result<Vec<_>>>()?;
        let shared = Arc::new(Shared { arguments, gradients: Mutex::default() });
        let nothing = Tensor::zeros((), DType::F32, &Device::Cpu)?;
        let mut chain = nothing.clone();
        for (number, pair) in shared.arguments.chunks(2).enumerate() {
            let link = Link { shared: shared.clone(), first: 2 * number };
            chain = chain.apply_op3(&pair[0], pair.get(1).unwrap_or(&nothing), link)?;
        }
        Ok(Self { shared, chain })
    }

    /// Applies an operation to the arguments.
    ///
    /// # Errors
    /// If the operation fails, or an argument does not hold 32-bit floats.
    pub fn apply(&self, operation: impl Operation) -> Result<Tensor> {
        self.chain.apply_op1(End { shared: self.shared.clone(), operation })
    }
}

struct Shared {
    arguments: Vec<Tensor>,
    /// The gradient of each argument; empty before the first backward pass.
    gradients: Mutex<Vec<Vec<f32>>>,
}

impl Shared {
    /// Calls `f` with the values of all arguments.
    fn with_values<T>(&self, f: impl FnOnce(&[&[f32]]) -> Result<T>) -> Result<T> {
        let guards: Vec<_> = self.arguments.iter().map(Tensor::storage_and_layout).collect();
        let values = guards.iter().map(|(storage, layout)| match &**storage {
            Storage::Cpu(storage) => f32_slice(storage, layout),
            _ => bail!("expected a tensor on the processor"),
        });
        f(&values.collect::<Result<Vec<_>>>()?)
    }

    /// Takes the gradient of an argument, or returns `None` if there is no such argument or no
    /// gradient.
    fn take_gradient(&self, number: usize) -> Result<Option<Tensor>> {
        let values = self.gradients.lock().get_mut(number).map(std::mem::take).unwrap_or_default();
        match self.arguments.get(number) {
            Some(argument) if values.len() == argument.elem_count() => {
                Tensor::from_vec(values, argument.shape(), &Device::Cpu).map(Some)
            }
            _ => Ok(None),
        }
    }
}

/// Returns a placeholder value.
fn nothing() -> (CpuStorage, Shape) {
    (CpuStorage::F32(vec![0.0]), ().into())
}

/// Adds two arguments to the chain, beginning with number `first`.
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
        Ok((chain.track_op().then(|| gradient.clone()), first?, second?))
    }
}

/// An operation at the end of the chain.
struct End<O> {
    shared: Arc<Shared>,
    operation: O,
}

impl<O: Operation> CustomOp1 for End<O> {
    fn name(&self) -> &'static str {
        "operation"
    }

    fn cpu_fwd(&self, _: &CpuStorage, _: &Layout) -> Result<(CpuStorage, Shape)> {
        let (values, shape) = self.shared.with_values(|arguments| self.operation.forward(arguments))?;
        Ok((CpuStorage::F32(values), shape))
    }

    fn bwd(&self, chain: &Tensor, _: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let gradient = gradient.contiguous()?;
        let (storage, layout) = gradient.storage_and_layout();
        let Storage::Cpu(storage) = &*storage else { bail!("expected a tensor on the processor") };
        let gradient = f32_slice(storage, layout)?;
        let mut gradients = self.shared.gradients.lock();
        gradients.resize_with(self.shared.arguments.len(), Vec::new);
        for (gradient, argument) in gradients.iter_mut().zip(&self.shared.arguments) {
            gradient.resize(argument.elem_count(), 0.0);
        }
        self.shared.with_values(|arguments| self.operation.backward(arguments, gradient, &mut gradients))?;
        Ok(Some(chain.zeros_like()?))
    }
}
