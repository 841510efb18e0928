//! Operations with one forward pass for every kind of device, which candle represents by its
//! storage types.

use candle_core::backend::BackendStorage;
use candle_core::{
    CpuStorage, CudaStorage, CustomOp1, CustomOp2, CustomOp3, Layout, MetalStorage, Result, Shape, Tensor, bail,
};

/// An operation whose forward pass consists of candle's operations on storages, with a gradient of
/// our own.
pub(super) trait AnyDevice: Send + Sync + 'static {
    /// The name in error messages.
    const NAME: &'static str;

    /// Computes the result of the arguments and its shape.
    fn forward<S: BackendStorage>(&self, arguments: &[(&S, &Layout)]) -> Result<(S, Shape)>;

    /// Computes the result on an NVIDIA GPU, where an operation may have kernels of its own.
    fn on_cuda(&self, arguments: &[(&CudaStorage, &Layout)]) -> Result<(CudaStorage, Shape)> {
        self.forward(arguments)
    }

    /// Computes the gradient of each argument that has one.
    fn backward(&self, arguments: &[&Tensor], result: &Tensor, gradient: &Tensor) -> Result<[Option<Tensor>; 3]>;
}

/// Adapts an operation to candle's custom operations of one, two and three arguments.
pub(super) struct OnAny<T>(pub T);

/// Applies an operation to its arguments.
///
/// # Errors
/// If candle fails, or there are not one to three arguments.
pub(super) fn apply(operation: impl AnyDevice, arguments: &[&Tensor]) -> Result<Tensor> {
    match *arguments {
        [a] => a.apply_op1(OnAny(operation)),
        [a, b] => a.apply_op2(b, OnAny(operation)),
        [a, b, c] => a.apply_op3(b, c, OnAny(operation)),
        _ => bail!("an operation takes one to three arguments, not {}", arguments.len()),
    }
}

impl<T: AnyDevice> CustomOp1 for OnAny<T> {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn cpu_fwd(&self, a: &CpuStorage, la: &Layout) -> Result<(CpuStorage, Shape)> {
        self.0.forward(&[(a, la)])
    }

    fn cuda_fwd(&self, a: &CudaStorage, la: &Layout) -> Result<(CudaStorage, Shape)> {
        self.0.on_cuda(&[(a, la)])
    }

    fn metal_fwd(&self, a: &MetalStorage, la: &Layout) -> Result<(MetalStorage, Shape)> {
        self.0.forward(&[(a, la)])
    }

    fn bwd(&self, a: &Tensor, result: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let [of_a, ..] = self.0.backward(&[a], result, gradient)?;
        Ok(of_a)
    }
}

impl<T: AnyDevice> CustomOp2 for OnAny<T> {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn cpu_fwd(&self, a: &CpuStorage, la: &Layout, b: &CpuStorage, lb: &Layout) -> Result<(CpuStorage, Shape)> {
        self.0.forward(&[(a, la), (b, lb)])
    }

    fn cuda_fwd(&self, a: &CudaStorage, la: &Layout, b: &CudaStorage, lb: &Layout) -> Result<(CudaStorage, Shape)> {
        self.0.on_cuda(&[(a, la), (b, lb)])
    }

    fn metal_fwd(&self, a: &MetalStorage, la: &Layout, b: &MetalStorage, lb: &Layout) -> Result<(MetalStorage, Shape)> {
        self.0.forward(&[(a, la), (b, lb)])
    }

    fn bwd(
        &self,
        a: &Tensor,
        b: &Tensor,
        result: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let [of_a, of_b, _] = self.0.backward(&[a, b], result, gradient)?;
        Ok((of_a, of_b))
    }
}

impl<T: AnyDevice> CustomOp3 for OnAny<T> {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn cpu_fwd(
        &self,
        a: &CpuStorage,
        la: &Layout,
        b: &CpuStorage,
        lb: &Layout,
        c: &CpuStorage,
        lc: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        self.0.forward(&[(a, la), (b, lb), (c, lc)])
    }

    fn cuda_fwd(
        &self,
        a: &CudaStorage,
        la: &Layout,
        b: &CudaStorage,
        lb: &Layout,
        c: &CudaStorage,
        lc: &Layout,
    ) -> Result<(CudaStorage, Shape)> {
        self.0.on_cuda(&[(a, la), (b, lb), (c, lc)])
    }

    fn metal_fwd(
        &self,
        a: &MetalStorage,
        la: &Layout,
        b: &MetalStorage,
        lb: &Layout,
        c: &MetalStorage,
        lc: &Layout,
    ) -> Result<(MetalStorage, Shape)> {
        self.0.forward(&[(a, la), (b, lb), (c, lc)])
    }

    fn bwd(
        &self,
        a: &Tensor,
        b: &Tensor,
        c: &Tensor,
        result: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        Ok(self.0.backward(&[a, b, c], result, gradient)?.into())
    }
}
