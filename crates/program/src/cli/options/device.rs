//! The device that evaluates and trains networks.

use std::time::Duration;

use clap::Args;

use crate::error::CliError;
use hexzero_graph::{CandleDevice, DeviceChoice, DevicePrecision};
use hexzero_nn::Backend;
use hexzero_system::warning;

/// The largest `--device-wait`, in microseconds.
const MAX_WAIT: i64 = 1_000_000;

/// The device that evaluates and trains networks.
#[derive(Debug, Clone, Copy, Args)]
pub struct DeviceArgs {
    /// Run networks on DEVICE: cpu, cuda, cuda:N for GPU number N, metal, auto (a GPU if there is one, else cpu), or
    /// candle (the GPU's operations on the processor: slow, to test them) (default: cpu)
    #[arg(long, value_name = "DEVICE", value_parser = str::parse::<DeviceChoice>)]
    device: Option<DeviceChoice>,
    /// The precision of products on the device: f32, f16 or bf16 (default: bf16; f32 with candle)
    #[arg(long, value_name = "P", requires = "device", value_parser = str::parse::<DevicePrecision>)]
    device_precision: Option<DevicePrecision>,
    /// Evaluate at most N positions at the same time on the device (default: 128)
    #[arg(long, value_name = "N", requires = "device", value_parser = clap::value_parser!(u32).range(1..=CandleDevice::MAX_POSITIONS as i64))]
    device_batch: Option<u32>,
    /// Let a position wait at most US microseconds for a batch to fill (default: 500)
    #[arg(long, value_name = "US", requires = "device", value_parser = clap::value_parser!(u32).range(..=MAX_WAIT))]
    device_wait: Option<u32>,
}

impl DeviceArgs {
    /// Opens the device; none for `cpu`, which our own kernels serve.
    pub fn open(&self) -> Result<Option<CandleDevice>, CliError> {
        let choice = self.device.unwrap_or_default();
        let Some(mut device) = choice.device()? else {
            let given = self.device_precision.is_some() || self.device_batch.is_some() || self.device_wait.is_some();
            let needed = "--device-precision, --device-batch and --device-wait need a device: cuda, metal or candle";
            // 'auto' may find none.
            let in_vain = given && choice == DeviceChoice::Cpu;
            return if in_vain { Err(CliError::Request(needed.to_owned())) } else { Ok(None) };
        };
        if let Some(positions) = self.device_batch {
            (device.batch, device.games) = (positions as usize, 2 * positions as usize);
        }
        device.on_failure = |problem| warning(problem);
        device.precision = self.device_precision.unwrap_or(device.precision);
        device.wait = self.device_wait.map_or(device.wait, |wait| Duration::from_micros(wait.into()));
        Ok(Some(device))
    }

    /// Returns true if networks run on the processor, by our own kernels.
    pub fn is_cpu(&self) -> bool {
        self.device.unwrap_or_default() == DeviceChoice::Cpu
    }

    /// Returns the backend that evaluates networks: the device, or our kernels.
    pub fn backend(&self) -> Result<Backend, CliError> {
        Ok(self.open()?.map_or_else(Backend::default, |device| device.backend()))
    }
}
