//! The device requested by the user.

use std::fmt;
use std::str::FromStr;

use candle_core::Device;

/// The device that computes networks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// A GPU if the program was built for one and the machine has it, or else the processor.
    Auto,
    /// The processor, with our kernels.
    #[default]
    Cpu,
    /// The NVIDIA GPU with this number.
    Cuda(usize),
    /// Apple's GPU.
    Metal,
    /// The processor, by candle's operations: what a GPU computes, slowly.
    Candle,
}

/// Why a device cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// There is no such device.
    #[error("device '{0}' is not known; accepted: auto, cpu, cuda, cuda:N with the number of a GPU, metal, candle")]
    Unknown(String),
    /// The program was built without support for the device.
    #[error(
        "device {device}: this program was built without the feature '{feature}' (docs/gpu.md says how to build it); \
         accepted here: {accepted}"
    )]
    NotBuilt {
        /// The requested device.
        device: DeviceChoice,
        /// The feature that supports the device.
        feature: &'static str,
        /// The devices that may be requested.
        accepted: String,
    },
    /// The machine does not have the device, or the device does not work.
    #[error("device {device} cannot be used: {reason}; accepted here: {accepted}")]
    Unavailable {
        /// The requested device.
        device: DeviceChoice,
        /// The driver's error.
        reason: String,
        /// The devices that may be requested.
        accepted: String,
    },
}

/// Lists the devices this program was built for.
fn built() -> String {
    let mut names = vec!["auto", "cpu"];
    if cfg!(feature = "cuda") {
        names.push("cuda[:N]");
    }
    if cfg!(feature = "metal") {
        names.push("metal");
    }
    names.push("candle");
    names.join(", ")
}

impl DeviceChoice {
    /// Opens the device for candle, or returns `None` for the processor with our kernels.
    ///
    /// # Errors
    /// If the program was built without support for the device, or the machine does not have it.
    pub fn open(self) -> Result<Option<Device>, DeviceError> {
        let missing = match self {
            Self::Cuda(_) if !cfg!(feature = "cuda") => Some("cuda"),
            Self::Metal if !cfg!(feature = "metal") => Some("metal"),
            _ => None,
        };
        if let Some(feature) = missing {
            return Err(DeviceError::NotBuilt { device: self, feature, accepted: built() });
        }
        let opened = |device: candle_core::Result<Device>| {
            let (device, accepted) = (device.map_err(|error| first_line(&error)), built());
            device.map(Some).map_err(|reason| DeviceError::Unavailable { device: self, reason, accepted })
        };
        match self {
            Self::Cpu => Ok(None),
            Self::Candle => Ok(Some(Device::Cpu)),
            Self::Cuda(number) => opened(Device::new_cuda(number)),
            Self::Metal => opened(Device::new_metal(0)),
            Self::Auto => Ok([Self::Cuda(0), Self::Metal].into_iter().find_map(|gpu| gpu.open().ok().flatten())),
        }
    }
}

/// Returns the message of a candle error, without its backtrace.
pub(crate) fn first_line(error: &candle_core::Error) -> String {
    let text = error.to_string();
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it fails").to_owned()
}

impl FromStr for DeviceChoice {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Self, DeviceError> {
        let choice = match text.strip_prefix("cuda") {
            Some("") => Some(Self::Cuda(0)),
            Some(rest) => rest.strip_prefix(':').and_then(|number| number.parse().ok()).map(Self::Cuda),
            None => [Self::Auto, Self::Cpu, Self::Metal, Self::Candle].into_iter().find(|one| one.to_string() == text),
        };
        choice.ok_or_else(|| DeviceError::Unknown(text.to_owned()))
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(number) => write!(f, "cuda:{number}"),
            Self::Metal => f.write_str("metal"),
            Self::Candle => f.write_str("candle"),
        }
    }
}
