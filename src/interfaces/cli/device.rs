//! Where networks are computed: options of the commands that need much of them.

use std::time::Duration;

use clap::Args;

use crate::interfaces::error::CliError;
use crate::interfaces::notice::warning;
use crate::network::{Card, CardPrecision, Computing, DeviceChoice};

/// The longest that a position waits for others, in microseconds.
const LONGEST_WAIT: i64 = 1_000_000;

/// Where networks are computed.
#[derive(Debug, Clone, Copy, Args)]
pub struct DeviceArgs {
    /// Compute networks on DEVICE: cpu, cuda, cuda:N with the number of a card, metal, auto (a card if there is one, or else
    /// cpu), or candle (what a card computes on the processor: slow, to check it) (default: cpu)
    #[arg(long, value_name = "DEVICE", value_parser = str::parse::<DeviceChoice>)]
    device: Option<DeviceChoice>,
    /// Multiply in this precision on the device: f32, f16 or bf16 (default: bf16, and f32 with candle)
    #[arg(long, value_name = "P", requires = "device", value_parser = str::parse::<CardPrecision>)]
    device_precision: Option<CardPrecision>,
    /// Evaluate at most N positions at a time on the device (default: 128)
    #[arg(long, value_name = "N", requires = "device", value_parser = clap::value_parser!(u32).range(1..=Card::MOST_POSITIONS as i64))]
    device_batch: Option<u32>,
    /// Let a position wait so many microseconds for others to be evaluated with (default: 500)
    #[arg(long, value_name = "US", requires = "device", value_parser = clap::value_parser!(u32).range(..=LONGEST_WAIT))]
    device_wait: Option<u32>,
}

impl DeviceArgs {
    /// Opens the device that was asked for; none for the processor by our kernels.
    pub(super) fn open(&self) -> Result<Option<Card>, CliError> {
        let choice = self.device.unwrap_or_default();
        let Some(mut card) = choice.card().map_err(CliError::failed)? else {
            let given = self.device_precision.is_some() || self.device_batch.is_some() || self.device_wait.is_some();
            let needed = "--device-precision, --device-batch and --device-wait need a device: cuda, metal or candle";
            // 'auto' may find none.
            let in_vain = given && choice == DeviceChoice::Cpu;
            return if in_vain { Err(CliError::Request(needed.to_owned())) } else { Ok(None) };
        };
        if let Some(positions) = self.device_batch {
            (card.batch, card.games) = (positions as usize, 2 * positions as usize);
        }
        card.complain = |problem| warning(problem);
        card.precision = self.device_precision.unwrap_or(card.precision);
        card.wait = self.device_wait.map_or(card.wait, |wait| Duration::from_micros(wait.into()));
        Ok(Some(card))
    }

    /// Whether networks are computed on the processor, by our kernels.
    pub(super) fn is_cpu(&self) -> bool {
        self.device.unwrap_or_default() == DeviceChoice::Cpu
    }

    /// Lets the whole program compute networks on the device that was asked for.
    pub(super) fn choose(&self) -> Result<(), CliError> {
        match self.open()? {
            Some(card) => Computing::choose(card).map_err(CliError::failed),
            None => Ok(()),
        }
    }
}
