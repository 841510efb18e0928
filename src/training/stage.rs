//! Stages of a run: what changes in its recipe from a training step on.

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::recipe::Recipe;

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

impl Recipe {
    /// The recipe as it stands after so many training steps: with the changes of every stage that has begun,
    /// and no stages any more.
    ///
    /// # Panics
    /// If the recipe was not checked when it was read.
    pub fn at(&self, step: u64) -> Self {
        self.try_at(step).expect("every stage was checked")
    }

    fn try_at(&self, step: u64) -> Result<Self, String> {
        let base = Self { stages: Vec::new(), ..self.clone() };
        let begun: Vec<&Stage> = self.stages.iter().filter(|stage| stage.after_steps <= step).collect();
        if begun.is_empty() {
            return Ok(base);
        }
        let mut table = Table::try_from(&base).map_err(|error| error.to_string())?;
        for Stage { selfplay, training, .. } in begun {
            for (name, changes) in [("selfplay", selfplay), ("training", training)] {
                if let Some(Value::Table(table)) = table.get_mut(name) {
                    overlay(table, changes);
                }
            }
        }
        table.try_into().map_err(|error: toml::de::Error| error.to_string())
    }

    /// What is wrong with the stages, if anything. `problem` checks a recipe without stages.
    pub(super) fn stage_problem(&self, problem: impl Fn(&Self) -> Option<String>) -> Option<String> {
        let mut before = 0;
        for Stage { after_steps, training, .. } in &self.stages {
            let found = if *after_steps <= before {
                Some(format!("after_steps = {after_steps}; accepted: above that of the stage before, above 0"))
            } else if let Some(key) = training.keys().find(|key| key.starts_with("window_")) {
                // What has left the window cannot come back, so a resumed run would not know what it held.
                Some(format!("training.{key}: the window's size keeps its rule throughout a run"))
            } else {
                self.try_at(*after_steps).map_or_else(Some, |recipe| problem(&recipe))
            };
            if let Some(found) = found {
                return Some(format!("the stage after {after_steps} steps: {found}"));
            }
            before = *after_steps;
        }
        None
    }
}
