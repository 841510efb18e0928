//! Stages of a run: changes of its recipe from a training step or a time on.

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::training::folder::Counters;

/// Changes from a training step or a time on: a `[[stage]]` of a recipe. All schedules are written this way: of
/// visits, board sizes, the learning rate or weights of losses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Begins with the first iteration after this many training steps. Every stage has this or `after_minutes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_steps: Option<u64>,
    /// Begins with the first iteration after this many minutes of work, over all resumptions. How many steps that is
    /// depends on the machine: two runs with the same seed then differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_minutes: Option<f64>,
    /// Keys of `[selfplay]` with their new values.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub selfplay: Table,
    /// Keys of `[training]` with their new values.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub training: Table,
}

/// Overwrites the values in `table` with those of `changes`, key by key within tables.
pub(crate) fn overlay(table: &mut Table, changes: &Table) {
    for (key, value) in changes {
        match (table.get_mut(key), value) {
            (Some(Value::Table(within)), Value::Table(changes)) => overlay(within, changes),
            _ => drop(table.insert(key.clone(), value.clone())),
        }
    }
}

impl Stage {
    /// Returns the stage's name for error messages; `number` is its place among the stages, from one.
    pub(super) fn name(&self, number: usize) -> String {
        match (self.after_steps, self.after_minutes) {
            (Some(steps), None) => format!("the stage after {steps} steps"),
            (None, Some(minutes)) => format!("the stage after {minutes} minutes"),
            _ => format!("stage {number}"),
        }
    }

    /// Returns true if a run with these counters has reached the stage.
    pub(super) fn has_begun(&self, counters: &Counters) -> bool {
        self.after_steps.is_none_or(|steps| steps <= counters.step)
            && self.after_minutes.is_none_or(|minutes| minutes * 60.0 <= counters.seconds)
    }

    /// Returns an error message if the stage's beginning is missing or out of order; `before` are the stages before it.
    pub(super) fn problem_of_beginning(&self, before: &[Self]) -> Option<String> {
        let accepted = "accepted: above 0, and above that of the stages before";
        match (self.after_steps, self.after_minutes) {
            (Some(steps), None) => {
                let least = before.iter().filter_map(|stage| stage.after_steps).next_back().unwrap_or(0);
                (steps <= least).then(|| format!("after_steps = {steps}; {accepted}"))
            }
            (None, Some(minutes)) => {
                let least = before.iter().filter_map(|stage| stage.after_minutes).next_back().unwrap_or(0.0);
                (!(minutes > least && minutes.is_finite())).then(|| format!("after_minutes = {minutes}; {accepted}"))
            }
            _ => Some("give each stage either after_steps or after_minutes".to_owned()),
        }
    }

    /// Applies the changes to a recipe.
    pub(super) fn change(&self, recipe: &mut Table) {
        for (name, changes) in [("selfplay", &self.selfplay), ("training", &self.training)] {
            if let Some(Value::Table(table)) = recipe.get_mut(name) {
                overlay(table, changes);
            }
        }
    }
}
