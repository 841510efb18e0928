//! Stages of a run: what changes in its recipe from a training step on.

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

/// What changes from a training step on: a `[[stage]]` of a recipe. So every schedule is written the same
/// way, be it of visits, board sizes, the learning rate or weights of losses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// It begins with the first iteration after so many training steps.
    pub after_steps: u64,
    /// Keys of `[selfplay]` with the values that they take.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub selfplay: Table,
    /// Keys of `[training]` with the values that they take.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub training: Table,
}

/// Puts the values of `changes` in the place of those in `table`, key by key within tables.
fn overlay(table: &mut Table, changes: &Table) {
    for (key, value) in changes {
        match (table.get_mut(key), value) {
            (Some(Value::Table(within)), Value::Table(changes)) => overlay(within, changes),
            _ => drop(table.insert(key.clone(), value.clone())),
        }
    }
}

impl Stage {
    /// Makes the changes in a recipe.
    pub(super) fn change(&self, recipe: &mut Table) {
        for (name, changes) in [("selfplay", &self.selfplay), ("training", &self.training)] {
            if let Some(Value::Table(table)) = recipe.get_mut(name) {
                overlay(table, changes);
            }
        }
    }
}
