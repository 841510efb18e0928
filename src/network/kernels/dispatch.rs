//! The loops compiled for each instruction set, and the choice between them.

use super::gradient::{GradientJob, gradient_tiles, interleave_rows};
use super::lanes::Lanes;
use super::peak::multiply_and_add as multiply_and_add_lanes;
use super::portable::{Portable, PortableBf16, PortableInt8};
use super::quantise::{Quantised, quantise};
use super::rows;
use super::settle::{SettleJob, pack_numbers, settle_rows};
use super::tile::{Job, layer_tiles};
use super::{Kernel, Precision};

/// The loops over operands of training.
macro_rules! operand_loops {
    ($lanes:ident, $features:literal) => {
        /// # Safety
        /// The machine must have the features; lengths as in [`gradient_tiles`].
        #[target_feature(enable = $features)]
        pub(super) unsafe fn gradient<const T: usize>(job: &mut GradientJob<'_, <$lanes as Lanes>::Word, T>) {
            // SAFETY: passed on.
            unsafe { gradient_tiles::<$lanes, T>(job) }
        }

        /// # Safety
        /// The machine must have the features; lengths as in [`settle_rows`].
        #[target_feature(enable = $features)]
        pub(super) unsafe fn settle(job: &mut SettleJob<'_, <$lanes as Lanes>::Word>) {
            // SAFETY: passed on.
            unsafe { settle_rows::<$lanes>(job) }
        }
    };
}

/// The loops over floats, and those over bytes where the instruction set multiplies bytes.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! compiled_for {
    ($module:ident, $vectors:ident, $floats:ident, $features:literal $(, $bytes:ident, $byte_features:literal)?) => {
        mod $module {
            use super::super::$vectors::{$floats $(, $bytes)?};
            use super::*;

            /// # Safety
            /// The machine must have the features; lengths as in [`layer_tiles`].
            #[target_feature(enable = $features)]
            pub(super) unsafe fn layer<const T: usize>(job: &mut Job<'_, f32, T>) {
                // SAFETY: passed on.
                unsafe { layer_tiles::<$floats, T>(job) }
            }

            $(
                /// # Safety
                /// The machine must have the features; lengths as in [`layer_tiles`].
                #[target_feature(enable = $byte_features)]
                pub(super) unsafe fn layer_of_bytes<const T: usize>(job: &mut Job<'_, i32, T>) {
                    // SAFETY: passed on.
                    unsafe { layer_tiles::<$bytes, T>(job) }
                }
            )?

            /// # Safety
            /// The machine must have the features; lengths as in [`super::quantise`].
            #[target_feature(enable = $features)]
            pub(super) unsafe fn to_bytes(x: &[f32], out: &mut Quantised) {
                // SAFETY: passed on.
                unsafe { quantise::<$floats, 4>(x, out) }
            }

            /// # Safety
            /// The machine must have the features; lengths as in [`rows::pool`].
            #[target_feature(enable = $features)]
            pub(super) unsafe fn pool(x: &[f32], channels: usize, out: &mut [f32]) {
                // SAFETY: passed on.
                unsafe { rows::pool::<$floats>(x, channels, out) }
            }

            /// # Safety
            /// The machine must have the features; lengths as in [`rows::add`].
            #[target_feature(enable = $features)]
            pub(super) unsafe fn add(x: &mut [f32], addend: &[f32]) {
                // SAFETY: passed on.
                unsafe { rows::add::<$floats>(x, addend) }
            }

            /// # Safety
            /// The machine must have the features.
            #[target_feature(enable = $features)]
            pub(super) unsafe fn multiply_and_add(registers: u64) -> u64 {
                // SAFETY: passed on.
                unsafe { multiply_and_add_lanes::<$floats>(registers) }
            }

            $(
                /// # Safety
                /// The machine must have the features.
                #[target_feature(enable = $byte_features)]
                pub(super) unsafe fn multiply_and_add_bytes(registers: u64) -> u64 {
                    // SAFETY: passed on.
                    unsafe { multiply_and_add_lanes::<$bytes>(registers) }
                }
            )?

            operand_loops!($floats, $features);
        }
    };
}

#[cfg(target_arch = "x86_64")]
compiled_for!(avx512, x86, Avx512, "avx512f", Avx512Vnni, "avx512f,avx512vnni");
#[cfg(target_arch = "x86_64")]
compiled_for!(avx2, x86, Avx2, "avx2,fma", AvxVnni, "avx2,fma,avxvnni");
#[cfg(target_arch = "aarch64")]
compiled_for!(neon, neon, Neon, "neon");

/// The loops over bytes for processors with AVX2 that do not multiply bytes.
#[cfg(target_arch = "x86_64")]
mod avx2_wide_bytes {
    use super::super::x86::{Avx2, Avx2WideBytes};
    use super::*;

    /// # Safety
    /// The machine must have the features; lengths as in [`layer_tiles`].
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn layer<const T: usize>(job: &mut Job<'_, i32, T>) {
        // SAFETY: passed on.
        unsafe { layer_tiles::<Avx2WideBytes, T>(job) }
    }

    /// # Safety
    /// The machine must have the features; lengths as in [`super::quantise`].
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn to_bytes(x: &[f32], out: &mut Quantised) {
        // SAFETY: passed on.
        unsafe { quantise::<Avx2, 2>(x, out) }
    }

    /// # Safety
    /// The machine must have the features.
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn multiply_and_add(registers: u64) -> u64 {
        // SAFETY: passed on.
        unsafe { multiply_and_add_lanes::<Avx2WideBytes>(registers) }
    }
}

/// The loops over pairs of bf16.
#[cfg(target_arch = "x86_64")]
mod avx512_bf16 {
    use super::super::x86::Avx512Bf16;
    use super::*;

    operand_loops!(Avx512Bf16, "avx512f,avx512bw,avx512vl,avx512bf16");

    /// # Safety
    /// The machine must have the features; lengths as in [`layer_tiles`].
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
    pub(super) unsafe fn layer<const T: usize>(job: &mut Job<'_, u32, T>) {
        // SAFETY: passed on.
        unsafe { layer_tiles::<Avx512Bf16, T>(job) }
    }

    /// # Safety
    /// The machine must have the features; lengths as in [`pack_numbers`].
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
    pub(super) unsafe fn pack(from: &[f32], to: &mut [u32]) {
        // SAFETY: passed on.
        unsafe { pack_numbers::<Avx512Bf16>(from, to) }
    }

    /// # Safety
    /// The machine must have the features; lengths as in [`interleave_rows`].
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
    pub(super) unsafe fn interleave(from: &[u32], numbers: usize, to: &mut [u32]) {
        // SAFETY: passed on.
        unsafe { interleave_rows::<Avx512Bf16>(from, numbers, to) }
    }
}

/// Runs a loop over pairs of bf16 with the instructions for them where there are any, and else in plain Rust.
macro_rules! pairs {
    ($kernel:ident, $fast:ident, $portable:expr, ($($argument:expr),*)) => {
        match $kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 if $kernel.has_pair_products() => avx512_bf16::$fast($($argument),*),
            _ => $portable($($argument),*),
        }
    };
}

/// # Safety
/// The kernel must be available; lengths as in [`layer_tiles`].
pub(super) unsafe fn layer_of_pairs<const T: usize>(kernel: Kernel, job: &mut Job<'_, u32, T>) {
    // SAFETY: the kernel is available and has the instructions for pairs; lengths passed on.
    unsafe { pairs!(kernel, layer, layer_tiles::<PortableBf16, T>, (job)) }
}

/// # Safety
/// The kernel must be available; lengths as in [`gradient_tiles`].
pub(super) unsafe fn gradient_of_pairs<const T: usize>(kernel: Kernel, job: &mut GradientJob<'_, u32, T>) {
    // SAFETY: as in `layer_of_pairs`.
    unsafe { pairs!(kernel, gradient, gradient_tiles::<PortableBf16, T>, (job)) }
}

/// # Safety
/// The kernel must be available; lengths as in [`settle_rows`].
pub(super) unsafe fn settle_pairs(kernel: Kernel, job: &mut SettleJob<'_, u32>) {
    // SAFETY: as in `layer_of_pairs`.
    unsafe { pairs!(kernel, settle, settle_rows::<PortableBf16>, (job)) }
}

/// # Safety
/// The kernel must be available; lengths as in [`pack_numbers`].
pub(super) unsafe fn pack_pairs(kernel: Kernel, from: &[f32], to: &mut [u32]) {
    // SAFETY: as in `layer_of_pairs`.
    unsafe { pairs!(kernel, pack, pack_numbers::<PortableBf16>, (from, to)) }
}

/// # Safety
/// The kernel must be available; lengths as in [`interleave_rows`].
pub(super) unsafe fn interleave_pairs(kernel: Kernel, from: &[u32], numbers: usize, to: &mut [u32]) {
    // SAFETY: as in `layer_of_pairs`.
    unsafe { pairs!(kernel, interleave, interleave_rows::<PortableBf16>, (from, numbers, to)) }
}

/// # Safety
/// The kernel must be available; lengths as in [`layer_tiles`].
pub(super) unsafe fn layer<const T: usize>(kernel: Kernel, job: &mut Job<'_, f32, T>) {
    // SAFETY: the caller's promise is passed on.
    unsafe {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => avx512::layer(job),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => avx2::layer(job),
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => neon::layer(job),
            _ => layer_tiles::<Portable, T>(job),
        }
    }
}

/// # Safety
/// The kernel must be available; lengths as in [`layer_tiles`].
pub(super) unsafe fn layer_of_bytes<const T: usize>(kernel: Kernel, job: &mut Job<'_, i32, T>) {
    // SAFETY: the kernel is available and has the instructions for bytes; lengths passed on.
    unsafe {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 if kernel.has_byte_products() => avx512::layer_of_bytes(job),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 if kernel.has_byte_products() => avx2::layer_of_bytes(job),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => avx2_wide_bytes::layer(job),
            _ => layer_tiles::<PortableInt8, T>(job),
        }
    }
}

/// # Safety
/// The kernel must be available; lengths as in [`quantise`].
pub(super) unsafe fn to_bytes(kernel: Kernel, x: &[f32], out: &mut Quantised) {
    // SAFETY: as in `layer`.
    unsafe {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => avx512::to_bytes(x, out),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 if kernel.has_byte_products() => avx2::to_bytes(x, out),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => avx2_wide_bytes::to_bytes(x, out),
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => neon::to_bytes(x, out),
            _ => quantise::<Portable, 4>(x, out),
        }
    }
}

/// # Safety
/// The kernel must be available; lengths as in [`rows::pool`].
pub(super) unsafe fn pool(kernel: Kernel, x: &[f32], channels: usize, out: &mut [f32]) {
    // SAFETY: as in `layer`.
    unsafe {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => avx512::pool(x, channels, out),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => avx2::pool(x, channels, out),
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => neon::pool(x, channels, out),
            _ => rows::pool::<Portable>(x, channels, out),
        }
    }
}

/// # Safety
/// The kernel must be available; lengths as in [`rows::add`].
pub(super) unsafe fn add(kernel: Kernel, x: &mut [f32], addend: &[f32]) {
    // SAFETY: as in `layer`.
    unsafe {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => avx512::add(x, addend),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => avx2::add(x, addend),
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => neon::add(x, addend),
            _ => rows::add::<Portable>(x, addend),
        }
    }
}

/// # Safety
/// The kernel must be available.
pub(super) unsafe fn multiply_and_add(kernel: Kernel, precision: Precision, registers: u64) -> u64 {
    // SAFETY: the kernel is available, with the instructions for bytes where they are asked for.
    unsafe {
        match (kernel, precision) {
            #[cfg(target_arch = "x86_64")]
            (Kernel::Avx512, Precision::F32) => avx512::multiply_and_add(registers),
            #[cfg(target_arch = "x86_64")]
            (Kernel::Avx512, Precision::Int8) if kernel.has_byte_products() => {
                avx512::multiply_and_add_bytes(registers)
            }
            #[cfg(target_arch = "x86_64")]
            (Kernel::Avx2, Precision::F32) => avx2::multiply_and_add(registers),
            #[cfg(target_arch = "x86_64")]
            (Kernel::Avx2, Precision::Int8) if kernel.has_byte_products() => avx2::multiply_and_add_bytes(registers),
            #[cfg(target_arch = "x86_64")]
            (Kernel::Avx2, Precision::Int8) => avx2_wide_bytes::multiply_and_add(registers),
            #[cfg(target_arch = "aarch64")]
            (Kernel::Neon, Precision::F32) => neon::multiply_and_add(registers),
            (_, Precision::F32) => multiply_and_add_lanes::<Portable>(registers),
            (_, Precision::Int8) => multiply_and_add_lanes::<PortableInt8>(registers),
        }
    }
}

/// # Safety
/// The kernel must be available; lengths as in [`gradient_tiles`].
pub(super) unsafe fn gradient<const T: usize>(kernel: Kernel, job: &mut GradientJob<'_, f32, T>) {
    // SAFETY: as in `layer`.
    unsafe {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => avx512::gradient(job),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => avx2::gradient(job),
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => neon::gradient(job),
            _ => gradient_tiles::<Portable, T>(job),
        }
    }
}

/// # Safety
/// The kernel must be available; lengths as in [`settle_rows`].
pub(super) unsafe fn settle(kernel: Kernel, job: &mut SettleJob<'_, f32>) {
    // SAFETY: as in `layer`.
    unsafe {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => avx512::settle(job),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => avx2::settle(job),
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => neon::settle(job),
            _ => settle_rows::<Portable>(job),
        }
    }
}
