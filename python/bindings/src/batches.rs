//! Several states of one board at a time.

use std::sync::Arc;

use hexzero_games::{Action, GameBoard, Position};
use numpy::{PyArray1, PyArray2, PyArray3, PyReadonlyArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::arrays::{array, encode_into};
use super::errors::{IllegalMove, value_error};
use super::state::State;

/// Returns the positions of a sequence of states.
pub fn positions_of(states: &Bound<'_, PyAny>) -> PyResult<Vec<Arc<Position>>> {
    if states.is_instance_of::<State>() {
        return Err(PyTypeError::new_err("give a list of states, such as [state], not a single one"));
    }
    let mut positions = Vec::new();
    for (index, state) in states.try_iter()?.enumerate() {
        let state = state?;
        let Ok(state) = state.cast::<State>() else {
            let kind = state.get_type().name()?;
            return Err(PyTypeError::new_err(format!("states[{index}] is not a hexzero.State but of type '{kind}'")));
        };
        positions.push(state.try_borrow()?.position.clone());
    }
    Ok(positions)
}

/// Returns the board that all of these are on: a batch has arrays of one shape.
pub fn common_board(positions: &[Arc<Position>]) -> PyResult<&'static GameBoard> {
    let Some(first) = positions.first() else {
        return Err(value_error("there are no states; give at least one"));
    };
    let name = |position: &Position| format!("{} of size {}", position.game().name(), position.size());
    let other = positions
        .iter()
        .position(|other| other.game().info().network != first.game().info().network || other.size() != first.size());
    match other {
        None => Ok(first.game_board()),
        Some(index) => Err(value_error(format_args!(
            "states[{index}] is {}, but states[0] is {}; a batch has one board",
            name(&positions[index]),
            name(first)
        ))),
    }
}

/// Returns the inputs of several positions: `[states × planes × cells]` and `[states × globals]`.
pub fn inputs_of<'a>(on: &GameBoard, positions: impl ExactSizeIterator<Item = &'a Position>) -> (Vec<f32>, Vec<f32>) {
    let view = &on.game().info().view;
    let (width, globals) = (view.cell_inputs * on.cells(), view.global_inputs);
    let mut arrays = (vec![0.0; positions.len() * width], vec![0.0; positions.len() * globals]);
    let mut scratch = Vec::new();
    let rows = arrays.0.chunks_exact_mut(width).zip(arrays.1.chunks_exact_mut(globals));
    for (position, (planes, globals)) in positions.zip(rows) {
        encode_into(position, &mut scratch, planes, globals);
    }
    arrays
}

/// Planes `[states, planes, cells]` and globals `[states, globals]`.
pub type Inputs = (Py<PyArray3<f32>>, Py<PyArray2<f32>>);

/// Makes arrays of the inputs of several positions.
pub fn input_arrays(
    py: Python<'_>,
    on: &GameBoard,
    states: usize,
    (planes, globals): (Vec<f32>, Vec<f32>),
) -> PyResult<Inputs> {
    let view = &on.game().info().view;
    let planes = array(py, planes, [states, view.cell_inputs, on.cells()])?;
    Ok((planes, array(py, globals, [states, view.global_inputs])?))
}

/// Returns the network's inputs of several states of one board, in the movers' frames: planes, float32 `[states, planes, cells]`,
/// and globals, float32 `[states, globals]`.
///
/// Raises:
///     ValueError: if the states are not all of one board, or there are none.
#[pyfunction]
pub fn encode(py: Python<'_>, states: &Bound<'_, PyAny>) -> PyResult<Inputs> {
    let positions = positions_of(states)?;
    let on = common_board(&positions)?;
    let inputs = py.detach(|| inputs_of(on, positions.iter().map(|position| &**position)));
    input_arrays(py, on, positions.len(), inputs)
}

/// Returns which actions are legal, int8 `[states, actions]` in the movers' frames, 1 for each that is; none once a game is over.
///
/// Raises:
///     ValueError: if the states are not all of one board, or there are none.
#[pyfunction]
pub fn legal_masks(py: Python<'_>, states: &Bound<'_, PyAny>) -> PyResult<Py<PyArray2<i8>>> {
    let positions = positions_of(states)?;
    let actions = common_board(&positions)?.actions();
    let mut masks = vec![0; positions.len() * actions];
    let mut legal = Vec::new();
    for (position, mask) in positions.iter().zip(masks.chunks_exact_mut(actions)) {
        position.legal_actions(&mut legal);
        let frame = position.frame().actions.forward();
        legal.iter().for_each(|action| mask[usize::from(frame[action.index()])] = 1);
    }
    array(py, masks, [positions.len(), actions])
}

/// Plays an action in each state, int64 `[states]`, by its number in the mover's frame. Returns which games are over, bool
/// `[states]`.
///
/// Raises:
///     IllegalMove: if one cannot be played; no state has then changed.
///     ValueError: if there are not as many actions as states, or a state is there twice.
#[pyfunction]
pub fn play_each(
    py: Python<'_>,
    states: Vec<Bound<'_, State>>,
    actions: PyReadonlyArray1<'_, i64>,
) -> PyResult<Py<PyArray1<bool>>> {
    let actions = actions.as_array();
    if states.len() != actions.len() {
        return Err(value_error(format_args!("{} actions for {} states", actions.len(), states.len())));
    }
    let mut distinct: Vec<_> = states.iter().map(|state| state.as_ptr()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() < states.len() {
        return Err(value_error("a state is in the list twice; give copies of it"));
    }
    let mut chosen = Vec::with_capacity(states.len());
    for (index, (state, &number)) in states.iter().zip(&actions).enumerate() {
        let position = &state.try_borrow()?.position;
        let refused =
            |why: &dyn std::fmt::Display| IllegalMove::new_err(format!("action {number} of game {index}: {why}"));
        let back = position.frame().actions.inverse();
        let Some(&action) = usize::try_from(number).ok().and_then(|number| back.get(number)) else {
            return Err(refused(&format_args!("there are {} actions", back.len())));
        };
        position.check(Action(action)).map_err(|error| refused(&error))?;
        chosen.push(Action(action));
    }
    let mut over = Vec::with_capacity(states.len());
    for (state, action) in states.iter().zip(chosen) {
        over.push(state.try_borrow_mut()?.play_legal(action));
    }
    Ok(PyArray1::from_vec(py, over).unbind())
}
