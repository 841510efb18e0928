//! An evaluator written in Python, for the library's searches.

use std::sync::{Arc, Mutex, PoisonError};

use hexzero_games::{BatchEvaluator, Evaluation, GameBoard, Query, WinDrawLoss};
use hexzero_system::stop::StopSignal;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::arrays::floats;
use super::batches::{input_arrays, inputs_of};
use super::errors::value_error;

/// Lower logits are raised to this, so that minus infinity is accepted for actions to leave out.
const MIN_LOGIT: f32 = -1e9;
/// Rounding may take a value this far past a win or a loss.
const SLACK: f32 = 1e-3;

/// The first exception of some work, and the signal that ends the work.
#[derive(Debug, Clone, Default)]
pub struct Fault {
    exception: Arc<Mutex<Option<PyErr>>>,
    pub stop: StopSignal,
}

impl Fault {
    /// Keeps an exception, if it is the first, and requests the stop.
    pub fn keep(&self, exception: PyErr) {
        self.exception.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(exception);
        self.stop.request();
    }

    pub fn has_happened(&self) -> bool {
        self.exception.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Returns the exception as an error, if there was one.
    pub fn check(&self) -> PyResult<()> {
        self.exception.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

/// Asks a Python callable for evaluations: `callable(planes, globals) -> (policy, value)`.
///
/// Searches cannot fail: after an exception all evaluations are even, and [`Fault::check`] returns the exception.
pub struct PythonJudge {
    callable: Py<PyAny>,
    batch: usize,
    fault: Fault,
}

impl PythonJudge {
    pub fn new(callable: Py<PyAny>, batch: usize, fault: Fault) -> Self {
        Self { callable, batch, fault }
    }

    fn ask(&self, queries: &[Query<'_>]) -> PyResult<Vec<Evaluation>> {
        let Some(first) = queries.first() else { return Ok(Vec::new()) };
        let on = first.position.game_board();
        let inputs = inputs_of(on, queries.iter().map(|query| query.position));
        Python::attach(|py| {
            py.check_signals()?;
            let (planes, globals) = input_arrays(py, on, queries.len(), inputs)?;
            let answer = self.callable.bind(py).call1((planes, globals))?;
            let Ok((policy, value)) = answer.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() else {
                let kind = answer.get_type().name()?;
                let message =
                    format!("the evaluator returned a value of type '{kind}', expected a pair (policy, value)");
                return Err(PyTypeError::new_err(message));
            };
            evaluations(on, queries, &policy, &value)
        })
    }
}

/// Converts an answer: logits of all actions in the mover's frame, and values or chances of the movers.
fn evaluations(
    on: &GameBoard,
    queries: &[Query<'_>],
    policy: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
) -> PyResult<Vec<Evaluation>> {
    let (shape, mut logits) = floats(policy, "the evaluator's policy")?;
    let expected = [queries.len(), on.actions()];
    if shape != expected {
        return Err(value_error(format_args!(
            "the evaluator returned a policy of shape {shape:?}, expected {expected:?}: logits of all actions, a row a state"
        )));
    }
    if logits.iter().any(|logit| logit.is_nan() || *logit == f32::INFINITY) {
        return Err(value_error("the evaluator returned a policy with values that are not numbers or infinite"));
    }
    logits.iter_mut().for_each(|logit| *logit = logit.max(MIN_LOGIT));
    let outcomes = outcomes(queries.len(), value)?;
    let rows = queries.iter().zip(logits.chunks_exact(on.actions())).zip(outcomes);
    Ok(rows
        .map(|((query, logits), outcome)| Evaluation {
            outcome,
            ..Evaluation::from_logits(query.position, query.legal, logits, &[0.0; 3])
        })
        .collect())
}

fn outcomes(states: usize, value: &Bound<'_, PyAny>) -> PyResult<Vec<WinDrawLoss>> {
    let (shape, values) = floats(value, "the evaluator's value")?;
    if shape == [states] || shape == [states, 1] {
        if let Some(wrong) = values.iter().find(|value| value.is_nan() || value.abs() > 1.0 + SLACK) {
            return Err(value_error(format_args!("the evaluator returned a value of {wrong}; accepted: -1 to 1")));
        }
        let outcome = |&value: &f32| {
            let win = f32::midpoint(1.0, value.clamp(-1.0, 1.0));
            WinDrawLoss { win, draw: 0.0, loss: 1.0 - win }
        };
        return Ok(values.iter().map(outcome).collect());
    }
    if shape == [states, 3] {
        return values.chunks_exact(3).map(chances).collect();
    }
    Err(value_error(format_args!(
        "the evaluator returned a value of shape {shape:?}, expected [{states}] (values from -1 to 1) or [{states}, 3] \
         (chances of win, draw and loss)"
    )))
}

fn chances(row: &[f32]) -> PyResult<WinDrawLoss> {
    let sum: f32 = row.iter().sum();
    if row.iter().any(|chance| chance.is_nan() || *chance < 0.0) || (sum - 1.0).abs() > SLACK {
        return Err(value_error(format_args!(
            "the evaluator returned chances {row:?}; accepted: win, draw and loss, none negative, that add up to 1"
        )));
    }
    Ok(WinDrawLoss { win: row[0] / sum, draw: row[1] / sum, loss: row[2] / sum })
}

impl BatchEvaluator for PythonJudge {
    fn batch(&self) -> usize {
        self.batch
    }

    fn evaluate_batch(&mut self, queries: &[Query<'_>]) -> Vec<Evaluation> {
        let answer =
            if self.fault.has_happened() { None } else { self.ask(queries).map_err(|e| self.fault.keep(e)).ok() };
        let even = || queries.iter().map(|query| Evaluation::uniform(query.legal.len())).collect();
        answer.unwrap_or_else(even)
    }
}
