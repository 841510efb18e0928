//! A recipe: all training settings of a run, as a TOML file that is compiled in or given by path.

mod retired;
mod settings;
mod start_file;
mod toml;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use ::toml::{Table, Value};
use include_dir::{Dir, include_dir};

use hexzero_games::Game;
use hexzero_system::texts::cut;

use toml::read_text;

pub(crate) use settings::MAX_GAMES;
pub use settings::{Stage, TrainingSettings, overlay};
pub(crate) use start_file::StartFile;
pub use toml::{MAX_RECIPE_BYTES, Recipe, RecipeError, with_suggestion};

static BUILT_IN: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../training");

/// A recipe that is compiled in, or the file that holds one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecipeSource {
    /// A recipe of the folder `training/`.
    BuiltIn {
        /// The recipe's name: that of the file, without `.toml`.
        name: &'static str,
        /// The text of the file, comments included.
        text: &'static str,
    },
    /// A file.
    File(PathBuf),
}

fn built_in() -> impl Iterator<Item = (&'static str, &'static str)> {
    let recipes = BUILT_IN.files().filter(|file| file.path().extension().is_some_and(|end| end == "toml"));
    recipes.filter_map(|file| Some((file.path().file_stem()?.to_str()?, file.contents_utf8()?)))
}

/// Lists the names of the built-in recipes, in alphabetical order.
pub fn built_in_recipe_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = built_in().map(|(name, _)| name).collect();
    names.sort_unstable();
    names
}

impl RecipeSource {
    /// Finds a recipe by name or path. A built-in recipe takes precedence over a file of the same
    /// name, which can be given as `./NAME`.
    ///
    /// # Errors
    /// If it is neither the name of a built-in recipe nor looks like a path. A missing file is
    /// noticed only when it is read.
    pub fn find(name_or_path: &str) -> Result<Self, RecipeError> {
        if let Some((name, text)) = built_in().find(|(name, _)| *name == name_or_path) {
            return Ok(Self::BuiltIn { name, text });
        }
        let path = Path::new(name_or_path);
        let looks_like_a_path = path.components().count() > 1 || path.extension().is_some() || path.exists();
        if looks_like_a_path { Ok(Self::File(path.to_owned())) } else { Err(RecipeError::unknown(name_or_path)) }
    }

    /// Returns the recipe's name for error messages.
    pub fn name(&self) -> String {
        match self {
            Self::BuiltIn { name, .. } => (*name).to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    fn text(&self) -> Result<Cow<'static, str>, RecipeError> {
        match self {
            Self::BuiltIn { text, .. } => Ok(Cow::Borrowed(text)),
            Self::File(path) => read_text(path).map(Cow::Owned),
        }
    }

    /// Returns the game that the recipe names, if it names one.
    ///
    /// # Errors
    /// If the file cannot be read, or there is no such game.
    pub fn game(&self) -> Result<Option<Game>, RecipeError> {
        Recipe::game_in_text(&self.text()?, &self.name())
    }

    /// Reads and checks the recipe; `game` is the one meant if the recipe names none.
    ///
    /// # Errors
    /// If the file cannot be read or a key or value is not accepted.
    pub fn read(&self, game: Game) -> Result<Recipe, RecipeError> {
        Ok(self.located(Recipe::parse(game, &self.text()?, &self.name())?))
    }

    /// Reads the recipe, overwrites keys of it with those of `changes`, and checks the result. Tables are changed key by key;
    /// lists, such as the stages, are replaced whole.
    ///
    /// # Errors
    /// If the file cannot be read or a key or value is not accepted.
    pub fn read_with(&self, game: Game, changes: &Table) -> Result<Recipe, RecipeError> {
        let recipe = Recipe::parse(game, &self.text()?, &self.name())?;
        Ok(self.located(recipe.changed(game, changes, &self.name())?))
    }

    /// Resolves the path of the recipe's file of start positions against the folder of the recipe.
    fn located(&self, mut recipe: Recipe) -> Recipe {
        if let (Self::File(path), Some(file)) = (self, &mut recipe.selfplay.opening.file) {
            *file = path.parent().unwrap_or(Path::new("")).join(&*file);
        }
        recipe
    }
}

/// The keys that change neither games nor networks.
const FREE: [&str; 3] = ["minutes", "selfplay.evaluation_cache", "training.keep_every"];

/// The longest value that is shown, in characters.
const MAX_SHOWN: usize = 80;

/// A key with its values in two recipes, as TOML; none where a recipe does not have the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipeDifference {
    /// The key, such as `selfplay.full_visits`; those of stages begin with `stage.1`, `stage.2` and so on.
    pub key: String,
    /// The value in the first recipe.
    pub before: Option<String>,
    /// The value in the second one.
    pub after: Option<String>,
}

impl RecipeDifference {
    /// Returns true if the key changes neither games nor networks, so that a run may change it at any time.
    pub fn is_free(&self) -> bool {
        FREE.contains(&self.key.as_str())
    }
}

/// Shows the key and both values: `selfplay.full_visits = 17, not 16`.
impl fmt::Display for RecipeDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: &str| cut(value, MAX_SHOWN).into_owned();
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => write!(f, "{} = {}, not {}", self.key, shown(after), shown(before)),
            (Some(before), None) => write!(f, "{} = {} is gone", self.key, shown(before)),
            (None, after) => write!(f, "{} = {} is new", self.key, shown(after.as_deref().unwrap_or_default())),
        }
    }
}

impl Recipe {
    /// Lists the keys whose values differ in another recipe, in alphabetical order.
    pub fn differences(&self, other: &Self) -> Vec<RecipeDifference> {
        let (ours, mut theirs) = (self.values(), other.values());
        let mut differences = Vec::new();
        for (key, before) in ours {
            let after = theirs.remove(&key);
            if after.as_ref() != Some(&before) {
                differences.push(RecipeDifference { key, before: Some(before), after });
            }
        }
        let new = theirs.into_iter().map(|(key, after)| RecipeDifference { key, before: None, after: Some(after) });
        differences.extend(new);
        differences
    }

    /// Returns all values by their full keys.
    fn values(&self) -> BTreeMap<String, String> {
        let mut values = BTreeMap::new();
        collect("", &Value::Table(Table::try_from(self).expect("a recipe is plain data")), &mut values);
        values
    }
}

fn collect(key: &str, value: &Value, values: &mut BTreeMap<String, String>) {
    let within = |name: &str| if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
    match value {
        Value::Table(table) => table.iter().for_each(|(name, value)| collect(&within(name), value, values)),
        Value::Array(stages) if key == "stage" => {
            (1..).zip(stages).for_each(|(number, stage)| collect(&within(&number.to_string()), stage, values));
        }
        value => drop(values.insert(key.to_owned(), value.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use hexzero_games::default_game;

    use super::*;

    #[test]
    fn refused_changes_are_named_by_key_without_a_line() {
        let refused = |changes: &str| {
            let changes: Table = changes.parse().unwrap();
            Recipe::default().changed(default_game(), &changes, "changes").unwrap_err().to_string()
        };
        let unknown = refused("training.symetries = false");
        assert!(unknown.starts_with("recipe changes: unknown field `symetries`, expected one of "), "{unknown}");
        assert!(unknown.ends_with("\nin `training`\ndid you mean `symmetries`?"), "{unknown}");
        let retired = refused("network.wide_stem = true");
        assert!(retired.starts_with("recipe changes: network.wide_stem is gone"), "{retired}");
    }

    #[test]
    fn each_key_is_named_with_both_values() {
        let stage = |visits: u32| format!("[[stage]]\nafter_steps = 10\nselfplay.full_visits = {visits}\n");
        let parse = |text: &str| Recipe::parse(default_game(), text, "test").unwrap();
        let before = parse(&stage(32));
        let after = parse(&format!("minutes = 30\nselfplay.full_visits = 17\ntraining.reuse = 2.5\n{}", stage(64)));
        let differences = before.differences(&after);
        let shown: Vec<String> = differences.iter().map(ToString::to_string).collect();
        let expected = [
            "minutes = 30.0, not 9.0",
            "selfplay.full_visits = 17, not 128",
            "stage.1.selfplay.full_visits = 64, not 32",
            "training.reuse = 2.5, not 6.0",
        ];
        assert_eq!(shown, expected);
        assert_eq!(differences.iter().map(RecipeDifference::is_free).collect::<Vec<_>>(), [true, false, false, false]);
        assert_eq!(after.differences(&parse("minutes = 30\nselfplay.full_visits = 17\ntraining.reuse = 2.5")).len(), 2);
        assert!(before.differences(&before).is_empty());
    }
}
