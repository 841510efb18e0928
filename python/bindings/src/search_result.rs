//! The result of a search.

use hexzero_search::Search as TreeSearch;
use numpy::PyArray1;
use pyo3::prelude::*;

use super::arrays::array;
use super::errors::value_error;

/// The result of a search. Actions have their numbers on the board; arrays over actions have all of them, legal or not.
#[pyclass(module = "hexzero", frozen, get_all)]
pub struct SearchResult {
    /// The policy to learn or to draw moves from, float32 `[actions]`: shares of the visits, without proven losses; a
    /// proven win has all.
    policy: Py<PyArray1<f32>>,
    /// Visits of each move, int64 `[actions]`.
    visits: Py<PyArray1<i64>>,
    /// The evaluator's priors, noise included, kept to one part in 4096: float32 `[actions]`.
    priors: Py<PyArray1<f32>>,
    /// The value of each visited move to the player to move, from -1 to 1, float32 `[actions]`; NaN for the others.
    values: Py<PyArray1<f32>>,
    /// The value of the state to the player to move, from -1 (loss) to 1 (win).
    value: f32,
    /// The chances of win, draw and loss for the player to move.
    outcome: (f32, f32, f32),
    /// The number of the move to play.
    best_action: u16,
    /// The name of the move to play.
    best_move: String,
    /// The numbers of the best moves of both players, from the state on.
    principal_variation: Vec<u16>,
    /// Their names.
    principal_variation_moves: Vec<String>,
    /// True if the value is proven and so exact.
    proven: bool,
    /// Visits of the root.
    total_visits: u32,
}

impl SearchResult {
    pub fn of(py: Python<'_>, search: &TreeSearch) -> PyResult<Self> {
        let position = search.position();
        let actions = position.actions();
        let Some(best) = search.best_action() else {
            return Err(value_error("the search ended before it evaluated its root; give it more time"));
        };
        let (mut visits, mut values) = (vec![0i64; actions], vec![f32::NAN; actions]);
        for found in search.root_moves() {
            visits[found.action.index()] = found.visits.into();
            if found.visits > 0 || found.proven_in.is_some() {
                values[found.action.index()] = found.outcome.value();
            }
        }
        let mut priors = vec![0.0; actions];
        search.root_priors().iter().for_each(|(action, prior)| priors[action.index()] = *prior);
        let mut policy = vec![0.0; actions];
        let target = search.policy_target();
        let sum: f32 = target.iter().map(|&(_, weight)| weight as f32).sum();
        match sum > 0.0 {
            true => target.iter().for_each(|&(action, weight)| policy[action.index()] = weight as f32 / sum),
            // One visit is that of the root, and no move has any.
            false => policy.copy_from_slice(&priors),
        }
        let line = search.principal_variation();
        let outcome = search.root_outcome();
        Ok(Self {
            policy: array(py, policy, [actions])?,
            visits: array(py, visits, [actions])?,
            priors: array(py, priors, [actions])?,
            values: array(py, values, [actions])?,
            value: outcome.value(),
            outcome: (outcome.win, outcome.draw, outcome.loss),
            best_action: best.0,
            best_move: position.action_name(best),
            principal_variation: line.iter().map(|action| action.0).collect(),
            principal_variation_moves: line.iter().map(|&action| position.action_name(action)).collect(),
            proven: search.is_proven(),
            total_visits: search.visits(),
        })
    }
}

#[pymethods]
impl SearchResult {
    fn __repr__(&self) -> String {
        let line = self.principal_variation_moves.join(" ");
        let proven = if self.proven { ", proven" } else { "" };
        format!("<hexzero.SearchResult {line}, value {:+.3}, {} visits{proven}>", self.value, self.total_visits)
    }
}
