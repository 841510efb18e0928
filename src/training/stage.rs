//! Stages of a run: changes of its recipe from a training step on.

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

/// Changes from a training step on: a `[[stage]]` of a recipe. All schedules are written this way: of
/// visits, board sizes, the learning rate or weights of losses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Begins with the first iteration after this many training steps.
    pub after_steps: u64,
    /// Keys of `[selfplay]` with their new values.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub selfplay: Table,
    /// Keys of `[training]` with their new values.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub training: Table,
}

/// Overwrites the values in `table` with those of `changes`, key by key within tables.
fn overlay(table: &mut Table, changes: &Table) {
    for (key, value) in changes {
        match (table.get_mut(key), value) {
            (Some(Value::Table(within)), Value::Table(changes)) => overlay(within, changes),
            _ => drop(table.insert(key.clone(), value.clone())),
        }
    }
}

impl Stage {
    /// Applies the changes to a recipe.
    pub(super) fn change(&self, recipe: &mut Table) {
        for (name, changes) in [("selfplay", &self.selfplay), ("training", &self.training)] {
            if let Some(Value::Table(table)) = recipe.get_mut(name) {
                overlay(table, changes);
            }
        }
    }
}
