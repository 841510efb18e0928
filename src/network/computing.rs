//! The backend of evaluations in this process: our kernels or a card.

use std::fmt;
#[cfg(feature = "learn")]
use std::sync::OnceLock;

#[cfg(feature = "learn")]
use crate::network::device::{Card, DeviceError};
use crate::network::kernels::{Kernel, Precision};

/// The backend that evaluates networks.
#[derive(Debug, Clone)]
pub enum Computing {
    /// Our kernels on the processor.
    Kernels(Precision),
    /// Candle's operations on a device.
    #[cfg(feature = "learn")]
    Card(Box<Card>),
}

/// The card that the user has chosen.
#[cfg(feature = "learn")]
static CHOSEN: OnceLock<Card> = OnceLock::new();

impl Computing {
    /// Returns the backend of this process: the chosen card, or else the best kernels.
    pub fn best() -> Self {
        #[cfg(feature = "learn")]
        if let Some(card) = Self::card() {
            return Self::Card(card.into());
        }
        Self::Kernels(Precision::best())
    }

    /// Returns the positions of a batch of the card that the user has chosen; none if the processor evaluates.
    pub fn card_batch() -> Option<usize> {
        #[cfg(feature = "learn")]
        return Self::card().map(|card| card.batch);
        #[cfg(not(feature = "learn"))]
        None
    }
}

#[cfg(feature = "learn")]
impl Computing {
    /// Returns the card that the user has chosen, if any.
    pub fn card() -> Option<Card> {
        CHOSEN.get().cloned()
    }

    /// Makes `card` the backend that [`Computing::best`] returns in this process.
    ///
    /// # Errors
    /// If a card was chosen before.
    pub fn choose(card: Card) -> Result<(), DeviceError> {
        CHOSEN.set(card).map_err(|_| DeviceError::Chosen)
    }

    /// Makes its answers independent of the other positions of a batch.
    pub fn repeatable(self) -> Self {
        match self {
            Self::Card(card) => Self::Card(card.repeatable().into()),
            kernels => kernels,
        }
    }
}

impl From<Precision> for Computing {
    fn from(precision: Precision) -> Self {
        Self::Kernels(precision)
    }
}

#[cfg(feature = "learn")]
impl From<Card> for Computing {
    fn from(card: Card) -> Self {
        Self::Card(card.into())
    }
}

/// Names the settings that games depend on: kernel and precision, or card, precision and batch.
impl fmt::Display for Computing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kernels(precision) => write!(f, "{} {}", Kernel::best().name(), precision.name()),
            #[cfg(feature = "learn")]
            Self::Card(card) => {
                let kind = card.name.split(':').next().unwrap_or_default();
                write!(f, "{kind} {} in batches of {}", card.precision.name(), card.batch)
            }
        }
    }
}
