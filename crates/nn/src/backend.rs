//! The backend of evaluations: our kernels on the CPU, or a device.

use std::fmt;
use std::sync::Arc;

use hexzero_board::Topology;
use hexzero_games::NetworkView;

use crate::kernels::Kernel;
use crate::{Architecture, NamedTensors, Precision};

/// The backend that evaluates networks.
#[derive(Debug, Clone)]
pub enum Backend {
    /// Our kernels on the CPU.
    Cpu(Precision),
    /// A device, such as a GPU.
    Device(Arc<dyn Device>),
}

/// A device on which networks are evaluated in batches that many searches share.
pub trait Device: fmt::Debug + Send + Sync {
    /// Returns the device's name, such as `cuda:0`.
    fn name(&self) -> &str;

    /// Returns the name of the precision of the products.
    fn precision(&self) -> &'static str;

    /// Returns the largest number of positions in a batch.
    fn batch(&self) -> usize;

    /// Returns the games of self-play to have under way at once.
    fn games(&self) -> usize;

    /// Returns this device with answers that do not depend on the other positions of a batch.
    fn repeatable(&self) -> Arc<dyn Device>;

    /// Puts a network on the device.
    ///
    /// # Errors
    /// The device's own message if it fails.
    fn load(
        &self,
        architecture: &Architecture,
        view: &NetworkView,
        tensors: &NamedTensors,
    ) -> Result<Box<dyn DeviceEvaluator>, String>;
}

/// A network on a device.
pub trait DeviceEvaluator: fmt::Debug + Send + Sync {
    /// Evaluates the inputs of a position on this board and waits for the answer: the logits of win, draw and loss,
    /// then those of all actions.
    ///
    /// # Errors
    /// The device's own message if it has failed.
    fn evaluate(&mut self, topology: &'static Topology, cells: &[f32], globals: &[f32]) -> Result<Vec<f32>, String>;

    /// Returns the counts of the evaluations of all that share the network.
    fn stats(&self) -> DeviceStats;

    /// Returns an evaluator that shares the network.
    fn share(&self) -> Box<dyn DeviceEvaluator>;
}

impl Clone for Box<dyn DeviceEvaluator> {
    fn clone(&self) -> Self {
        self.share()
    }
}

/// The counts of a device's evaluations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceStats {
    /// The number of batches. Few waiting positions make small batches.
    pub batches: u64,
    /// The number of positions in them, without padding.
    pub positions: u64,
}

impl Backend {
    /// Returns the positions of a batch of the device; `None` on the CPU.
    pub fn device_batch(&self) -> Option<usize> {
        match self {
            Self::Cpu(_) => None,
            Self::Device(device) => Some(device.batch()),
        }
    }

    /// Returns the backend with answers that do not depend on the other positions of a batch.
    pub fn repeatable(&self) -> Self {
        match self {
            Self::Cpu(_) => self.clone(),
            Self::Device(device) => Self::Device(device.repeatable()),
        }
    }
}

impl Default for Backend {
    /// Returns the best kernels of this CPU.
    fn default() -> Self {
        Self::Cpu(Precision::best())
    }
}

impl From<Precision> for Backend {
    fn from(precision: Precision) -> Self {
        Self::Cpu(precision)
    }
}

impl From<&Backend> for Backend {
    fn from(backend: &Backend) -> Self {
        backend.clone()
    }
}

/// Names the settings that games depend on: kernel and precision, or device, precision and batch.
impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu(precision) => write!(f, "{} {}", Kernel::best().name(), precision.name()),
            Self::Device(device) => {
                let kind = device.name().split(':').next().unwrap_or_default();
                write!(f, "{kind} {} in batches of {}", device.precision(), device.batch())
            }
        }
    }
}
