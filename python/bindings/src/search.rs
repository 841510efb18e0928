//! Tree search with a network or with an evaluator written in Python.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};

use hexzero_arena::players::PlayerOptions;
use hexzero_games::{Game, GameRng, Position};
use hexzero_nn::NetworkEvaluator;
use hexzero_search::{Limits, MAX_THREADS, RootNoise, Search as TreeSearch, SearchSettings};
use hexzero_system::stop::StopSignal;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rand::{Rng, SeedableRng};

use super::batches::{common_board, positions_of};
use super::errors::{in_range, value_error};
use super::interrupt::interruptible;
use super::judge::{Fault, PythonJudge};
use super::network::{Network, threads_or_cores};
use super::search_result::SearchResult;
use super::state::State;

/// Visits of a search without limits.
const VISITS: u32 = 200;
/// The largest batch of an evaluator in Python.
const MAX_BATCH: i64 = 65_536;
/// Mebibytes of the evaluation cache of a search: move orders transpose.
const CACHE: u32 = 16;

/// The evaluator of the leaves.
enum Leaves {
    Network(Py<Network>, Box<NetworkEvaluator>),
    Python(Py<PyAny>),
}

/// Searches positions, with the same settings each time.
///
/// Args:
///     evaluator: a network, or a callable `(planes, globals) -> (policy, value)`. It gets a batch in the mover's
///         frames, float32 `[batch, planes, cells]` and `[batch, globals]`, and returns logits of all actions in the
///         mover's frame, `[batch, actions]`, and values to the mover, `[batch]` from -1 to 1, or chances of win, draw and
///         loss, `[batch, 3]`.
///     visits: stop when the root has this many visits; by default 200, or no limit if `time` is given.
///     time: stop after this many seconds.
///     threads: threads of `run` with a network, 0 for one on each core. With several, results depend on timing.
///     batch: positions that a callable gets at a time; `run_many` gives it at least one of each state.
///     noise: the weight of Dirichlet noise in the root's priors, from 0 to 1, for self-play.
///     concentration: the concentration of the noise, divided by the number of legal moves.
///     seed: decides the noise.
///     constants: constants of the search by name, such as `fpu_reduction=0.3`; docs/search.md lists them.
///
/// Raises:
///     ValueError: if a number is out of range, or there is no such constant.
///     TypeError: if the evaluator is neither a network nor callable.
#[pyclass(module = "hexzero", frozen)]
pub struct Search {
    leaves: Leaves,
    settings: SearchSettings,
    limits: Limits,
    threads: usize,
    batch: usize,
    noise: RootNoise,
    rng: Mutex<GameRng>,
}

/// Reads constants of the search as the options of a player are read: `fpu_reduction=0.3`.
fn options_of(constants: Option<&Bound<'_, PyDict>>) -> PyResult<PlayerOptions> {
    let Some(constants) = constants else { return Ok(PlayerOptions::default()) };
    let given: BTreeMap<String, Bound<'_, PyAny>> = constants.extract()?;
    let mut options = Vec::new();
    for (name, value) in given {
        let option = format!("{name}={}", value.str()?);
        let parsed: PlayerOptions = option.parse().map_err(value_error)?;
        // The others have arguments of their own, or belong to a network or a player.
        if parsed != (PlayerOptions { search: parsed.search, ..PlayerOptions::default() }) {
            return Err(PyTypeError::new_err(format!("'{name}' is not a constant of the search")));
        }
        options.push(option);
    }
    if options.is_empty() {
        return Ok(PlayerOptions::default());
    }
    options.join(",").parse().map_err(value_error)
}

/// Checks a limit on visits and one on time.
pub fn limits_of(visits: Option<i64>, seconds: Option<f64>) -> PyResult<Limits> {
    let visits = visits.map(|visits| in_range("visits", visits, 1..=Limits::MAX_VISITS.into())).transpose()?;
    let visits = if visits.is_none() && seconds.is_none() { Some(VISITS) } else { visits };
    let time = seconds.map(|seconds| {
        let wrong = || value_error(format_args!("time = {seconds}; accepted: {}", Limits::accepted_seconds()));
        Limits::seconds(&seconds.to_string()).ok_or_else(wrong)
    });
    Ok(Limits { visits, time: time.transpose()?, ..Limits::default() })
}

impl Search {
    /// Returns a generator for the noise of one call.
    fn next_rng(&self) -> GameRng {
        GameRng::seed_from_u64(self.rng.lock().unwrap_or_else(PoisonError::into_inner).random())
    }

    fn add_noise(&self, search: &mut TreeSearch, rng: &mut GameRng) {
        if self.noise.fraction > 0.0 {
            search.add_root_noise(&self.noise, rng);
        }
    }

    fn new_search(&self, position: &Position, stop: &StopSignal) -> TreeSearch {
        TreeSearch::new(position.clone(), self.settings).stopped_by(stop.clone())
    }

    /// Searches positions with a network, each on one thread, or a single one on several.
    fn with_network(
        &self,
        evaluator: &NetworkEvaluator,
        positions: &[Arc<Position>],
        threads: usize,
        stop: &StopSignal,
        rng: &mut GameRng,
    ) -> Vec<TreeSearch> {
        let one = |position: &Arc<Position>, rng: &mut GameRng, evaluators: &mut [NetworkEvaluator]| {
            let mut search = self.new_search(position, stop);
            search.expand_root(&mut evaluators[0]);
            self.add_noise(&mut search, rng);
            search.run_on(evaluators, &self.limits);
            search
        };
        if let [position] = positions {
            return vec![one(position, rng, &mut vec![evaluator.clone(); threads])];
        }
        let next = Mutex::new(positions.iter().map(|position| (position, GameRng::from_rng(rng))).enumerate());
        let mut found: Vec<(usize, TreeSearch)> = std::thread::scope(|scope| {
            let work = || {
                let mut evaluators = [evaluator.clone()];
                let mut found = Vec::new();
                loop {
                    let taken = next.lock().ok().and_then(|mut next| next.next());
                    let Some((index, (position, mut rng))) = taken else { return found };
                    found.push((index, one(position, &mut rng, &mut evaluators)));
                }
            };
            // Where the system has no more threads, fewer search.
            let others = (1..threads.min(positions.len())).map(|_| hexzero_system::threads::spawn_scoped(scope, work));
            let others: Vec<_> = others.map_while(Result::ok).collect();
            let mut found = work();
            for other in others {
                found.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            found
        });
        found.sort_unstable_by_key(|(index, _)| *index);
        found.into_iter().map(|(_, search)| search).collect()
    }

    /// Searches positions side by side with an evaluator in Python.
    fn with_python(
        &self,
        callable: Py<PyAny>,
        positions: &[Arc<Position>],
        fault: &Fault,
        rng: &mut GameRng,
    ) -> Vec<TreeSearch> {
        let mut judge = PythonJudge::new(callable, self.batch, fault.clone());
        let mut searches: Vec<TreeSearch> =
            positions.iter().map(|position| self.new_search(position, &fault.stop)).collect();
        TreeSearch::expand_roots(&mut searches, &mut judge);
        searches.iter_mut().for_each(|search| self.add_noise(search, rng));
        TreeSearch::run_together(&mut searches, &mut judge, &self.limits);
        searches
    }

    /// Searches positions of one board.
    pub fn search_all(&self, py: Python<'_>, positions: &[Arc<Position>], threads: usize) -> PyResult<Vec<TreeSearch>> {
        self.plays(common_board(positions)?.game())?;
        if let Some(index) = positions.iter().position(|position| position.outcome().is_some()) {
            let which = if positions.len() == 1 { "the state".to_owned() } else { format!("states[{index}]") };
            return Err(value_error(format_args!("{which} is over; there is nothing to search")));
        }
        let mut rng = self.next_rng();
        match &self.leaves {
            Leaves::Network(_, evaluator) => {
                interruptible(py, |stop| self.with_network(evaluator, positions, threads, stop, &mut rng))
            }
            Leaves::Python(callable) => {
                let fault = Fault::default();
                let callable = callable.clone_ref(py);
                let searches = py.detach(|| self.with_python(callable, positions, &fault, &mut rng));
                fault.check()?;
                Ok(searches)
            }
        }
    }

    /// Searches one position from a thread that is not attached to the interpreter. After an exception, which `fault` keeps,
    /// the search is cut short.
    pub fn search_one(&self, position: &Arc<Position>, fault: &Fault) -> Option<TreeSearch> {
        let mut rng = self.next_rng();
        let positions = std::slice::from_ref(position);
        let found = match &self.leaves {
            Leaves::Network(_, evaluator) => {
                self.with_network(evaluator, positions, self.threads, &fault.stop, &mut rng)
            }
            Leaves::Python(callable) => {
                let callable = Python::attach(|py| callable.clone_ref(py));
                self.with_python(callable, positions, fault, &mut rng)
            }
        };
        found.into_iter().next()
    }

    /// Returns true if its leaves are evaluated in Python.
    pub fn is_python(&self) -> bool {
        matches!(self.leaves, Leaves::Python(_))
    }

    /// Returns the same search with its randomness seeded anew.
    pub fn reseeded(&self, py: Python<'_>, seed: u64) -> Self {
        let leaves = match &self.leaves {
            Leaves::Network(network, evaluator) => Leaves::Network(network.clone_ref(py), evaluator.clone()),
            Leaves::Python(callable) => Leaves::Python(callable.clone_ref(py)),
        };
        let Self { settings, limits, threads, batch, noise, .. } = *self;
        Self { leaves, settings, limits, threads, batch, noise, rng: Mutex::new(GameRng::seed_from_u64(seed)) }
    }

    /// Checks that the search can play a game.
    pub fn plays(&self, game: Game) -> PyResult<()> {
        match &self.leaves {
            Leaves::Network(network, _) => network.get().check(game),
            Leaves::Python(_) => Ok(()),
        }
    }
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(signature = (evaluator, visits = None, *, time = None, threads = 1, batch = 8, noise = 0.0, concentration = 8.0,
                        seed = 0, **constants))]
    #[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
    fn new(
        evaluator: &Bound<'_, PyAny>,
        visits: Option<i64>,
        time: Option<f64>,
        threads: i64,
        batch: i64,
        noise: f32,
        concentration: f32,
        seed: u64,
        constants: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let options = options_of(constants)?;
        let leaves = match evaluator.cast::<Network>() {
            Ok(network) => {
                let fast = network.get().evaluator.clone().with_cache(CACHE);
                Leaves::Network(network.clone().unbind(), Box::new(fast))
            }
            Err(_) if evaluator.is_callable() => Leaves::Python(evaluator.clone().unbind()),
            Err(_) => {
                let kind = evaluator.get_type().name()?;
                let message = format!("the evaluator is of type '{kind}', expected a hexzero.Network or a callable");
                return Err(PyTypeError::new_err(message));
            }
        };
        if !(0.0..=1.0).contains(&noise) {
            return Err(value_error(format_args!("noise = {noise}; accepted: 0 to 1")));
        }
        if !(concentration > 0.0 && concentration <= 1e6) {
            return Err(value_error(format_args!("concentration = {concentration}; accepted: above 0, to 1000000")));
        }
        Ok(Self {
            leaves,
            settings: options.search,
            limits: limits_of(visits, time)?,
            threads: threads_or_cores(threads, MAX_THREADS)?,
            batch: in_range("batch", batch, 1..=MAX_BATCH)?,
            noise: RootNoise { fraction: noise, concentration, forced_playouts: 0.0 },
            rng: Mutex::new(GameRng::seed_from_u64(seed)),
        })
    }

    /// Searches a state that is not over. The same search gives the same result, unless it looks at the clock, uses several
    /// threads or has noise. Ctrl-C ends it.
    fn run(&self, py: Python<'_>, state: &Bound<'_, State>) -> PyResult<SearchResult> {
        let position = state.try_borrow()?.position.clone();
        let found = self.search_all(py, std::slice::from_ref(&position), self.threads)?;
        let missing = || value_error("nothing was searched");
        SearchResult::of(py, found.first().ok_or_else(missing)?)
    }

    /// Searches several states of one board. With a network each search has a thread of its own, `threads` of them at a
    /// time (0 for one on each core); with a callable the searches go on side by side and share batches.
    #[pyo3(signature = (states, *, threads = 0))]
    fn run_many(&self, py: Python<'_>, states: &Bound<'_, PyAny>, threads: i64) -> PyResult<Vec<SearchResult>> {
        let positions = positions_of(states)?;
        let threads = threads_or_cores(threads, MAX_THREADS)?.min(positions.len());
        let found = self.search_all(py, &positions, threads)?;
        found.iter().map(|search| SearchResult::of(py, search)).collect()
    }

    /// The limit on visits, if there is one.
    #[getter]
    fn visits(&self) -> Option<u32> {
        self.limits.visits
    }

    /// The limit on time in seconds, if there is one.
    #[getter]
    fn time(&self) -> Option<f64> {
        self.limits.time.map(|time| time.as_secs_f64())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let evaluator = match &self.leaves {
            Leaves::Network(network, _) => network.bind(py).repr()?.to_string(),
            Leaves::Python(callable) => callable.bind(py).repr()?.to_string(),
        };
        let visits = self.limits.visits.map_or(String::new(), |visits| format!(", visits={visits}"));
        let time = self.time().map_or(String::new(), |time| format!(", time={time}"));
        Ok(format!("Search({evaluator}{visits}{time})"))
    }
}
