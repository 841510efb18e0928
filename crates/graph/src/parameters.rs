//! The parameters of a network by name, and the sources from which a [`VarBuilder`] takes them: a
//! seed, or named tensors.

use std::fmt;

use candle_core::{DType, Device, Error, Result, Shape, Tensor, Var, bail};
use candle_nn::var_builder::SimpleBackend;
use candle_nn::{Init, VarBuilder};
use parking_lot::Mutex;
use rand::Rng;
use rand_distr::{Distribution, Normal};

use hexzero_nn::NamedTensors;

use super::storage::tensor_data;

/// The parameters of a network by name, each a variable of the optimiser.
///
/// They are in the order in which the layers request them. The order of a [`candle_nn::VarMap`] changes with each run of
/// the program; the gradient norm is a sum over all variables, so its last bits would change too.
#[derive(Clone)]
pub struct Parameters(Vec<(String, Var)>);

impl Parameters {
    fn contains(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// Builds a module with random parameters. The same state of `rng` gives the same parameters.
    pub(crate) fn random<T>(
        rng: &mut (impl Rng + Send),
        build: impl FnOnce(VarBuilder<'_>) -> Result<T>,
    ) -> Result<(T, Self)> {
        let draw = |_: &str, shape: Shape, init: Init| match init {
            Init::Const(_) => init.var(shape, DType::F32, &Device::Cpu),
            // `Init::var` would use candle's own generator, which cannot be seeded on the CPU.
            Init::Randn { mean, stdev } => {
                let normal = Normal::new(mean as f32, stdev as f32).map_err(Error::wrap)?;
                let values: Vec<f32> = normal.sample_iter(&mut *rng).take(shape.elem_count()).collect();
                Var::from_vec(values, shape, &Device::Cpu)
            }
            Init::Uniform { .. } | Init::Kaiming { .. } => bail!("no layer begins with {init:?}"),
        };
        Self::recorded(draw, &Device::Cpu, build)
    }

    /// Builds a module from these parameters on a device. It must use all of them.
    pub(crate) fn from_named<T>(
        tensors: &NamedTensors,
        device: &Device,
        build: impl FnOnce(VarBuilder<'_>) -> Result<T>,
    ) -> Result<(T, Self)> {
        let find = |name: &str, shape: Shape, _: Init| {
            // Not by `bail`, which would add a backtrace.
            let tensor = tensors.get(name).ok_or_else(|| Error::Msg(format!("tensor '{name}' is missing")))?;
            if tensor.shape != shape.dims() {
                let (found, expected) = (&tensor.shape, shape.dims());
                return Err(Error::Msg(format!("tensor '{name}' has shape {found:?}, expected {expected:?}")));
            }
            Var::from_slice(&tensor.data, shape, device)
        };
        let (built, parameters) = Self::recorded(find, device, build)?;
        if let Some(name) = tensors.keys().find(|name| !parameters.contains(name)) {
            return Err(Error::Msg(format!("tensor '{name}' is not part of this architecture")));
        }
        Ok((built, parameters))
    }

    /// Builds a module whose parameters `make` creates, and records the parameters.
    fn recorded<T>(
        make: impl FnMut(&str, Shape, Init) -> Result<Var> + Send,
        device: &Device,
        build: impl FnOnce(VarBuilder<'_>) -> Result<T>,
    ) -> Result<(T, Self)> {
        let recorder = Mutex::new((make, Self(Vec::new())));
        let backend = Box::new(Recorder(&recorder));
        let built = build(VarBuilder::from_backend(backend, DType::F32, device.clone()))?;
        Ok((built, recorder.into_inner().1))
    }

    /// Returns names and variables, always in the same order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Var)> {
        self.0.iter().map(|(name, var)| (name.as_str(), var.clone()))
    }

    /// Returns the variables, always in the same order.
    pub fn variables(&self) -> Vec<Var> {
        self.0.iter().map(|(_, var)| var.clone()).collect()
    }

    /// Returns copies of the values.
    ///
    /// # Errors
    /// If candle fails.
    pub fn to_named(&self) -> Result<NamedTensors> {
        self.iter().map(|(name, var)| Ok((name.to_owned(), tensor_data(&var)?))).collect()
    }

    /// Returns the total number of values of all parameters.
    pub fn count(&self) -> usize {
        self.0.iter().map(|(_, var)| var.elem_count()).sum()
    }
}

impl fmt::Debug for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|(name, _)| name)).finish()
    }
}

/// Supplies parameters to a [`VarBuilder`] and records each by name, in the order of the requests.
struct Recorder<'a, M>(&'a Mutex<(M, Parameters)>);

impl<M: FnMut(&str, Shape, Init) -> Result<Var> + Send> SimpleBackend for Recorder<'_, M> {
    fn get(&self, shape: Shape, name: &str, init: Init, _: DType, _: &Device) -> Result<Tensor> {
        let (make, parameters) = &mut *self.0.lock();
        let var = make(name, shape, init)?;
        let tensor = var.as_tensor().clone();
        parameters.0.push((name.to_owned(), var));
        Ok(tensor)
    }

    fn get_unchecked(&self, name: &str, _: DType, _: &Device) -> Result<Tensor> {
        bail!("parameter '{name}' is asked for without its shape")
    }

    fn contains_tensor(&self, name: &str) -> bool {
        self.0.lock().1.contains(name)
    }
}
