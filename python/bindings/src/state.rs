//! A position of a game, with the moves that led to it.

use std::fmt::Display;
use std::sync::Arc;

use hexzero_games::{Action, Arrangement, GameBoard, Position, Seat, game_named};
use hexzero_replay::{GameForm, InterchangeGame, recorded_games};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use super::arrays::array;
use super::batches::inputs_of;
use super::errors::{IllegalMove, illegal, value_error};
use super::game::{Game, board_of};

/// A position of a game, with the moves that led to it.
///
/// Args:
///     game: the name of a game.
///     size: the board's size, by default the one that the game offers first.
///     moves: moves to play, separated by spaces.
///
/// Raises:
///     ValueError: if there is no such game or size.
///     IllegalMove: if a move cannot be played.
#[pyclass(module = "hexzero")]
#[derive(Clone)]
pub struct State {
    pub position: Arc<Position>,
    /// The start of the game, if not an empty board.
    pub setup: Option<Arrangement>,
    pub actions: Vec<Action>,
}

/// Reads an action, as a number or by name; it may not be legal.
pub fn read_action(position: &Position, action: &Bound<'_, PyAny>) -> PyResult<Action> {
    if let Ok(text) = action.cast::<PyString>() {
        return position.parse_action(&text.to_cow()?).map_err(illegal);
    }
    match action.extract::<i64>() {
        Ok(number) => number_in_range(position, number),
        Err(error) if error.is_instance_of::<PyOverflowError>(action.py()) => Err(no_action(position, action)),
        Err(_) => {
            let kind = action.get_type().name()?;
            Err(PyTypeError::new_err(format!("an action is a number or a text, not of type '{kind}'")))
        }
    }
}

fn no_action(position: &Position, number: impl Display) -> PyErr {
    let actions = position.actions();
    IllegalMove::new_err(format!("there is no action number {number}; this board has {actions} actions"))
}

fn number_in_range(position: &Position, number: i64) -> PyResult<Action> {
    let actions = position.actions();
    let fits = u16::try_from(number).ok().filter(|&number| usize::from(number) < actions);
    fits.map(Action).ok_or_else(|| no_action(position, number))
}

impl State {
    /// Returns the start of a game.
    pub fn start(on: &GameBoard) -> PyResult<Self> {
        let position = on.game().start(on.size()).map_err(value_error)?;
        Ok(Self { position: Arc::new(position), setup: None, actions: Vec::new() })
    }

    /// Plays moves on the position, all or none.
    fn play_all<'py>(&mut self, moves: impl IntoIterator<Item = Bound<'py, PyAny>>) -> PyResult<()> {
        let mut next: Option<Position> = None;
        let mut played = Vec::new();
        for item in moves {
            // A text may hold several moves.
            let items: Vec<Bound<'py, PyAny>> = match item.cast::<PyString>() {
                Ok(text) => {
                    text.to_cow()?.split_whitespace().map(|word| PyString::new(item.py(), word).into_any()).collect()
                }
                Err(_) => vec![item.clone()],
            };
            for item in items {
                let position = next.get_or_insert_with(|| (*self.position).clone());
                let action = read_action(position, &item)?;
                position.try_play(action).map_err(|error| {
                    let text = item.cast::<PyString>().ok().map(|text| format!("'{text}'"));
                    let text = text.unwrap_or_else(|| format!("(action {})", action.0));
                    IllegalMove::new_err(format!("move {} {text}: {error}", position.turns() + 1))
                })?;
                played.push(action);
            }
        }
        if let Some(next) = next {
            self.position = Arc::new(next);
            self.actions.extend(played);
        }
        Ok(())
    }

    /// Returns the record of the game so far.
    fn record(&self) -> InterchangeGame {
        InterchangeGame { setup: self.setup.clone(), ..InterchangeGame::new(&self.position, &self.actions) }
    }

    fn of_record(record: &InterchangeGame) -> PyResult<Self> {
        let game = game_named(&record.game).map_err(value_error)?;
        let mut position = game.start_from(record.size, record.setup.as_ref()).map_err(value_error)?;
        let mut actions = Vec::with_capacity(record.moves.len());
        for (number, text) in record.moves.iter().enumerate() {
            let played = position.play_named(text);
            let refused = |error| IllegalMove::new_err(format!("move {} '{text}': {error}", number + 1));
            actions.push(played.map_err(refused)?);
        }
        Ok(Self { position: Arc::new(position), setup: record.setup.clone(), actions })
    }
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (game = "cachex", size = None, moves = ""))]
    fn new(py: Python<'_>, game: &str, size: Option<i64>, moves: &str) -> PyResult<Self> {
        let mut state = Self::start(board_of(game_named(game).map_err(value_error)?, size)?)?;
        state.play_all([PyString::new(py, moves).into_any()])?;
        Ok(state)
    }

    /// Reads the first game of a text: a line of JSON as `to_json` writes it, SGF, or an address of HexWorld.
    ///
    /// Raises:
    ///     ValueError: if the text holds no game, or one that cannot be played.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        Self::from_record(text)
    }

    /// Reads the first game of an SGF text: its main line.
    ///
    /// Raises:
    ///     ValueError: if the text holds no game, or one that cannot be played.
    #[staticmethod]
    fn from_sgf(text: &str) -> PyResult<Self> {
        Self::from_record(text)
    }

    /// Returns the game so far as a line of JSON: `{"game":"hex","size":5,"moves":["a1"]}`.
    fn to_json(&self) -> String {
        self.record().to_line()
    }

    /// Returns the game so far as SGF.
    fn to_sgf(&self) -> PyResult<String> {
        let line = self.record().to_line();
        let mut written = hexzero_replay::rewritten(line.as_bytes(), GameForm::Sgf);
        written.next().unwrap_or_else(|| Ok(String::new())).map_err(value_error)
    }

    /// The game and its board.
    #[getter]
    fn game(&self) -> Game {
        Game { on: self.position.game_board() }
    }

    /// The player to move, 0 or 1. Not defined once the game is over.
    #[getter]
    fn to_play(&self) -> usize {
        self.position.to_move().index()
    }

    /// The number of plies played.
    #[getter]
    fn plies(&self) -> usize {
        self.actions.len()
    }

    /// The actions played, by number.
    #[getter]
    fn actions(&self) -> Vec<u16> {
        self.actions.iter().map(|action| action.0).collect()
    }

    /// The actions played, by name.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.record().moves
    }

    /// True if the game is over.
    #[getter]
    fn is_terminal(&self) -> bool {
        self.position.outcome().is_some()
    }

    /// The winner, 0 or 1; None after a draw and while the game goes on.
    #[getter]
    fn winner(&self) -> Option<usize> {
        self.position.outcome()?.winner.map(Seat::index)
    }

    /// The reason of the end, such as `"connection"`; None while it goes on.
    #[getter]
    fn ending(&self) -> Option<&'static str> {
        self.position.outcome().map(|outcome| self.position.game().info().ending_key(outcome.reason))
    }

    /// Returns the results of both players, float32 `[2]`: 1, 0 or -1; zeros while the game goes on.
    fn returns(&self, py: Python<'_>) -> Py<PyArray1<f32>> {
        let value = |seat| self.position.outcome().map_or(0.0, |outcome| outcome.value_for(seat));
        PyArray1::from_vec(py, Seat::BOTH.map(value).to_vec()).unbind()
    }

    /// Returns the numbers of the legal actions, int64, in ascending order; none once the game is over.
    fn legal_actions(&self, py: Python<'_>) -> Py<PyArray1<i64>> {
        let actions = self.position.legal().iter().map(|action| action.0.into()).collect();
        PyArray1::from_vec(py, actions).unbind()
    }

    /// Returns which actions are legal, bool `[actions]`.
    fn legal_mask(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        let mut mask = vec![false; self.position.actions()];
        self.position.legal().iter().for_each(|action| mask[action.index()] = true);
        PyArray1::from_vec(py, mask).unbind()
    }

    /// Returns the names of the legal actions, in the order of `legal_actions`.
    fn legal_moves(&self) -> Vec<String> {
        self.position.legal().iter().map(|&action| self.position.action_name(action)).collect()
    }

    /// Plays moves, all or none. A move is an action's number or its name; a text may hold several names.
    ///
    /// Raises:
    ///     IllegalMove: if one cannot be played; the position is then unchanged.
    #[pyo3(signature = (*moves))]
    fn play(&mut self, moves: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.play_all(moves.iter())
    }

    /// Returns the state after these moves and leaves this one as it is; see `play`.
    ///
    /// Raises:
    ///     IllegalMove: if one cannot be played.
    #[pyo3(signature = (*moves))]
    fn apply(&self, moves: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let mut next = self.clone();
        next.play_all(moves.iter())?;
        Ok(next)
    }

    /// Takes back the last plies.
    ///
    /// Raises:
    ///     ValueError: if fewer were played, or the number is negative.
    #[pyo3(signature = (plies = 1))]
    fn undo(&mut self, plies: i64) -> PyResult<()> {
        let left = usize::try_from(plies).ok().and_then(|plies| self.actions.len().checked_sub(plies));
        let Some(left) = left else {
            let played = self.actions.len();
            return Err(value_error(format_args!("cannot take back {plies} plies; {played} were played")));
        };
        let mut position =
            self.position.game().start_from(self.position.size(), self.setup.as_ref()).map_err(value_error)?;
        self.actions[..left].iter().for_each(|&action| position.play(action));
        self.actions.truncate(left);
        self.position = Arc::new(position);
        Ok(())
    }

    /// Returns a copy, which costs little.
    fn copy(&self) -> Self {
        self.clone()
    }

    /// Returns the number of the action that a text names, legal or not.
    ///
    /// Raises:
    ///     IllegalMove: if the text names none.
    fn action(&self, text: &str) -> PyResult<u16> {
        Ok(self.position.parse_action(text).map_err(illegal)?.0)
    }

    /// Returns the name of an action by its number.
    ///
    /// Raises:
    ///     IllegalMove: if there is no such action.
    fn action_name(&self, action: i64) -> PyResult<String> {
        let known = number_in_range(&self.position, action)?;
        let name = self.position.action_name(known);
        // Some numbers are slots of the network's output without a place on the board.
        match self.position.parse_action(&name) {
            Ok(read) if read == known => Ok(name),
            _ => Err(IllegalMove::new_err(format!("number {action} is no action of this board"))),
        }
    }

    /// The number in the mover's frame of each action of the board, int64 `[actions]`.
    ///
    /// A network's output becomes one of the board by `policy[state.frame]`; a target becomes one for the network by
    /// `target[state.frame] = policy`.
    #[getter]
    fn frame(&self, py: Python<'_>) -> Py<PyArray1<i64>> {
        let frame = self.position.frame().actions.forward();
        PyArray1::from_vec(py, frame.iter().map(|&to| i64::from(to)).collect()).unbind()
    }

    /// Returns the network's inputs in the mover's frame: planes, float32 `[planes, cells]`, and globals, float32
    /// `[globals]`. `Game.plane_names` and `Game.global_names` name them.
    fn encode(&self, py: Python<'_>) -> PyResult<(Py<PyArray2<f32>>, Py<PyArray1<f32>>)> {
        let on = self.position.game_board();
        let (planes, globals) = inputs_of(on, std::iter::once(&*self.position));
        let planes = array(py, planes, [on.game().info().view.cell_inputs, on.cells()])?;
        Ok((planes, PyArray1::from_vec(py, globals).unbind()))
    }

    fn __str__(&self) -> String {
        self.position.drawing(None)
    }

    fn __repr__(&self) -> String {
        let (name, size) = (self.position.game().name(), self.position.size());
        match &self.setup {
            Some(_) => format!("State.from_json('{}')", self.to_json()),
            None => format!("State(\"{name}\", size={size}, moves=\"{}\")", self.moves().join(" ")),
        }
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game() == other.game() && self.setup == other.setup && self.actions == other.actions
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let make = slf.get_type().getattr("from_json")?;
        let line = slf.try_borrow()?.to_json();
        (make, (line,)).into_pyobject(slf.py())
    }
}

impl State {
    /// Plays an action that is legal. Returns whether the game is over.
    pub fn play_legal(&mut self, action: Action) -> bool {
        // States share a position until one of them moves on.
        Arc::make_mut(&mut self.position).play(action);
        self.actions.push(action);
        self.position.outcome().is_some()
    }

    /// Reads the first game of a text in any of the forms that the program reads.
    fn from_record(text: &str) -> PyResult<Self> {
        let first = recorded_games(text.as_bytes()).next();
        let (_, game) = first.ok_or_else(|| value_error("the text holds no game"))?.map_err(value_error)?;
        let line = game.rewritten(GameForm::JsonLine).map_err(value_error)?;
        Self::of_record(&serde_json::from_str(&line).map_err(value_error)?)
    }
}
