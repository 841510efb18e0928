//! Networks: reading and writing, arrays by name, and evaluation of many positions at once.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hexzero_export::{onnx_model, write_numpy_player};
use hexzero_games::{self as rules, Evaluation, Evaluator, GameRng, Position, default_game};
use hexzero_graph::Network as Graph;
use hexzero_models::SHIPPED;
use hexzero_nn::{Architecture, Checkpoint, Metadata, NamedTensors, NetworkEvaluator, Precision, TensorData};
use hexzero_search::MAX_THREADS;
use hexzero_system::files::write_whole;
use hexzero_system::stop::StopSignal;
use hexzero_train::model_files::{checkpoint_file, load_checkpoint};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString, PyTuple};
use rand::SeedableRng;

use super::arrays::{array, floats};
use super::batches::{common_board, positions_of};
use super::errors::{CheckpointError, checkpoint_error, failed, file_error, in_range, model_error, value_error};
use super::game::GameName;
use super::interrupt::interruptible;

/// Positions that a thread takes at a time: enough that taking them costs nothing, few enough that all threads end together.
const AT_A_TIME: usize = 8;

/// Batches from this size on are evaluated so that Ctrl-C can interrupt them.
const LARGE_BATCH: usize = 512;

/// A network of a game, ready to evaluate positions.
#[pyclass(module = "hexzero", frozen)]
pub struct Network {
    pub name: String,
    pub game: rules::Game,
    pub checkpoint: Checkpoint,
    pub precision: Precision,
    /// Shares the weights with all its clones.
    pub evaluator: NetworkEvaluator,
    /// Evaluators of earlier calls, whose buffers later ones reuse.
    spare: Mutex<Vec<NetworkEvaluator>>,
}

/// Returns the number of threads to use: this many, or one for each core if 0.
pub fn threads_or_cores(threads: i64, most: usize) -> PyResult<usize> {
    match in_range("threads", threads, 0..=most as i64)? {
        0 => Ok(std::thread::available_parallelism().map_or(1, usize::from).min(most)),
        given => Ok(given),
    }
}

/// Parses JSON into Python's objects.
fn dictionary<'py>(py: Python<'py>, value: serde_json::Result<String>) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.getattr("loads")?.call1((value.map_err(failed)?,))
}

impl Network {
    fn of(checkpoint: Checkpoint, name: String, precision: Option<&str>) -> PyResult<Self> {
        let precision: Precision = precision.map_or_else(|| Ok(Precision::best()), str::parse).map_err(value_error)?;
        let game = checkpoint.game(&name).map_err(checkpoint_error)?;
        let evaluator = NetworkEvaluator::new(game, &checkpoint, &name, precision).map_err(checkpoint_error)?;
        Ok(Self { name, game, checkpoint, precision, evaluator, spare: Mutex::default() })
    }

    fn read(model: &Path, asked: Option<rules::Game>, precision: Option<&str>) -> PyResult<Self> {
        let (name, checkpoint) = if model == Path::new(SHIPPED) {
            let game = asked.unwrap_or_else(default_game);
            load_checkpoint(game, None).map_err(model_error)?
        } else {
            let path = checkpoint_file(model).map_err(model_error)?;
            (path.display().to_string(), Checkpoint::read(&path).map_err(checkpoint_error)?)
        };
        let network = Self::of(checkpoint, name, precision)?;
        asked.map_or(Ok(()), |game| network.check(game))?;
        Ok(network)
    }

    /// Checks that this network is one for a position's game.
    pub fn check(&self, game: rules::Game) -> PyResult<()> {
        self.checkpoint.check_game(game, &self.name).map_err(checkpoint_error)
    }

    /// Evaluates positions that are not over: writes the probabilities of their actions, a row a position, and their values to
    /// the movers. The threads live as long as the call, so that it may also be used after a `fork`. Once `stop` is requested it
    /// ends with what it has.
    fn evaluate_all(
        &self,
        positions: &[Arc<Position>],
        actions: usize,
        threads: usize,
        stop: &StopSignal,
    ) -> (Vec<f32>, Vec<f32>) {
        let mut evaluators = std::mem::take(&mut *self.spare.lock().unwrap_or_else(PoisonError::into_inner));
        evaluators.resize_with(threads.max(evaluators.len()), || self.evaluator.clone());
        let (mut policy, mut values) = (vec![0.0; positions.len() * actions], vec![0.0; positions.len()]);
        let rows = policy.chunks_mut(AT_A_TIME * actions).zip(values.chunks_mut(AT_A_TIME));
        let parts = Mutex::new(positions.chunks(AT_A_TIME).zip(rows));
        let work = |evaluator: &mut NetworkEvaluator| {
            let mut legal = Vec::new();
            loop {
                let part = parts.lock().ok().and_then(|mut parts| parts.next());
                let Some((positions, (policy, values))) = part else { return };
                for ((position, row), value) in positions.iter().zip(policy.chunks_exact_mut(actions)).zip(values) {
                    if stop.is_requested() {
                        return;
                    }
                    position.legal_actions(&mut legal);
                    let Evaluation { priors, outcome } = evaluator.evaluate(position, &legal);
                    legal.iter().zip(priors).for_each(|(action, prior)| row[action.index()] = prior);
                    *value = outcome.value();
                }
            }
        };
        let (first, others) = evaluators[..threads.max(1)].split_at_mut(1);
        std::thread::scope(|scope| {
            for evaluator in others {
                // Where the system has no more threads, fewer evaluate.
                let _ = hexzero_system::threads::spawn_scoped(scope, || work(evaluator));
            }
            first.iter_mut().for_each(work);
        });
        *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = evaluators;
        (policy, values)
    }
}

#[pymethods]
impl Network {
    /// Reads a network.
    ///
    /// Args:
    ///     model: the path of a checkpoint, the folder of a run (its latest checkpoint), or `"shipped"`.
    ///     game: the game that it is to play; for the shipped models the default is cachex.
    ///     precision: `"f32"` or `"int8"`, by default the faster one of this machine.
    ///
    /// Raises:
    ///     OSError: if the file cannot be read.
    ///     CheckpointError: if it is no checkpoint, or of another game.
    #[staticmethod]
    #[pyo3(signature = (model = PathBuf::from(SHIPPED), game = None, precision = None),
           text_signature = "(model='shipped', game=None, precision=None)")]
    fn load(py: Python<'_>, model: PathBuf, game: Option<GameName<'_>>, precision: Option<&str>) -> PyResult<Self> {
        let asked = game.map(|game| game.rules()).transpose()?;
        py.detach(|| Self::read(&model, asked, precision))
    }

    /// Makes a network of arrays by name, as `to_dict` returns them; sizes are read off their shapes.
    ///
    /// Args:
    ///     tensors: anything that NumPy makes arrays of numbers of, by name: a dictionary, or another mapping such as an NPZ
    ///         file.
    ///     game: the game that it plays.
    ///     precision: `"f32"` or `"int8"`, by default the faster one of this machine.
    ///     step: the number of training steps behind it, for the record.
    ///     name: what messages and matches call it.
    ///
    /// Raises:
    ///     CheckpointError: if an array is missing, superfluous, of another shape, or not finite.
    #[staticmethod]
    #[pyo3(signature = (tensors, game, *, precision = None, step = 0, name = "from_dict"))]
    fn from_dict(
        tensors: &Bound<'_, PyMapping>,
        game: GameName<'_>,
        precision: Option<&str>,
        step: u64,
        name: &str,
    ) -> PyResult<Self> {
        let mut named = NamedTensors::new();
        for item in tensors.items()? {
            let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
            let key: String = key.extract()?;
            let (shape, data) = floats(&value, &format!("tensor '{key}'"))?;
            if let Some(bad) = data.iter().find(|value| !value.is_finite()) {
                return Err(CheckpointError::new_err(format!("tensor '{key}' holds {bad}; all values must be finite")));
            }
            named.insert(key, TensorData { shape, data });
        }
        let missing = "has no tensors 'stem.bias', 'policy.bias' and 'position.bias', from which its sizes are read";
        let architecture = Architecture::of_tensors(&named)
            .ok_or_else(|| CheckpointError::new_err(format!("checkpoint {name}: {missing}")))?;
        let metadata = Metadata { step, ..Metadata::untrained(game.rules()?, architecture) };
        let checkpoint = Checkpoint::new(metadata, named, name).map_err(checkpoint_error)?;
        Self::of(checkpoint, name.to_owned(), precision)
    }

    /// Makes a network with random parameters. Channels are multiples of 16; every `pool_every`-th block looks at the
    /// whole board, 0 for none. The same seed gives the same network.
    ///
    /// Raises:
    ///     ValueError: if a size is out of range.
    #[staticmethod]
    #[pyo3(signature = (game, *, blocks = 4, channels = 32, pool_every = 2, policy_channels = 16, value_channels = 32,
                        seed = 0, precision = None))]
    #[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
    fn random(
        py: Python<'_>,
        game: GameName<'_>,
        blocks: usize,
        channels: usize,
        pool_every: usize,
        policy_channels: usize,
        value_channels: usize,
        seed: u64,
        precision: Option<&str>,
    ) -> PyResult<Self> {
        let game = game.rules()?;
        let architecture = Architecture { blocks, channels, pool_every, policy_channels, value_channels };
        architecture.validate().map_err(value_error)?;
        let mut rng = GameRng::seed_from_u64(seed);
        let made = py.detach(|| {
            let (_, parameters) = Graph::random(&architecture, &game.info().view, &mut rng)?;
            parameters.to_named()
        });
        let tensors = made.map_err(failed)?;
        let checkpoint = Checkpoint { metadata: Metadata::untrained(game, architecture), tensors };
        Self::of(checkpoint, format!("random:{seed}"), precision)
    }

    /// Reads a network from the bytes of a checkpoint file.
    ///
    /// Raises:
    ///     CheckpointError: if they are no checkpoint.
    #[staticmethod]
    #[pyo3(signature = (data, name = "bytes", precision = None))]
    fn from_bytes(data: &[u8], name: &str, precision: Option<&str>) -> PyResult<Self> {
        let checkpoint = Checkpoint::from_bytes(data, name).map_err(checkpoint_error)?;
        Self::of(checkpoint, name.to_owned(), precision)
    }

    /// Returns the bytes of the checkpoint file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.checkpoint.to_bytes().map_err(checkpoint_error)?))
    }

    /// Returns the parameters by name, float32. docs/formats/checkpoints.md lists names and shapes.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tensors = PyDict::new(py);
        for (name, tensor) in &self.checkpoint.tensors {
            tensors.set_item(name, PyArray1::from_slice(py, &tensor.data).reshape(tensor.shape.as_slice())?)?;
        }
        Ok(tensors)
    }

    /// Writes a checkpoint file, whole or not at all, for this package and for the program `hexzero`.
    ///
    /// Raises:
    ///     OSError: if the file cannot be written.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        self.checkpoint.write(&path).map_err(checkpoint_error)
    }

    /// Writes the network as an ONNX file for boards of any size.
    ///
    /// Raises:
    ///     ValueError: if the game's boards have no rows and columns.
    ///     OSError: if the file cannot be written.
    fn export_onnx(&self, path: PathBuf) -> PyResult<()> {
        let bytes = onnx_model(self.game, &self.checkpoint).map_err(value_error)?;
        write_whole(&path, &bytes)
            .map_err(|error| file_error(format!("cannot write {}: {error}", path.display()), &error))
    }

    /// Writes a player that needs only NumPy, as a Python package in this folder.
    ///
    /// Raises:
    ///     ValueError: if there is no such player for the game, or the folder cannot be written.
    fn export_numpy(&self, folder: PathBuf) -> PyResult<()> {
        write_numpy_player(&self.checkpoint, &folder).map_err(value_error)
    }

    /// The name of the game that it was trained for.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// The name in messages and matches.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// `"f32"` or `"int8"`.
    #[getter]
    fn precision(&self) -> &'static str {
        self.precision.name()
    }

    /// The checkpoint's header, as a dictionary.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dictionary(py, serde_json::to_string(&self.checkpoint.metadata))
    }

    /// The sizes and parts of the network by name, as `Network.random` takes them.
    #[getter]
    fn architecture<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dictionary(py, serde_json::to_string(&self.checkpoint.metadata.architecture))
    }

    /// Evaluates states of one board, on all cores and without the interpreter's lock. Ctrl-C ends it.
    ///
    /// Args:
    ///     states: a sequence of states, none of them over.
    ///     threads: the number of threads, 0 for one on each core.
    ///
    /// Returns:
    ///     The policy, float32 `[states, actions]`, by the numbers of the board: probabilities of the legal actions, zeros
    ///     elsewhere; and the value to the player to move, float32 `[states]`, from -1 (loss) to 1 (win).
    ///
    /// Raises:
    ///     ValueError: if a state is over or of another board or game.
    #[pyo3(signature = (states, *, threads = 0))]
    fn evaluate(
        &self,
        py: Python<'_>,
        states: &Bound<'_, PyAny>,
        threads: i64,
    ) -> PyResult<(Py<PyArray2<f32>>, Py<PyArray1<f32>>)> {
        let positions = positions_of(states)?;
        let on = common_board(&positions)?;
        self.check(on.game())?;
        if let Some(index) = positions.iter().position(|position| position.outcome().is_some()) {
            return Err(value_error(format_args!("states[{index}] is over; there is nothing to evaluate")));
        }
        let (count, actions) = (positions.len(), on.actions());
        let threads = threads_or_cores(threads, MAX_THREADS)?.min(count.div_ceil(AT_A_TIME));
        let (policy, values) = if count < LARGE_BATCH {
            py.detach(|| self.evaluate_all(&positions, actions, threads, &StopSignal::new()))
        } else {
            interruptible(py, |stop| self.evaluate_all(&positions, actions, threads, stop))?
        };
        Ok((array(py, policy, [count, actions])?, PyArray1::from_vec(py, values).unbind()))
    }

    fn __repr__(&self) -> String {
        let Metadata { architecture, step, .. } = &self.checkpoint.metadata;
        format!("<hexzero.Network '{}' of {}, {architecture}, step {step}>", self.name, self.game.name())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let network = slf.get();
        let (py, make) = (slf.py(), slf.get_type().getattr("from_bytes")?);
        let arguments = (network.to_bytes(py)?, PyString::new(py, &network.name), network.precision());
        (make, arguments).into_pyobject(py)
    }
}
