//! The arithmetic of the network: gathered matrix products, from one source for every instruction
//! set.
//!
//! All tensors are channels last: a tensor over cells is `[cells × channels]`. A *tap* is an input
//! row that a cell reads: a hexagonal convolution has seven (the cell itself and its neighbours in
//! the order of [`hexzero_board::STEPS`]), a dense layer has one. A tap off the board reads zeros.
//! Weights are `[taps × inputs × outputs]`.
//!
//! The kernel keeps a tile of cells × outputs in registers while it loops over taps and inputs: for
//! each input channel it loads the weights of the tile's outputs once, and multiplies them with one
//! broadcast input of each cell. [`Kernel`] says which instructions do that; each is the same generic
//! code over the vectors of `lanes`. Where the processor has a tile unit, `tiles` multiplies bytes and bf16; on boards that can
//! be laid `flat` it reads what a cell's taps name where it lies, elsewhere it gathers it. Evaluation multiplies floats or bytes
//! ([`Precision`]), training floats or pairs of bf16 ([`TrainingPrecision`]).

mod activations;
mod dispatch;
mod flat;
mod gradient;
mod lanes;
mod layer;
#[cfg(target_arch = "aarch64")]
mod neon;
mod operand;
mod packed;
mod panels;
mod peak;
mod portable;
mod precision;
mod quantise;
mod rows;
mod sparse;
#[cfg(test)]
mod tests;
mod tile;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, unused_imports))]
mod tiles;
#[cfg(target_feature = "simd128")]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::str::FromStr;
use std::sync::OnceLock;

pub use activations::{Activations, Aligned};
pub use gradient::Gathered;
pub use layer::{Layer, LayerWeights, Taps};
pub use operand::{Operand, PackedWeights, add_weight_gradient, pack, relu_gradient};
pub use packed::{Finish, PackedLayer};
use panels::Panels;
pub use precision::{
    PRECISION_VARIABLE, Precision, PrecisionError, TRAINING_PRECISION_VARIABLE, TrainingPrecision,
    TrainingPrecisionError,
};
pub use quantise::Quantised;
pub use rows::ReluGradientJob;
pub(crate) use rows::{add_to_rows, pool_rows};
pub use sparse::NonZeros;

/// A tap that reads zeros.
pub const NO_TAP: u32 = u32::MAX;

/// The number of outputs is always a multiple of this, so that every instruction set divides it.
pub const OUTPUT_MULTIPLE: usize = 16;

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
        *BEST.get_or_init(|| {
            let forced = std::env::var(KERNEL_VARIABLE).ok().and_then(|name| name.parse().ok());
            forced.unwrap_or_else(|| Self::available()[0])
        })
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
    fn bytes_a_word(self) -> usize {
        if matches!(self, Self::Avx2 | Self::Simd128) && !self.has_byte_products() { 2 } else { 4 }
    }

    /// Returns the zero-point correction of this weight: the constant part that this kernel's
    /// products omit.
    fn omitted(self, weight: i8) -> Option<i32> {
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
    fn is_faster_in_bytes(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        if self == Self::Avx2 && is_x86_feature_detected!("vaes") {
            return true;
        }
        self.has_byte_products() || self == Self::Simd128
    }

    /// Returns true if layers with this many numbers a word are computed on a tile unit.
    fn has_tiles(self, numbers_a_word: usize) -> bool {
        match self {
            Self::Amx => numbers_a_word > 1,
            #[cfg(test)]
            Self::EmulatedAmx => numbers_a_word > 1,
            _ => false,
        }
    }

    /// Returns how the weights of a layer are packed: in groups of as many outputs as the widest
    /// tile has, so that the tile reads them contiguously.
    fn panels(self, numbers_a_word: usize) -> Panels {
        match self {
            _ if self.has_tiles(numbers_a_word) => Panels { outputs: tiles::SIDE, strips: true },
            Self::Amx | Self::Avx512 => Panels { outputs: 64, strips: false },
            _ => Panels { outputs: 16, strips: false },
        }
    }

    /// Returns true if products of bf16 are faster than those of floats: on a tile unit, and where
    /// a vector of pairs takes as long as one of floats. On Intel's processors before AVX10.2 it
    /// takes twice as long (107 against 214 billion operations a second on a Xeon), on AMD's since
    /// Zen 4 it does not.
    fn is_faster_in_pairs(self) -> bool {
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

    /// Returns the precisions for which this kernel has instructions, fastest first. Without such
    /// instructions int8 gives the same results at the speed of plain Rust.
    pub fn fast_precisions(self) -> Vec<Precision> {
        match self {
            _ if self.is_faster_in_bytes() => vec![Precision::Int8, Precision::F32],
            Self::Avx2 => vec![Precision::F32, Precision::Int8],
            _ => vec![Precision::F32],
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

/// Returns true if the processor was made by Intel.
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
