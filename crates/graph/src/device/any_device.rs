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
pub(super) fn apply(operation: impl AnyDevice, arguments: &[&Tensor]) -> Result<Tensor> {
    match *arguments {
        [a] => a.apply_op1(OnAny(operation)),
        [a, b] => a.apply_op2(b, OnAny(operation)),
        [a, b, c] => a.apply_op3(b, c, OnAny(operation)),
        _ => bail!("an operation takes one to three arguments, not {}", arguments.len()),
    }
}

/// Implements one of candle's traits by [`AnyDevice`], with names for each argument and its layout, and the gradients
/// of the arguments.
macro_rules! on_any {
    ($operation:ident($($argument:ident $layout:ident),*) -> $gradients:ty, $all:pat => $of_arguments:expr) => {
        impl<T: AnyDevice> $operation for OnAny<T> {
            fn name(&self) -> &'static str {
                T::NAME
            }

            fn cpu_fwd(&self, $($argument: &CpuStorage, $layout: &Layout),*) -> Result<(CpuStorage, Shape)> {
                self.0.forward(&[$(($argument, $layout)),*])
            }

            fn cuda_fwd(&self, $($argument: &CudaStorage, $layout: &Layout),*) -> Result<(CudaStorage, Shape)> {
                self.0.on_cuda(&[$(($argument, $layout)),*])
            }

            fn metal_fwd(&self, $($argument: &MetalStorage, $layout: &Layout),*) -> Result<(MetalStorage, Shape)> {
                self.0.forward(&[$(($argument, $layout)),*])
            }

            fn bwd(&self, $($argument: &Tensor,)* result: &Tensor, gradient: &Tensor) -> Result<$gradients> {
                let $all = self.0.backward(&[$($argument),*], result, gradient)?;
                Ok($of_arguments)
            }
        }
    };
}

on_any!(CustomOp1(a la) -> Option<Tensor>, [of_a, ..] => of_a);
on_any!(CustomOp2(a la, b lb) -> (Option<Tensor>, Option<Tensor>), [of_a, of_b, _] => (of_a, of_b));
on_any!(CustomOp3(a la, b lb, c lc) -> (Option<Tensor>, Option<Tensor>, Option<Tensor>), all => all.into());
