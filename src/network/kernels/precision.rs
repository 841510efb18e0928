//! The precision that a network is evaluated with.

use std::str::FromStr;
use std::sync::OnceLock;

use super::Kernel;

/// The precision of the tower's weights and activations while a position is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// 32-bit floats.
    F32,
    /// Signed bytes for weights, with a scale for each output; unsigned bytes for activations, with a
    /// scale for each layer of each position; sums in 32-bit integers.
    Int8,
}

impl Precision {
    /// Returns the faster precision of this machine, or the one that the environment variable
    /// [`PRECISION_VARIABLE`] names. A name that cannot be used is ignored here; the command line
    /// checks it first.
    pub fn best() -> Self {
        static BEST: OnceLock<Precision> = OnceLock::new();
        *BEST.get_or_init(|| {
            let forced = std::env::var(PRECISION_VARIABLE).ok().and_then(|name| name.parse().ok());
            forced.unwrap_or_else(|| Kernel::best().fast_precisions()[0])
        })
    }

    /// Returns the precision's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Int8 => "int8",
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

/// A precision that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no precision '{0}'; choose f32 or int8")]
pub struct PrecisionError(String);

/// The environment variable that forces a precision.
pub const PRECISION_VARIABLE: &str = "HEXZERO_PRECISION";
