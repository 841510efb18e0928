//! A device for candle's operations, and how it is used.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use candle_core::{DType, Device};
use hexzero_games::NetworkView;
use hexzero_nn::{self as nn, Architecture, Backend, NamedTensors};

use super::choice::{DeviceChoice, DeviceError, first_line};
use super::gathering::SharedNetwork;

/// The precision of a device's products.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DevicePrecision {
    /// 32-bit floats, as a reference for the others.
    F32,
    /// 16-bit floats for evaluation; training then multiplies bf16, whose range is that of 32-bit
    /// floats.
    F16,
    /// 16-bit floats with the range of 32-bit floats.
    Bf16,
}

/// Unknown precision name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("precision '{0}' of a device is not known; accepted: f32, f16, bf16")]
pub struct DevicePrecisionError(String);

impl DevicePrecision {
    /// Returns the precision's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
        }
    }

    /// Returns candle's type of the operands for evaluation.
    pub fn of_evaluation(self) -> DType {
        match self {
            Self::F32 => DType::F32,
            Self::F16 => DType::F16,
            Self::Bf16 => DType::BF16,
        }
    }

    /// Returns candle's type of the operands for training.
    pub fn of_training(self) -> DType {
        if self == Self::F32 { DType::F32 } else { DType::BF16 }
    }
}

impl FromStr for DevicePrecision {
    type Err = DevicePrecisionError;

    fn from_str(text: &str) -> Result<Self, DevicePrecisionError> {
        let all = [Self::F32, Self::F16, Self::Bf16];
        all.into_iter().find(|known| known.name() == text).ok_or_else(|| DevicePrecisionError(text.to_owned()))
    }
}

/// A device for candle's operations, with its settings.
#[derive(Debug, Clone)]
pub struct CandleDevice {
    /// The device.
    pub device: Device,
    /// The name of the device, such as `cuda:0`.
    pub name: String,
    /// The precision of the device's products.
    pub precision: DevicePrecision,
    /// The batch size: the most positions of a batch.
    pub batch: usize,
    /// The longest time that a position waits for others to fill its batch.
    pub wait: Duration,
    /// Number of self-play games in progress at once.
    pub games: usize,
    /// True if every batch is padded to [`CandleDevice::batch`] positions, so that an answer depends on its position
    /// alone, bit for bit. Otherwise batches are padded to a power of two, and the last bits of an answer depend on how
    /// many other positions are in its batch.
    pub repeatable: bool,
    /// Called when the device has failed and the kernels take over.
    pub on_failure: fn(&str),
}

impl CandleDevice {
    /// Maximum accepted batch size.
    pub const MAX_POSITIONS: usize = 4096;

    /// Default batch size.
    pub const POSITIONS: usize = 128;

    /// Default of the longest wait of a position.
    pub const WAIT: Duration = Duration::from_micros(500);

    /// Creates a device with the usual settings: bf16 on GPUs, f32 on the CPU. Its failure is not reported.
    pub fn new(device: Device, name: impl Into<String>) -> Self {
        let precision = if device.is_cpu() { DevicePrecision::F32 } else { DevicePrecision::Bf16 };
        let (batch, wait) = (Self::POSITIONS, Self::WAIT);
        // While half of the games wait for the device, the others walk through their trees.
        Self {
            device,
            name: name.into(),
            precision,
            batch,
            wait,
            games: 2 * batch,
            repeatable: false,
            on_failure: |_| {},
        }
    }

    /// Returns the backend that evaluates on this device.
    pub fn backend(&self) -> Backend {
        Backend::Device(Arc::new(self.clone()))
    }
}

impl nn::Device for CandleDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn precision(&self) -> &'static str {
        self.precision.name()
    }

    fn batch(&self) -> usize {
        self.batch
    }

    fn games(&self) -> usize {
        self.games
    }

    fn repeatable(&self) -> Arc<dyn nn::Device> {
        Arc::new(Self { repeatable: true, ..self.clone() })
    }

    fn load(
        &self,
        architecture: &Architecture,
        view: &NetworkView,
        tensors: &NamedTensors,
    ) -> Result<Box<dyn nn::DeviceEvaluator>, String> {
        let started = SharedNetwork::start(architecture, view, tensors, self).map_err(|error| first_line(&error))?;
        Ok(Box::new(started))
    }
}

impl DeviceChoice {
    /// Opens the device with the default settings, or returns `None` for the processor with our
    /// kernels.
    ///
    /// # Errors
    /// As [`DeviceChoice::open`].
    pub fn device(self) -> Result<Option<CandleDevice>, DeviceError> {
        let named = |device: Device| {
            let name = match (&device, self) {
                (_, Self::Cuda(_) | Self::Metal | Self::Candle) => self.to_string(),
                (Device::Cuda(_), _) => Self::Cuda(0).to_string(),
                _ => Self::Metal.to_string(),
            };
            CandleDevice::new(device, name)
        };
        Ok(self.open()?.map(named))
    }
}
