//! The precision of a network during evaluation, and of the products of a training step.

use std::str::FromStr;
use std::sync::OnceLock;

use super::kernel::{Kernel, forced};

/// The precision of the tower's weights and activations during evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// 32-bit floats.
    F32,
    /// Signed bytes for weights, with a scale for each output; unsigned bytes for activations, with
    /// a scale for each layer of each position; sums in 32-bit integers.
    Int8,
}

impl Precision {
    /// Returns the faster precision of this machine, or the one that the environment variable
    /// [`PRECISION_VARIABLE`] names. A name that cannot be used is ignored here; the command line
    /// checks it first.
    pub fn best() -> Self {
        static BEST: OnceLock<Precision> = OnceLock::new();
        *BEST.get_or_init(|| forced(PRECISION_VARIABLE).unwrap_or_else(|| Kernel::best().fast_precisions()[0]))
    }

    /// Returns the precision's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Int8 => "int8",
        }
    }
}

impl Kernel {
    /// Returns the precisions for which this kernel has instructions, fastest first. Without such
    /// instructions int8 gives the same results at the speed of plain Rust.
    pub fn fast_precisions(self) -> Vec<Precision> {
        match self {
            _ if self.is_faster_in_bytes() => vec![Precision::Int8, Precision::F32],
            Self::Avx2 => vec![Precision::F32, Precision::Int8],
            _ => vec![Precision::F32],
        }
    }
}

impl FromStr for Precision {
    type Err = PrecisionError;

    fn from_str(name: &str) -> Result<Self, PrecisionError> {
        let all = [Self::F32, Self::Int8];
        all.into_iter().find(|precision| precision.name() == name).ok_or_else(|| PrecisionError(name.to_owned()))
    }
}

/// An error: there is no such precision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no precision '{0}'; choose f32 or int8")]
pub struct PrecisionError(String);

/// The environment variable that forces a precision.
pub const PRECISION_VARIABLE: &str = "HEXZERO_PRECISION";

/// The precision of the operands of the tower's products in a training step. Sums, weights,
/// activations between layers and the optimiser use 32-bit floats in either case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrainingPrecision {
    /// 32-bit floats.
    F32,
    /// The upper halves of 32-bit floats, rounded to nearest.
    Bf16,
}

impl TrainingPrecision {
    /// Returns the faster precision of this machine, or the one that the environment variable
    /// [`TRAINING_PRECISION_VARIABLE`] names. As in [`Precision::best`], a name that cannot be used is ignored.
    pub fn best() -> Self {
        static BEST: OnceLock<TrainingPrecision> = OnceLock::new();
        *BEST.get_or_init(|| {
            let fastest = if Kernel::best().is_faster_in_pairs() { Self::Bf16 } else { Self::F32 };
            forced(TRAINING_PRECISION_VARIABLE).unwrap_or(fastest)
        })
    }

    /// Returns true if the kernel in use has instructions for this precision.
    pub fn is_available(self) -> bool {
        self == Self::F32 || Kernel::best().has_pair_products()
    }

    /// Returns the precision's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
        }
    }
}

impl FromStr for TrainingPrecision {
    type Err = TrainingPrecisionError;

    fn from_str(name: &str) -> Result<Self, TrainingPrecisionError> {
        let mut all = [Self::F32, Self::Bf16].into_iter().filter(|precision| precision.is_available());
        all.find(|precision| precision.name() == name).ok_or_else(|| TrainingPrecisionError(name.to_owned()))
    }
}

/// A precision that does not exist or needs another processor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "training precision '{0}' is not available here; choose f32, or bf16 where the kernel amx or avx512 multiplies it"
)]
pub struct TrainingPrecisionError(String);

/// The environment variable that forces a training precision.
pub const TRAINING_PRECISION_VARIABLE: &str = "HEXZERO_TRAINING_PRECISION";
