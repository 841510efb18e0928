//! Compiles the kernels and runs them on candle's storages.

use std::marker::PhantomData;
use std::sync::OnceLock;

use candle_core::cuda_backend::cudarc::driver::sys::CUfunction_attribute;
use candle_core::cuda_backend::cudarc::driver::{CudaSlice, CudaView, DeviceRepr, LaunchConfig, PushKernelArg};
use candle_core::cuda_backend::cudarc::nvrtc::{CompileOptions, compile_ptx_with_opts};
use candle_core::cuda_backend::{CudaDType, WrapErr};
use candle_core::{CudaDevice, CudaStorage, Error, Layout, Result, Shape, Storage, Tensor, bail};

use super::{InHalves, THREADS};

/// A 16-bit float of the kernels.
pub trait Half: CudaDType + DeviceRepr + Copy {
    /// The name of the kernels' module.
    const MODULE: &'static str;
    /// The compiler's options.
    const OPTIONS: &'static [&'static str];

    /// Where the compiled kernels are stored: PTX, or why there are none.
    fn compiled() -> &'static OnceLock<std::result::Result<String, String>>;
}

macro_rules! half {
    ($type:ty, $module:literal, $options:expr) => {
        impl Half for $type {
            const MODULE: &'static str = $module;
            const OPTIONS: &'static [&'static str] = $options;

            fn compiled() -> &'static OnceLock<std::result::Result<String, String>> {
                static COMPILED: OnceLock<std::result::Result<String, String>> = OnceLock::new();
                &COMPILED
            }
        }
    };
}

half!(half::bf16, "hexzero_bf16", &["--std=c++17", "-DBF16"]);
half!(half::f16, "hexzero_f16", &["--std=c++17"]);

/// Compiles the kernels, once, for compute capability 8.0; the driver translates them for its GPU.
fn ptx<T: Half>() -> Result<&'static str> {
    let compile = || {
        let options = T::OPTIONS.iter().map(|&option| option.to_owned()).collect();
        let options = CompileOptions { arch: Some("compute_80"), options, ..CompileOptions::default() };
        let compiled = compile_ptx_with_opts(include_str!("kernels.cu"), options);
        compiled.map(|ptx| ptx.to_src()).map_err(|error| error.to_string())
    };
    T::compiled().get_or_init(compile).as_deref().map_err(|error| Error::Msg(error.clone()))
}

/// A contiguous matrix on the GPU.
pub struct Values<'a, T> {
    pub view: CudaView<'a, T>,
    /// Rows and columns.
    pub dims: [usize; 2],
}

/// Runs an operation on arguments of type `T`.
pub fn with_halves<T: Half, O: InHalves>(
    operation: &O,
    arguments: &[(&CudaStorage, &Layout)],
) -> Result<(CudaStorage, Shape)> {
    let launcher = Launcher { device: arguments[0].0.device.clone(), ptx: ptx::<T>()?, of: PhantomData };
    let values = arguments.iter().map(|(storage, layout)| {
        let Some((start, end)) = layout.contiguous_offsets() else { bail!("{} takes contiguous arguments", O::NAME) };
        let (rows, columns) = layout.shape().dims2()?;
        Ok(Values { view: storage.as_cuda_slice::<T>()?.slice(start..end), dims: [rows, columns] })
    });
    operation.launch(&launcher, &values.collect::<Result<Vec<_>>>()?)
}

/// An argument of a kernel.
#[derive(Clone, Copy)]
pub enum Argument<'a, T> {
    Values(&'a CudaView<'a, T>),
    Result(&'a CudaSlice<T>),
    Floats(&'a CudaSlice<f32>),
    Indices(&'a CudaSlice<u32>),
    Number(i32),
    /// The address 0.
    Null(u64),
}

impl<'a, T> Argument<'a, T> {
    /// Returns the argument for a view that may be missing.
    pub fn optional(view: Option<&'a CudaView<'a, T>>) -> Self {
        view.map_or(Self::Null(0), Self::Values)
    }

    /// Returns the argument for a number.
    pub fn number(number: usize) -> Self {
        Self::Number(i32::try_from(number).unwrap_or(i32::MAX))
    }
}

/// Launches kernels with 16-bit floats of type `T` on a GPU.
pub struct Launcher<T> {
    device: CudaDevice,
    ptx: &'static str,
    of: PhantomData<T>,
}

impl<T: Half> Launcher<T> {
    /// Allocates `length` values, which the caller must write.
    pub fn empty<V: DeviceRepr>(&self, length: usize) -> Result<CudaSlice<V>> {
        // SAFETY: every value is written by the kernel that it is allocated for, before another reads it.
        unsafe { self.device.alloc(length) }
    }

    /// Runs a kernel on this grid of blocks.
    pub fn run(&self, name: &str, grid: [usize; 3], arguments: &[Argument<'_, T>]) -> Result<()> {
        self.run_with_memory(name, grid, 0, arguments)
    }

    /// Runs a kernel whose blocks have `bytes` of shared memory.
    pub fn run_with_memory(
        &self,
        name: &str,
        grid: [usize; 3],
        bytes: usize,
        arguments: &[Argument<'_, T>],
    ) -> Result<()> {
        let function = self.device.get_or_load_custom_func(name, T::MODULE, self.ptx)?;
        if bytes > 0 {
            let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            function.set_attribute(attribute, bytes as i32).w()?;
        }
        let mut builder = function.builder();
        for argument in arguments {
            match argument {
                Argument::Values(view) => builder.arg(*view),
                Argument::Result(slice) => builder.arg(*slice),
                Argument::Floats(slice) => builder.arg(*slice),
                Argument::Indices(slice) => builder.arg(*slice),
                Argument::Number(number) => builder.arg(number),
                Argument::Null(null) => builder.arg(null),
            };
        }
        let [x, y, z] = grid.map(|blocks| blocks as u32);
        let config =
            LaunchConfig { grid_dim: (x, y, z), block_dim: (THREADS as u32, 1, 1), shared_mem_bytes: bytes as u32 };
        // SAFETY: the caller passes what the kernel of this name takes, with allocations as long as the numbers say.
        unsafe { builder.launch(config) }.w()?;
        Ok(())
    }

    /// Sums `parts` successive parts of `partial`, each as long as `out`.
    pub fn sum_parts(&self, partial: &CudaSlice<f32>, out: &CudaView<'_, T>, parts: usize) -> Result<()> {
        let length = out.len();
        let arguments =
            [Argument::Floats(partial), Argument::Values(out), Argument::number(parts), Argument::number(length)];
        self.run("sum_parts", [(length / 2).div_ceil(THREADS), 1, 1], &arguments)
    }

    /// Returns a result as candle stores it.
    pub fn finish(&self, out: CudaSlice<T>, shape: impl Into<Shape>) -> (CudaStorage, Shape) {
        (CudaStorage::wrap_cuda_slice(out, self.device.clone()), shape.into())
    }
}

/// Calls `f` with a tensor of indices on the GPU.
pub fn with_indices<R>(tensor: &Tensor, f: impl FnOnce(&CudaSlice<u32>) -> Result<R>) -> Result<R> {
    let (storage, layout) = tensor.storage_and_layout();
    match &*storage {
        Storage::Cuda(storage) if layout.start_offset() == 0 => f(storage.as_cuda_slice::<u32>()?),
        _ => bail!("indices are a whole tensor on the GPU"),
    }
}
