//! The loops compiled for each instruction set, and the choice between them.
//!
//! An instruction set is a file of [`Lanes`](super::lanes::Lanes) types, a variant of [`Kernel`], one
//! `compiled_for!` below, and an arm in `by_kernel!`.

use super::gradient::{GradientJob, gradient_tiles, interleave_rows};
use super::kernel::Kernel;
#[cfg(target_arch = "x86_64")]
use super::lanes::WideBytes;
#[cfg(target_arch = "aarch64")]
use super::neon;
use super::portable::{Portable, PortableBf16, PortableInt8};
use super::quantise::{Quantised, Values, quantise};
use super::rows;
use super::rows::{ReluGradientJob, pack_numbers, relu_gradient_rows};
use super::sparse;
use super::sparse::KnownRows;
use super::tile::{Job, layer_tiles};
#[cfg(any(test, target_arch = "x86_64"))]
use super::tiles;
#[cfg(target_feature = "simd128")]
use super::wasm;
#[cfg(target_arch = "x86_64")]
use super::x86;

/// Defines functions that call a generic loop, each compiled for certain processor features:
/// `"features": fn name<const T>(arguments) -> result = loop;`.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"))]
macro_rules! compiled {
    ($features:literal: $(
        fn $name:ident $(<const $taps:ident>)? ($($argument:ident: $type:ty),*) $(-> $result:ty)? = $loop:expr;
    )*) => {
        $(
            /// # Safety
            /// The machine must have the features; lengths as in the loop.
            #[target_feature(enable = $features)]
            pub(super) unsafe fn $name$(<const $taps: usize>)?($($argument: $type),*) $(-> $result)? {
                // SAFETY: passed on.
                unsafe { $loop($($argument),*) }
            }
        )*
    };
}

/// Compiles the loops over floats, and those over bytes where the instruction set multiplies bytes,
/// as a module: `name: lanes, "features"; bytes: lanes, "features"`.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"))]
macro_rules! compiled_for {
    ($module:ident: $floats:ty, $features:literal $(; bytes: $bytes:ty, $byte_features:literal)?) => {
        mod $module {
            use super::*;

            compiled! { $features:
                fn layer<const T>(job: &mut Job<'_, f32, T>) = layer_tiles::<$floats, T>;
                fn sparse_layer<const T>(job: &mut Job<'_, f32, T>, rows: &mut KnownRows) = sparse::sparse_layer::<$floats, T>;
                fn to_bytes(values: &Values<'_>, out: &mut Quantised) = quantise::<$floats>;
                fn pool(x: &[f32], channels: usize, out: &mut [f32]) = rows::pool::<$floats>;
                fn add(x: &mut [f32], addend: &[f32]) = rows::add::<$floats>;
                fn gradient<const T>(job: &mut GradientJob<'_, f32, T>) = gradient_tiles::<$floats, T>;
                fn relu_gradient(job: &mut ReluGradientJob<'_, f32>) = relu_gradient_rows::<$floats>;
            }
            $(
                compiled! { $byte_features:
                    fn layer_of_bytes<const T>(job: &mut Job<'_, i32, T>) = layer_tiles::<$bytes, T>;
                }
            )?
        }
    };
}

#[cfg(target_arch = "x86_64")]
compiled_for!(avx512: x86::Avx512, "avx512f"; bytes: x86::Avx512Vnni, "avx512f,avx512vnni");
#[cfg(target_arch = "x86_64")]
compiled_for!(avx2: x86::Avx2, "avx2,fma"; bytes: x86::AvxVnni, "avx2,fma,avxvnni");
#[cfg(target_arch = "aarch64")]
compiled_for!(neon_floats: neon::Neon<false>, "neon");
#[cfg(target_feature = "simd128")]
compiled_for!(simd128: wasm::Simd<false>, "simd128");
#[cfg(target_feature = "relaxed-simd")]
compiled_for!(relaxed_simd: wasm::Simd<true>, "relaxed-simd"; bytes: wasm::RelaxedBytes, "relaxed-simd");

/// Compiles the loops over bytes that an instruction set stores in a form of its own, as a module:
/// `name: lanes, stored bytes, "features"`.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"))]
macro_rules! bytes_compiled_for {
    ($module:ident: $lanes:ty, $stored:ty, $features:literal) => {
        mod $module {
            use super::*;

            compiled! { $features:
                fn layer<const T>(job: &mut Job<'_, i32, T>) = layer_tiles::<$lanes, T>;
                fn to_bytes(values: &Values<'_>, out: &mut Quantised) = quantise::<$stored>;
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
bytes_compiled_for!(avx2_wide_bytes: x86::Avx2WideBytes, WideBytes<x86::Avx2>, "avx2,fma");
#[cfg(target_arch = "aarch64")]
bytes_compiled_for!(neon_dot_products: neon::DotProducts, neon::Neon<true>, "neon,dotprod");
#[cfg(target_feature = "simd128")]
bytes_compiled_for!(simd128_wide_bytes: wasm::WideBytes, wasm::StoredWide, "simd128");

/// The loops over pairs of bf16.
#[cfg(target_arch = "x86_64")]
mod avx512_bf16 {
    use super::x86::Avx512Bf16;
    use super::*;

    compiled! { "avx512f,avx512bw,avx512vl,avx512bf16":
        fn layer<const T>(job: &mut Job<'_, u32, T>) = layer_tiles::<Avx512Bf16, T>;
        fn gradient<const T>(job: &mut GradientJob<'_, u32, T>) = gradient_tiles::<Avx512Bf16, T>;
        fn relu_gradient(job: &mut ReluGradientJob<'_, u32>) = relu_gradient_rows::<Avx512Bf16>;
        fn pack(from: &[f32], to: &mut [u32]) = pack_numbers::<Avx512Bf16>;
        fn interleave(from: &[u32], numbers: usize, to: &mut [u32]) = interleave_rows::<Avx512Bf16>;
    }
}

/// Conversion of activations to bytes on processors that pack registers of 16-bit numbers.
#[cfg(target_arch = "x86_64")]
mod avx512_packed {
    use super::*;

    compiled! { "avx512f,avx512bw":
        fn to_bytes(values: &Values<'_>, out: &mut Quantised) = quantise::<x86::Avx512Packed>;
    }
}

/// The loops over bytes and over pairs of bf16 on the tile unit.
#[cfg(target_arch = "x86_64")]
mod amx {
    use super::tiles::{Amx, tile_gradient, tile_layer};
    use super::x86::{Avx512, Avx512Bf16, Avx512Vnni};
    use super::*;

    compiled! { "avx512f,avx512bw,avx512vl,avx512vnni,avx512bf16":
        fn layer_of_bytes<const T>(job: &mut Job<'_, i32, T>) = tile_layer::<Amx, Avx512Vnni, i32, T>;
        fn layer_of_pairs<const T>(job: &mut Job<'_, u32, T>) = tile_layer::<Amx, Avx512, u32, T>;
        fn gradient_of_pairs<const T>(job: &mut GradientJob<'_, u32, T>) = tile_gradient::<Amx, Avx512Bf16, T>;
    }
}

/// Runs a loop over floats as compiled for a kernel; `portable` is the same loop in plain Rust.
macro_rules! by_kernel {
    ($kernel:ident, $function:ident($($argument:expr),*), portable: $portable:expr) => {
        match $kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Amx | Kernel::Avx512 => avx512::$function($($argument),*),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => avx2::$function($($argument),*),
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => neon_floats::$function($($argument),*),
            #[cfg(target_feature = "relaxed-simd")]
            Kernel::RelaxedSimd => relaxed_simd::$function($($argument),*),
            #[cfg(target_feature = "simd128")]
            Kernel::Simd128 => simd128::$function($($argument),*),
            _ => $portable($($argument),*),
        }
    };
}

/// Runs a loop over pairs of bf16 with dedicated instructions where they exist, otherwise in plain
/// Rust.
macro_rules! of_pairs {
    ($kernel:ident, $function:ident($($argument:expr),*), portable: $portable:expr) => {
        match $kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Amx | Kernel::Avx512 if $kernel.has_pair_products() => avx512_bf16::$function($($argument),*),
            _ => $portable($($argument),*),
        }
    };
}

/// Defines functions that run a loop as one of the macros above does:
/// `macro: name: fn function<const T>(arguments), portable: loop;`.
macro_rules! dispatched {
    ($choose:ident: $(
        $name:ident: fn $function:ident $(<const $taps:ident>)? ($($argument:ident: $type:ty),*), portable: $portable:expr;
    )*) => {
        $(
            /// # Safety
            /// The kernel must be available; lengths as in the loop.
            pub(super) unsafe fn $name$(<const $taps: usize>)?(kernel: Kernel, $($argument: $type),*) {
                // SAFETY: passed on; the macro calls no instructions that the kernel lacks.
                unsafe { $choose!(kernel, $function($($argument),*), portable: $portable) }
            }
        )*
    };
}

dispatched! { by_kernel:
    layer: fn layer<const T>(job: &mut Job<'_, f32, T>), portable: layer_tiles::<Portable, T>;
    sparse_layer: fn sparse_layer<const T>(job: &mut Job<'_, f32, T>, rows: &mut KnownRows),
        portable: sparse::sparse_layer::<Portable, T>;
    pool: fn pool(x: &[f32], channels: usize, out: &mut [f32]), portable: rows::pool::<Portable>;
    add: fn add(x: &mut [f32], addend: &[f32]), portable: rows::add::<Portable>;
    gradient: fn gradient<const T>(job: &mut GradientJob<'_, f32, T>), portable: gradient_tiles::<Portable, T>;
    relu_gradient: fn relu_gradient(job: &mut ReluGradientJob<'_, f32>), portable: relu_gradient_rows::<Portable>;
}

dispatched! { of_pairs:
    relu_gradient_of_pairs: fn relu_gradient(job: &mut ReluGradientJob<'_, u32>),
        portable: relu_gradient_rows::<PortableBf16>;
    pack_pairs: fn pack(from: &[f32], to: &mut [u32]), portable: pack_numbers::<PortableBf16>;
    interleave_pairs: fn interleave(from: &[u32], numbers: usize, to: &mut [u32]),
        portable: interleave_rows::<PortableBf16>;
}

/// # Safety
/// The kernel must be available; lengths as in [`layer_tiles`].
pub(super) unsafe fn layer_of_bytes<const T: usize>(kernel: Kernel, job: &mut Job<'_, i32, T>) {
    // SAFETY: the kernel is available and has the instructions for bytes; lengths passed on.
    unsafe {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Amx => amx::layer_of_bytes(job),
            #[cfg(test)]
            Kernel::EmulatedAmx => tiles::tile_layer::<tiles::Emulation, PortableInt8, i32, T>(job),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 if kernel.has_byte_products() => avx512::layer_of_bytes(job),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 if kernel.has_byte_products() => avx2::layer_of_bytes(job),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => avx2_wide_bytes::layer(job),
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon if kernel.has_byte_products() => neon_dot_products::layer(job),
            #[cfg(target_feature = "relaxed-simd")]
            Kernel::RelaxedSimd => relaxed_simd::layer_of_bytes(job),
            #[cfg(target_feature = "simd128")]
            Kernel::Simd128 => simd128_wide_bytes::layer(job),
            _ => layer_tiles::<PortableInt8, T>(job),
        }
    }
}

/// # Safety
/// The kernel must be available; lengths as in [`quantise`].
pub(super) unsafe fn to_bytes(kernel: Kernel, values: &Values<'_>, out: &mut Quantised) {
    // SAFETY: as in `layer_of_bytes`.
    unsafe {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Amx | Kernel::Avx512 if is_x86_feature_detected!("avx512bw") => {
                avx512_packed::to_bytes(values, out)
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 if !kernel.has_byte_products() => avx2_wide_bytes::to_bytes(values, out),
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon if kernel.has_byte_products() => neon_dot_products::to_bytes(values, out),
            #[cfg(target_feature = "simd128")]
            Kernel::Simd128 => simd128_wide_bytes::to_bytes(values, out),
            _ => by_kernel!(kernel, to_bytes(values, out), portable: quantise::<Portable>),
        }
    }
}

/// # Safety
/// The kernel must be available; lengths as in [`layer_tiles`].
pub(super) unsafe fn layer_of_pairs<const T: usize>(kernel: Kernel, job: &mut Job<'_, u32, T>) {
    // SAFETY: the kernel is available and has the instructions for pairs; lengths passed on.
    unsafe {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Amx => amx::layer_of_pairs(job),
            #[cfg(test)]
            Kernel::EmulatedAmx => tiles::tile_layer::<tiles::Emulation, Portable, u32, T>(job),
            _ => of_pairs!(kernel, layer(job), portable: layer_tiles::<PortableBf16, T>),
        }
    }
}

/// # Safety
/// The kernel must be available; lengths as in [`gradient_tiles`].
pub(super) unsafe fn gradient_of_pairs<const T: usize>(kernel: Kernel, job: &mut GradientJob<'_, u32, T>) {
    // SAFETY: as in `layer_of_pairs`.
    unsafe {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Amx => amx::gradient_of_pairs(job),
            #[cfg(test)]
            Kernel::EmulatedAmx => tiles::tile_gradient::<tiles::Emulation, PortableBf16, T>(job),
            _ => of_pairs!(kernel, gradient(job), portable: gradient_tiles::<PortableBf16, T>),
        }
    }
}
