//! The kernels by name, and what each can do on this machine.

use std::str::FromStr;
use std::sync::OnceLock;

use super::panels::{Panels, SIDE};
#[cfg(target_arch = "x86_64")]
use super::tiles;
#[cfg(target_feature = "relaxed-simd")]
use super::wasm;

/// The instructions that the kernels use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// [`Kernel::Avx512`], with products of bytes and bf16 on the tile unit (AMX).
    Amx,
    /// 16 floats a register, 32 registers.
    Avx512,
    /// 8 floats a register, 16 registers, fused multiply-add.
    Avx2,
    /// 4 floats a register, 32 registers, fused multiply-add, and products of four bytes where
    /// available: 64-bit ARM.
    Neon,
    /// [`Kernel::Simd128`] with fused multiply-add and products of four bytes: WebAssembly compiled
    /// for `relaxed-simd`. The first versions of Chromium with relaxed SIMD compute such products
    /// wrongly (V8 11.8 does, 12.4 does not).
    RelaxedSimd,
    /// 4 floats a register: WebAssembly compiled for `simd128`. A module cannot query the available
    /// instructions.
    Simd128,
    /// Plain Rust, which the compiler vectorises for the target's baseline.
    Portable,
    /// The loops of [`Kernel::Amx`] on an emulation of the tile unit.
    #[cfg(test)]
    EmulatedAmx,
}

/// An error: the kernel does not exist, or this machine cannot run it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("kernel '{asked}' is not available here; choose one of: {}", available.join(", "))]
pub struct KernelError {
    asked: String,
    available: Vec<&'static str>,
}

/// The environment variable that forces a kernel, for tests and comparisons.
pub const KERNEL_VARIABLE: &str = "HEXZERO_KERNEL";

impl Kernel {
    /// Returns true if this machine has the instructions.
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => Self::Avx512.has_byte_products() && Self::Avx512.has_pair_products() && tiles::is_available(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => is_x86_feature_detected!("avx512f"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => std::arch::is_aarch64_feature_detected!("neon"),
            Self::RelaxedSimd => cfg!(target_feature = "relaxed-simd"),
            Self::Simd128 => cfg!(target_feature = "simd128"),
            Self::Portable => true,
            #[cfg(test)]
            Self::EmulatedAmx => true,
            // These are instructions of other processors.
            _ => false,
        }
    }

    /// Returns the kernels that this machine can run, best first.
    pub fn available() -> Vec<Self> {
        let [browser, slower] = Self::of_browsers();
        let mut kernels = vec![Self::Amx, Self::Avx512, Self::Avx2, Self::Neon, browser, slower, Self::Portable];
        kernels.retain(|kernel| kernel.is_available());
        kernels
    }

    /// Returns the kernels of WebAssembly, beginning with the one that is faster with bytes.
    fn of_browsers() -> [Self; 2] {
        #[cfg(target_feature = "relaxed-simd")]
        if !wasm::multiplies_bytes() {
            return [Self::Simd128, Self::RelaxedSimd];
        }
        [Self::RelaxedSimd, Self::Simd128]
    }

    /// Returns the best kernel of this machine, or the one that the environment variable
    /// [`KERNEL_VARIABLE`] names. A name that cannot be used is ignored here; the command line
    /// checks it first.
    pub fn best() -> Self {
        static BEST: OnceLock<Kernel> = OnceLock::new();
        *BEST.get_or_init(|| forced(KERNEL_VARIABLE).unwrap_or_else(|| Self::available()[0]))
    }

    /// Returns true if this machine multiplies bytes four at a time (VNNI, DotProd, relaxed SIMD)
    /// with this kernel.
    pub fn has_byte_products(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx | Self::Avx512 => is_x86_feature_detected!("avx512vnni"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avxvnni"),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => std::arch::is_aarch64_feature_detected!("dotprod"),
            Self::RelaxedSimd => self.is_available(),
            _ => false,
        }
    }

    /// Returns the number of int8 values in a word of operands. Without instructions that multiply
    /// bytes four at a time, AVX2 and SIMD128 multiply two 16-bit numbers at a time.
    pub(super) fn bytes_a_word(self) -> usize {
        if matches!(self, Self::Avx2 | Self::Simd128) && !self.has_byte_products() { 2 } else { 4 }
    }

    /// Returns the zero-point correction of this weight: the constant part that this kernel's
    /// products omit.
    pub(super) fn omitted(self, weight: i8) -> Option<i32> {
        let weight = i32::from(weight);
        match self {
            Self::RelaxedSimd => Some(128 * weight + weight.min(0).abs()),
            Self::Neon if self.has_byte_products() => Some(128 * weight),
            _ => None,
        }
    }

    /// Returns true if int8 is faster than floats, as it is with products of four bytes and in
    /// WebAssembly. Among processors with AVX2 but without VNNI, only those since Zen 3 have VAES;
    /// older ones gain nothing from 16-bit products.
    pub(super) fn is_faster_in_bytes(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        if self == Self::Avx2 && is_x86_feature_detected!("vaes") {
            return true;
        }
        self.has_byte_products() || self == Self::Simd128
    }

    /// Returns true if layers with this many numbers a word are computed on a tile unit.
    pub(super) fn has_tiles(self, numbers_a_word: usize) -> bool {
        match self {
            Self::Amx => numbers_a_word > 1,
            #[cfg(test)]
            Self::EmulatedAmx => numbers_a_word > 1,
            _ => false,
        }
    }

    /// Returns how the weights of a layer are packed: in groups of as many outputs as the widest
    /// tile has, so that the tile reads them contiguously.
    pub(super) fn panels(self, numbers_a_word: usize) -> Panels {
        match self {
            _ if self.has_tiles(numbers_a_word) => Panels { outputs: SIDE, strips: true },
            Self::Amx | Self::Avx512 => Panels { outputs: 64, strips: false },
            _ => Panels { outputs: 16, strips: false },
        }
    }

    /// Returns true if products of bf16 are faster than those of floats: on a tile unit, and where
    /// a vector of pairs takes as long as one of floats. On Intel's processors before AVX10.2 it
    /// takes twice as long (107 against 214 billion operations a second on a Xeon), on AMD's since
    /// Zen 4 it does not.
    pub(super) fn is_faster_in_pairs(self) -> bool {
        self == Self::Amx || self.has_pair_products() && !is_intel()
    }

    /// Returns true if this machine multiplies pairs of bf16 with this kernel.
    pub fn has_pair_products(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx | Self::Avx512 => {
                is_x86_feature_detected!("avx512bf16")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
            }
            _ => false,
        }
    }

    /// Returns the kernel's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Amx => "amx",
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Neon => "neon",
            Self::RelaxedSimd => "relaxed-simd",
            Self::Simd128 => "simd128",
            Self::Portable => "portable",
            #[cfg(test)]
            Self::EmulatedAmx => "emulated amx",
        }
    }
}

/// Returns the choice that an environment variable names, if it names one that can be used.
pub(super) fn forced<T: FromStr>(variable: &str) -> Option<T> {
    std::env::var(variable).ok()?.parse().ok()
}

fn is_intel() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: every x86-64 processor has the instruction.
        #[allow(unused_unsafe, reason = "newer compilers call it safe")]
        let vendor = unsafe { std::arch::x86_64::__cpuid(0) };
        [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).concat() == b"GenuineIntel"
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

impl FromStr for Kernel {
    type Err = KernelError;

    fn from_str(name: &str) -> Result<Self, KernelError> {
        let available = Self::available();
        available.iter().copied().find(|kernel| kernel.name() == name).ok_or_else(|| KernelError {
            asked: name.to_owned(),
            available: available.iter().map(|kernel| kernel.name()).collect(),
        })
    }
}
