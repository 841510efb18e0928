//! A game on a board of one size.

use std::hash::{Hash, Hasher};

use hexzero_board::{Permutation, Shape};
use hexzero_games::{self as rules, GameBoard, Seat, Transform, game_named};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::arrays::array;
use super::errors::value_error;
use super::state::State;

/// A game on a board of one size: names, shapes and symmetries.
///
/// Args:
///     name: the name of a game, one of `hexzero.games()`.
///     size: the board's size, by default the one that the game offers first.
///
/// Raises:
///     ValueError: if there is no such game, or it is not played on such a board.
#[pyclass(module = "hexzero", frozen, eq, hash)]
#[derive(Clone, Copy)]
pub struct Game {
    pub on: &'static GameBoard,
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.on.game() == other.on.game() && self.on.size() == other.on.size()
    }
}

impl Hash for Game {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.on.game().name(), self.on.size()).hash(state);
    }
}

/// A game, or the name of one.
#[derive(FromPyObject)]
pub enum GameName<'py> {
    Game(PyRef<'py, Game>),
    Name(String),
}

impl GameName<'_> {
    pub fn rules(&self) -> PyResult<rules::Game> {
        match self {
            Self::Game(game) => Ok(game.on.game()),
            Self::Name(name) => game_named(name).map_err(value_error),
        }
    }

    /// Returns the game on a board of this size; by default the game's own board or, for a name, the size that is offered
    /// first.
    pub fn game_board(&self, size: Option<i64>) -> PyResult<&'static GameBoard> {
        match (size, self) {
            (None, Self::Game(game)) => Ok(game.on),
            _ => board_of(self.rules()?, size),
        }
    }
}

/// Returns a game on a board of this size, by default the size that is offered first.
pub fn board_of(rules: rules::Game, size: Option<i64>) -> PyResult<&'static GameBoard> {
    let size = match size {
        None => rules.boards.default,
        Some(size) => usize::try_from(size).map_err(|_| {
            let (name, first, last) = (rules.name(), rules.boards.sizes.start(), rules.boards.sizes.end());
            value_error(format_args!("{name} is played on boards of size {first} to {last}, not {size}"))
        })?,
    };
    rules.game_board(size).map_err(value_error)
}

/// Lists the names of all games; the first is the default.
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    rules::game_names()
}

/// Returns one part of each of a board's symmetries as index arrays: `new = old[..., index]`.
fn gathers(
    py: Python<'_>,
    symmetries: &[Transform],
    part: impl Fn(&Transform) -> &Permutation,
) -> PyResult<Py<PyArray2<i64>>> {
    let rows: Vec<i64> =
        symmetries.iter().flat_map(|symmetry| part(symmetry).inverse()).map(|&from| from.into()).collect();
    let width = rows.len() / symmetries.len().max(1);
    array(py, rows, [symmetries.len(), width])
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (name = "cachex", size = None))]
    fn new(name: &str, size: Option<i64>) -> PyResult<Self> {
        Ok(Self { on: board_of(game_named(name).map_err(value_error)?, size)? })
    }

    /// The game's name in files and on the command line, such as `"cachex"`.
    #[getter]
    fn name(&self) -> &'static str {
        self.on.game().name()
    }

    /// The game's name in running text.
    #[getter]
    fn title(&self) -> &'static str {
        self.on.game().info().title
    }

    /// The name of the game whose networks play this one: another's for a variant, such as one without a swap.
    #[getter]
    fn network(&self) -> &'static str {
        self.on.game().info().network
    }

    /// The board's size.
    #[getter]
    fn size(&self) -> usize {
        self.on.size()
    }

    /// The smallest and the largest size that the rules allow.
    #[getter]
    fn sizes(&self) -> (usize, usize) {
        let sizes = &self.on.game().info().boards.sizes;
        (*sizes.start(), *sizes.end())
    }

    /// The names of the first and the second player.
    #[getter]
    fn players(&self) -> (&'static str, &'static str) {
        let [first, second] = Seat::BOTH.map(|seat| self.on.game().seat_name(seat));
        (first, second)
    }

    /// The number of cells that a network sees.
    #[getter]
    fn num_cells(&self) -> usize {
        self.on.cells()
    }

    /// The number of actions, legal or not: `policy_planes * num_cells`, then the global actions.
    #[getter]
    fn num_actions(&self) -> usize {
        self.on.actions()
    }

    /// The turn limit, in plies.
    #[getter]
    fn max_plies(&self) -> usize {
        self.on.turn_limit()
    }

    /// The names of the input planes, in order.
    #[getter]
    fn plane_names(&self) -> Vec<&'static str> {
        self.on.game().info().cell_inputs.to_vec()
    }

    /// The names of the inputs that belong to the whole position, in order.
    #[getter]
    fn global_names(&self) -> Vec<&'static str> {
        self.on.game().info().global_inputs.to_vec()
    }

    /// The number of input planes.
    #[getter]
    fn num_planes(&self) -> usize {
        self.on.game().info().view.cell_inputs
    }

    /// The number of inputs that belong to the whole position.
    #[getter]
    fn num_globals(&self) -> usize {
        self.on.game().info().view.global_inputs
    }

    /// The number of actions on each cell.
    #[getter]
    fn policy_planes(&self) -> usize {
        self.on.game().info().view.policy_planes
    }

    /// The names of the actions that belong to no cell, such as a swap; they have the last numbers.
    #[getter]
    fn global_actions(&self) -> Vec<&'static str> {
        self.on.game().info().action_words()
    }

    /// Rows and columns of a board that has them, cell `row * columns + column`; None for boards of other shapes.
    #[getter]
    fn grid(&self) -> Option<(usize, usize)> {
        match self.on.board().shape() {
            Shape::Rhombus { side } | Shape::Torus { side } => Some((*side, *side)),
            _ => None,
        }
    }

    /// Returns the neighbours of each cell, int64 `[cells, 6]`, always in the same order of directions; -1 off the board.
    fn neighbours(&self, py: Python<'_>) -> PyResult<Py<PyArray2<i64>>> {
        let cells = self.on.cells();
        let slots = self.on.board().topology().neighbours().iter().flatten();
        // Marks of missing neighbours are larger than any cell.
        let numbers = slots.map(|&cell| if usize::from(cell) < cells { i64::from(cell) } else { -1 }).collect();
        array(py, numbers, [cells, 6])
    }

    /// Returns the symmetries of the mover's frame that keep the rules, the identity first, as a dictionary of
    /// int64 index arrays with a row for each symmetry: `cells`, `planes`, `globals` and `actions`.
    ///
    /// To turn a batch by symmetry `s`:
    /// `planes[:, planes_s][:, :, cells_s]`, `globals[:, globals_s]`, `policy[:, actions_s]`.
    fn symmetries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let symmetries = self.on.symmetries();
        let parts = PyDict::new(py);
        parts.set_item("cells", gathers(py, symmetries, |symmetry| &symmetry.cells)?)?;
        parts.set_item("planes", gathers(py, symmetries, |symmetry| &symmetry.inputs)?)?;
        parts.set_item("globals", gathers(py, symmetries, |symmetry| &symmetry.globals)?)?;
        parts.set_item("actions", gathers(py, symmetries, |symmetry| &symmetry.actions)?)?;
        Ok(parts)
    }

    /// Returns the start of a game.
    fn start(&self) -> PyResult<State> {
        State::start(self.on)
    }

    fn __repr__(&self) -> String {
        format!("Game(\"{}\", size={})", self.on.game().name(), self.on.size())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { on } = slf.get();
        (slf.get_type(), (on.game().name(), on.size())).into_pyobject(slf.py())
    }
}
