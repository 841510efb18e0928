//! Candle operations with any number of arguments and results; candle's own custom operations take
//! at most three and return one.
//!
//! The arguments enter the graph through a chain of links. Each link takes two more arguments and
//! returns a dummy value. Operations are attached to the end of the chain, as many as share the
//! arguments, and results to the dummy value of their operation. The gradients of results and
//! arguments are collected outside the graph, where candle does not copy and add them, until candle's
//! backward pass reaches the operation, and each link in turn.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use candle_core::backprop::GradStore;
use candle_core::{CpuStorage, CustomOp1, CustomOp3, DType, Device, Layout, Result, Shape, Storage, Tensor, bail};
use parking_lot::Mutex;

use super::storage::{f32_slice, with_floats};

/// An operation on many arguments.
pub(crate) trait Operation: Send + Sync + 'static {
    /// Computes all results, one after another.
    fn forward(&self, arguments: &[&[f32]]) -> Result<Vec<f32>>;

    /// Adds to the gradient of each argument the contribution from the gradient of the last results.
    fn backward(&self, gradient: &[f32], gradients: &mut [Vec<f32>]) -> Result<()>;
}

/// Arguments that are part of a graph.
pub(crate) struct Arguments {
    shared: Arc<Shared>,
    chain: Tensor,
}

impl Arguments {
    /// Adds arguments to a graph.
    pub fn new(arguments: impl IntoIterator<Item = Tensor>) -> Result<Self> {
        let arguments = arguments.into_iter().map(|argument| argument.contiguous()).collect::<Result<Vec<_>>>()?;
        let shared = Arc::new(Shared { arguments, gradients: Mutex::default(), apart: AtomicBool::new(false) });
        let nothing = Tensor::zeros((), DType::F32, &Device::Cpu)?;
        let mut chain = nothing.clone();
        for (number, pair) in shared.arguments.chunks(2).enumerate() {
            let link = Link { shared: shared.clone(), first: 2 * number };
            chain = chain.apply_op3(&pair[0], pair.get(1).unwrap_or(&nothing), link)?;
        }
        Ok(Self { shared, chain })
    }

    /// Applies an operation to the arguments, and returns its results as matrices with these rows and columns, one after
    /// another.
    ///
    /// # Errors
    /// If the operation fails, or an argument does not hold 32-bit floats.
    pub fn apply(&self, operation: impl Operation, shapes: [(usize, usize); 3]) -> Result<[Tensor; 3]> {
        let values = self.shared.with_values(|arguments| operation.forward(arguments))?;
        let results = Arc::new(Results { values, gradient: Mutex::default() });
        let end = self.chain.apply_op1(End { shared: self.shared.clone(), results: results.clone(), operation })?;
        let mut start = 0;
        let [first, second, third] = shapes.map(|shape| {
            let range = start..start + shape.0 * shape.1;
            start = range.end;
            end.apply_op1(Taken { results: results.clone(), range, shape })
        });
        Ok([first?, second?, third?])
    }

    /// Computes the gradients of `loss`, without copies of those of arguments that are variables.
    pub fn backward(&self, loss: &Tensor) -> Result<GradStore> {
        self.shared.apart.store(true, Ordering::Relaxed);
        let gradients = loss.backward();
        self.shared.apart.store(false, Ordering::Relaxed);
        let mut gradients = gradients?;
        for (number, argument) in self.shared.arguments.iter().enumerate().filter(|(_, one)| one.is_variable()) {
            let Some(gradient) = self.shared.take_gradient(number)? else { continue };
            let sum = match gradients.get(argument) {
                Some(other) => (other + gradient)?,
                None => gradient,
            };
            gradients.insert(argument, sum);
        }
        Ok(gradients)
    }
}

struct Shared {
    arguments: Vec<Tensor>,
    /// The gradient of each argument; empty before the first backward pass.
    gradients: Mutex<Vec<Vec<f32>>>,
    /// True if [`Arguments::backward`] takes the gradients of variables.
    apart: AtomicBool,
}

/// The results of an operation.
struct Results {
    values: Vec<f32>,
    /// Their gradient; empty before the first backward pass.
    gradient: Mutex<Vec<f32>>,
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
        let apart = self.shared.apart.load(Ordering::Relaxed);
        let gradient_of = |number: usize| match self.shared.arguments.get(number) {
            Some(argument) if apart && argument.is_variable() => Ok(None),
            _ => self.shared.take_gradient(number),
        };
        let [first, second] = [0, 1].map(|offset| gradient_of(self.first + offset));
        Ok((chain.track_op().then(|| gradient.clone()), first?, second?))
    }
}

/// An operation at the end of the chain.
struct End<O> {
    shared: Arc<Shared>,
    results: Arc<Results>,
    operation: O,
}

impl<O: Operation> CustomOp1 for End<O> {
    fn name(&self) -> &'static str {
        "operation"
    }

    fn cpu_fwd(&self, _: &CpuStorage, _: &Layout) -> Result<(CpuStorage, Shape)> {
        Ok(nothing())
    }

    fn bwd(&self, chain: &Tensor, _: &Tensor, _: &Tensor) -> Result<Option<Tensor>> {
        let gradient = std::mem::take(&mut *self.results.gradient.lock());
        let mut gradients = self.shared.gradients.lock();
        gradients.resize_with(self.shared.arguments.len(), Vec::new);
        for (gradient, argument) in gradients.iter_mut().zip(&self.shared.arguments) {
            gradient.resize(argument.elem_count(), 0.0);
        }
        self.operation.backward(&gradient, &mut gradients)?;
        Ok(Some(chain.zeros_like()?))
    }
}

/// A matrix among the results of an operation.
struct Taken {
    results: Arc<Results>,
    /// The indices of its values.
    range: Range<usize>,
    shape: (usize, usize),
}

impl CustomOp1 for Taken {
    fn name(&self) -> &'static str {
        "part"
    }

    fn cpu_fwd(&self, _: &CpuStorage, _: &Layout) -> Result<(CpuStorage, Shape)> {
        let values = self.results.values[self.range.clone()].to_vec();
        Ok((CpuStorage::F32(values), self.shape.into()))
    }

    fn bwd(&self, end: &Tensor, _: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let mut all = self.results.gradient.lock();
        all.resize(self.results.values.len(), 0.0);
        with_floats([&gradient.contiguous()?], |[from]| {
            all[self.range.clone()].copy_from_slice(from);
            Ok(())
        })?;
        Ok(Some(end.zeros_like()?))
    }
}
