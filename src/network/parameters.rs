//! The parameters of a network by name: how each begins, and the layers that are made of them.

use candle_core::{DType, Device, Error, Result, Tensor, Var};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::boards::{Boards, TAPS};
use super::layers::{self, Activation, hex_conv};
use super::tensors::{NamedTensors, TensorData};

/// How a parameter begins.
#[derive(Debug, Clone, Copy)]
pub(super) enum Start {
    Zero,
    /// Normal with variance `gain² / inputs`.
    Normal {
        gain: f32,
        inputs: usize,
    },
}

/// Makes or finds parameters by name while a network is put together.
pub(super) type Source<'a> = dyn FnMut(&str, &[usize], Start) -> Result<Tensor> + 'a;

/// The parameters of a network by name, each a variable of the optimiser.
#[derive(Debug, Clone, Default)]
pub struct Parameters(Vec<(String, Var)>);

/// What is wrong with somebody's file, which needs no backtrace as candle's `bail` would add one.
fn misfit(what: String) -> Error {
    Error::Msg(what)
}

impl Parameters {
    /// Builds something of random parameters.
    pub(super) fn random<T>(rng: &mut impl Rng, build: impl FnOnce(&mut Source<'_>) -> Result<T>) -> Result<(T, Self)> {
        let mut parameters = Self::default();
        let built = build(&mut |name, shape, start| {
            let count = shape.iter().product();
            let values: Vec<f32> = match start {
                Start::Zero => vec![0.0; count],
                Start::Normal { gain, inputs } => {
                    let deviation = gain / (inputs as f32).sqrt();
                    (0..count).map(|_| deviation * Distribution::<f32>::sample(&StandardNormal, rng)).collect()
                }
            };
            let var = Var::from_vec(values, shape, &Device::Cpu)?;
            parameters.0.push((name.to_owned(), var.clone()));
            Ok(var.as_tensor().clone())
        })?;
        Ok((built, parameters))
    }

    /// Builds something of these parameters, all of which it must need.
    pub(super) fn from_named<T>(
        tensors: &NamedTensors,
        build: impl FnOnce(&mut Source<'_>) -> Result<T>,
    ) -> Result<(T, Self)> {
        let mut parameters = Self::default();
        let built = build(&mut |name, shape, _| {
            let Some(tensor) = tensors.get(name) else { return Err(misfit(format!("tensor '{name}' is missing"))) };
            if tensor.shape != shape {
                return Err(misfit(format!("tensor '{name}' has shape {:?}, expected {shape:?}", tensor.shape)));
            }
            let var = Var::from_tensor(&tensor.to_candle()?)?;
            parameters.0.push((name.to_owned(), var.clone()));
            Ok(var.as_tensor().clone())
        })?;
        if let Some(name) = tensors.keys().find(|name| !parameters.0.iter().any(|(known, _)| known == *name)) {
            return Err(misfit(format!("tensor '{name}' is not part of this architecture")));
        }
        Ok((built, parameters))
    }

    /// These and after them others.
    pub fn followed_by(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// Names and variables, always in the same order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Var)> {
        self.0.iter().map(|(name, var)| (name.as_str(), var))
    }

    /// Copies of the values.
    ///
    /// # Errors
    /// If candle fails.
    pub fn to_named(&self) -> Result<NamedTensors> {
        self.iter().map(|(name, var)| Ok((name.to_owned(), TensorData::from_candle(var)?))).collect()
    }

    /// The number of values of all parameters.
    pub fn count(&self) -> usize {
        self.iter().map(|(_, var)| var.elem_count()).sum()
    }
}

/// `x · weight + bias`.
#[derive(Debug, Clone)]
pub(super) struct Dense {
    weight: Tensor,
    bias: Tensor,
}

impl Dense {
    pub fn new(source: &mut Source<'_>, name: &str, inputs: usize, outputs: usize, gain: f32) -> Result<Self> {
        Ok(Self {
            weight: source(&format!("{name}.weight"), &[inputs, outputs], Start::Normal { gain, inputs })?,
            bias: source(&format!("{name}.bias"), &[outputs], Start::Zero)?,
        })
    }

    /// A dense layer beside a layer that has a bias.
    pub fn unbiased(source: &mut Source<'_>, name: &str, inputs: usize, outputs: usize, gain: f32) -> Result<Self> {
        Ok(Self {
            weight: source(name, &[inputs, outputs], Start::Normal { gain, inputs })?,
            bias: Tensor::zeros(outputs, DType::F32, &Device::Cpu)?,
        })
    }

    pub fn forward(&self, x: &Tensor, then: Activation) -> Result<Tensor> {
        layers::dense(x, &self.weight, &self.bias, then)
    }
}

/// A hexagonal convolution.
#[derive(Debug, Clone)]
pub(super) struct Conv {
    weight: Tensor,
    bias: Tensor,
}

impl Conv {
    pub fn new(source: &mut Source<'_>, name: &str, inputs: usize, outputs: usize, gain: f32) -> Result<Self> {
        let start = if gain == 0.0 { Start::Zero } else { Start::Normal { gain, inputs: TAPS * inputs } };
        Ok(Self {
            weight: source(&format!("{name}.weight"), &[TAPS, inputs, outputs], start)?,
            bias: source(&format!("{name}.bias"), &[outputs], Start::Zero)?,
        })
    }

    pub fn forward(&self, x: &Tensor, boards: &Boards, then: Activation) -> Result<Tensor> {
        hex_conv(x, &self.weight, &self.bias, boards, then)
    }
}
