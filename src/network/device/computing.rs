//! Cards, and how they are used.

use std::str::FromStr;
use std::time::Duration;

use candle_core::{DType, Device};

use super::choice::{DeviceChoice, DeviceError};

/// The precision of a card's products.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardPrecision {
    /// 32-bit floats, to check the others.
    F32,
    /// 16-bit floats, for evaluation; training then multiplies bf16, whose range is that of 32-bit floats.
    F16,
    /// Floats of 8 bits and the range of 32-bit floats.
    Bf16,
}

/// A precision that is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("precision '{0}' of a device is not known; accepted: f32, f16, bf16")]
pub struct CardPrecisionError(String);

impl CardPrecision {
    /// Returns the precision's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
        }
    }

    /// Returns candle's type of the operands in evaluation.
    pub fn of_evaluation(self) -> DType {
        match self {
            Self::F32 => DType::F32,
            Self::F16 => DType::F16,
            Self::Bf16 => DType::BF16,
        }
    }

    /// Returns candle's type of the operands in training.
    pub fn of_training(self) -> DType {
        if self == Self::F32 { DType::F32 } else { DType::BF16 }
    }
}

impl FromStr for CardPrecision {
    type Err = CardPrecisionError;

    fn from_str(text: &str) -> Result<Self, CardPrecisionError> {
        let all = [Self::F32, Self::F16, Self::Bf16];
        all.into_iter().find(|known| known.name() == text).ok_or_else(|| CardPrecisionError(text.to_owned()))
    }
}

/// A device for candle's operations, and how it is used.
#[derive(Debug, Clone)]
pub struct Card {
    /// The device.
    pub device: Device,
    /// Its name, such as `cuda:0`.
    pub name: String,
    /// The precision of its products.
    pub precision: CardPrecision,
    /// The most positions of a batch.
    pub batch: usize,
    /// The longest wait of a position for others to share its batch with.
    pub wait: Duration,
    /// Games of self-play under way at once.
    pub games: usize,
    /// True if every batch is filled up to [`Card::batch`] positions. An answer then depends on the position alone, bit for
    /// bit; otherwise batches are filled up to a power of two, and the last bits depend on the other positions' number.
    pub repeatable: bool,
    /// Called when the device has failed and the kernels go on.
    pub complain: fn(&str),
}

impl Card {
    /// The largest batch of evaluations accepted.
    pub const MOST_POSITIONS: usize = 4096;

    /// Positions of a batch, unless another number is asked for.
    pub const POSITIONS: usize = 128;

    /// The longest wait of a position, unless another time is asked for.
    pub const WAIT: Duration = Duration::from_micros(500);

    /// Creates a card with the usual settings: on cards bf16, on the processor f32. Its failure is not reported.
    pub fn new(device: Device, name: impl Into<String>) -> Self {
        let precision = if device.is_cpu() { CardPrecision::F32 } else { CardPrecision::Bf16 };
        let (batch, wait) = (Self::POSITIONS, Self::WAIT);
        // While half of the games wait for the card, the others walk through their trees.
        Self {
            device,
            name: name.into(),
            precision,
            batch,
            wait,
            games: 2 * batch,
            repeatable: false,
            complain: |_| {},
        }
    }

    /// Fills up all batches, for games that are to be repeated.
    pub fn repeatable(self) -> Self {
        Self { repeatable: true, ..self }
    }
}

impl DeviceChoice {
    /// Opens the device with the usual settings; none for the processor by our kernels.
    ///
    /// # Errors
    /// As [`DeviceChoice::open`].
    pub fn card(self) -> Result<Option<Card>, DeviceError> {
        let named = |device: Device| {
            let name = match (&device, self) {
                (_, Self::Cuda(_) | Self::Metal | Self::Candle) => self.to_string(),
                (Device::Cuda(_), _) => Self::Cuda(0).to_string(),
                _ => Self::Metal.to_string(),
            };
            Card::new(device, name)
        };
        Ok(self.open()?.map(named))
    }
}
