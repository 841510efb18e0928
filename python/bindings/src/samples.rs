//! Training positions as arrays.

use hexzero_games::{GameBoard, game_named};
use hexzero_selfplay::shards::{GameRecord, Shard};
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::arrays::{array, encode_into};
use super::errors::value_error;
use super::game::Game;

/// Training positions on one board: inputs and targets, a row each, in the frame of the player to move. Positions whose search
/// was a cheap one have no policy target and are left out, as are random moves of the opening.
#[pyclass(module = "hexzero", frozen, get_all)]
pub struct Samples {
    /// The game and its board.
    board: Game,
    /// Inputs of the cells, float32 `[positions, planes, cells]`.
    planes: Py<PyArray3<f32>>,
    /// Inputs of the whole positions, float32 `[positions, globals]`.
    globals: Py<PyArray2<f32>>,
    /// The legal actions, in the mover's frame, bool `[positions, actions]`.
    legal: Py<PyArray2<bool>>,
    /// The policy that the search found, in the mover's frame, float32 `[positions, actions]`: probabilities.
    policy: Py<PyArray2<f32>>,
    /// The result of the game to the mover, float32 `[positions]`: 1, 0 or -1.
    value: Py<PyArray1<f32>>,
    /// The value that the search found, to the mover, float32 `[positions]`, from -1 to 1.
    search_value: Py<PyArray1<f32>>,
    /// The number of the game in its shard, from 0, int64 `[positions]`.
    game: Py<PyArray1<i64>>,
    /// The plies before the position, int64 `[positions]`.
    ply: Py<PyArray1<i64>>,
}

/// The values of [`Samples`], row after row.
#[derive(Default)]
struct Rows {
    planes: Vec<f32>,
    globals: Vec<f32>,
    legal: Vec<bool>,
    policy: Vec<f32>,
    value: Vec<f32>,
    search_value: Vec<f32>,
    game: Vec<i64>,
    ply: Vec<i64>,
}

impl Rows {
    /// Adds the positions of a game whose searches are policy targets.
    fn add(&mut self, on: &GameBoard, number: usize, record: &GameRecord) -> PyResult<()> {
        let view = &on.game().info().view;
        let mut position = on.game().start(on.size()).map_err(value_error)?;
        let mut scratch = Vec::new();
        for (turn, played) in record.turns.iter().enumerate() {
            let wrong = |error| value_error(format_args!("game {number}, move {}: {error}", turn + 1));
            if let (Some(weights), Some(search)) = (record.policy(turn), &played.search) {
                let row = self.value.len();
                self.planes.resize((row + 1) * view.cell_inputs * on.cells(), 0.0);
                self.globals.resize((row + 1) * view.global_inputs, 0.0);
                let planes = &mut self.planes[row * view.cell_inputs * on.cells()..];
                encode_into(&position, &mut scratch, planes, &mut self.globals[row * view.global_inputs..]);
                self.legal.resize((row + 1) * on.actions(), false);
                let legal = &mut self.legal[row * on.actions()..];
                position.legal().iter().for_each(|&action| legal[position.network_action(action, 0)] = true);
                self.policy.resize((row + 1) * on.actions(), 0.0);
                let policy = &mut self.policy[row * on.actions()..];
                let sum: f32 = weights.iter().map(|&(_, weight)| weight as f32).sum();
                for &(action, weight) in weights {
                    position.check(action).map_err(wrong)?;
                    policy[position.network_action(action, 0)] = weight as f32 / sum;
                }
                self.value.push(record.outcome.value_for(position.to_move()));
                self.search_value.push(search.outcome.value());
                self.game.push(number as i64);
                self.ply.push(turn as i64);
            }
            position.try_play(played.action).map_err(wrong)?;
        }
        Ok(())
    }
}

/// The sizes of the boards in a shard, in ascending order.
pub fn sizes_of(shard: &Shard) -> Vec<usize> {
    let mut sizes: Vec<usize> = shard.records.iter().map(|record| record.size.into()).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

impl Samples {
    /// Makes arrays of the games of a shard on boards of one size.
    pub fn of(py: Python<'_>, shard: &Shard, size: usize) -> PyResult<Self> {
        let on = game_named(&shard.game).map_err(value_error)?.game_board(size).map_err(value_error)?;
        let view = &on.game().info().view;
        let rows = py.detach(|| {
            let mut rows = Rows::default();
            let games = shard.records.iter().enumerate().filter(|(_, record)| usize::from(record.size) == size);
            for (number, record) in games {
                rows.add(on, number, record)?;
            }
            PyResult::Ok(rows)
        })?;
        let (count, actions) = (rows.value.len(), on.actions());
        Ok(Self {
            board: Game { on },
            planes: array(py, rows.planes, [count, view.cell_inputs, on.cells()])?,
            globals: array(py, rows.globals, [count, view.global_inputs])?,
            legal: array(py, rows.legal, [count, actions])?,
            policy: array(py, rows.policy, [count, actions])?,
            value: array(py, rows.value, [count])?,
            search_value: array(py, rows.search_value, [count])?,
            game: array(py, rows.game, [count])?,
            ply: array(py, rows.ply, [count])?,
        })
    }
}

#[pymethods]
impl Samples {
    /// Returns the arrays by name.
    fn as_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(slf.py());
        for name in ["planes", "globals", "legal", "policy", "value", "search_value", "game", "ply"] {
            arrays.set_item(name, slf.getattr(name)?)?;
        }
        Ok(arrays)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.value.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (name, size) = (self.board.on.game().name(), self.board.on.size());
        Ok(format!("<hexzero.Samples of {name}, size {size}: {} positions>", self.__len__(py)?))
    }
}
