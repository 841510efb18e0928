//! A recipe: all training settings of a run, as a TOML file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::de::DeTable;
use toml::{Table, Value};

use crate::folder::Counters;
use hexzero_games::{Game, UnknownGame, default_game, game_named, game_names};
use hexzero_nn::Architecture;
use hexzero_selfplay::{SelfPlaySettings, SizeWeight};
use hexzero_system::files::read_text_at_most;
use hexzero_system::texts::cut;

use super::retired::remove_retired_keys;
use super::settings::{Stage, TrainingSettings, overlay};
use super::{StartFile, built_in_recipe_names};

/// All training settings of a run. Missing keys take the defaults, which are the recipe of `hexzero
/// train` on the 5×5 board; unknown keys are refused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Recipe {
    /// The game's name.
    pub game: String,
    /// The seed of everything random in the run.
    pub seed: u64,
    /// Stop after this many minutes, unless the command line says when to stop.
    pub minutes: f64,
    /// Size and depth of the network.
    pub network: Architecture,
    /// Self-play: visits, openings, resignation.
    pub selfplay: SelfPlaySettings,
    /// Training: window, losses, optimiser.
    pub training: TrainingSettings,
    /// Changes during the run; the `[[stage]]` tables.
    #[serde(rename = "stage", skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<Stage>,
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            game: default_game().name().to_owned(),
            seed: 1,
            minutes: 9.0,
            network: Architecture::default(),
            selfplay: SelfPlaySettings::default(),
            training: TrainingSettings::default(),
            stages: Vec::new(),
        }
    }
}

/// The maximum size of a recipe: many times the longest one that ships.
pub const MAX_RECIPE_BYTES: u64 = 1 << 20;

/// The longest line that is quoted, in characters.
const MAX_QUOTED_LENGTH: usize = 200;

/// The similarity (Jaro-Winkler) from which on a key or a name is suggested for an unknown one.
const LIKELY: f64 = 0.75;

/// A recipe that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecipeError {
    /// The file cannot be read.
    #[error("recipe {}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The recipe is not TOML, or a key or a value is not accepted.
    #[error("recipe {name}: {problem}")]
    Unreadable {
        /// Which recipe.
        name: String,
        /// The place and the reason.
        problem: String,
    },
    /// The file of start positions cannot be used.
    #[error("selfplay.opening.file: {}: {problem}", path.display())]
    Starts {
        /// Which file.
        path: PathBuf,
        /// The place and the reason.
        problem: String,
    },
    /// No built-in recipe has this name, and no file either.
    #[error(
        "recipe {name}: no built-in recipe has this name, nor has a file. Built-in: {}. For a file of your own give its path{}",
        built_in_recipe_names().join(", "),
        nearest.map(|nearest| format!("\ndid you mean '{nearest}'?")).unwrap_or_default()
    )]
    Unknown {
        /// The name that was given.
        name: String,
        /// The built-in recipe whose name is most like it, if one is.
        nearest: Option<&'static str>,
    },
}

impl RecipeError {
    /// Creates the error for a name that no recipe has.
    pub(super) fn unknown(name: &str) -> Self {
        Self::Unknown { name: name.to_owned(), nearest: nearest(name, built_in_recipe_names()) }
    }
}

pub(super) fn read_text(path: &Path) -> Result<String, RecipeError> {
    read_text_at_most(path, MAX_RECIPE_BYTES).map_err(|source| RecipeError::File { path: path.to_owned(), source })
}

/// Shortens the line of the file that an error quotes, after its number and a bar.
fn shortened(text: &str) -> String {
    let is_quoted = |line: &str| line.split_once('|').is_some_and(|(number, _)| !number.contains(char::is_alphabetic));
    let cut = |line: &str| if is_quoted(line) { cut(line, MAX_QUOTED_LENGTH).into_owned() } else { line.to_owned() };
    text.lines().map(cut).collect::<Vec<_>>().join("\n")
}

/// Returns the game named in a recipe.
fn named_game(text: &str) -> Option<String> {
    /// Parsed instead of a whole TOML table, which cannot hold all numbers that a recipe can.
    #[derive(Deserialize)]
    struct Named {
        game: Option<String>,
    }
    toml::from_str::<Named>(text).ok()?.game
}

impl Recipe {
    /// Returns the default recipe of a game.
    pub fn of(game: Game) -> Self {
        let mut recipe = Self { game: game.name().to_owned(), ..Self::default() };
        for entry in &mut recipe.selfplay.sizes {
            if !game.boards.sizes.contains(&entry.size) {
                entry.size = game.boards.default;
            }
        }
        recipe
    }

    /// Returns the game.
    ///
    /// # Errors
    /// If there is no game with this name. A recipe that was read names one.
    pub fn game(&self) -> Result<Game, UnknownGame> {
        game_named(&self.game)
    }

    /// Returns the game named by the recipe in a file; none if it names none.
    ///
    /// # Errors
    /// If the file cannot be read, or there is no such game.
    pub fn game_in(path: &Path) -> Result<Option<Game>, RecipeError> {
        Self::game_in_text(&read_text(path)?, &path.display().to_string())
    }

    /// Returns the game that a recipe's text names, if it names one. Errors call the recipe `name`.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn game_in_text(text: &str, name: &str) -> Result<Option<Game>, RecipeError> {
        let game = |game: String| {
            game_named(&game).map_err(|_| {
                let problem = format!("game = \"{game}\"; accepted: \"{}\"", game_names().join("\", \""));
                RecipeError::Unreadable { name: name.to_owned(), problem }
            })
        };
        named_game(text).map(game).transpose()
    }

    /// Reads and checks a recipe; `game` is its game if the recipe names none.
    ///
    /// # Errors
    /// If the file cannot be read or a key or value is not accepted.
    pub fn read(game: Game, path: &Path) -> Result<Self, RecipeError> {
        Self::parse(game, &read_text(path)?, &path.display().to_string())
    }

    /// Parses and checks a recipe, as [`Recipe::read`] does; `name` is its name in errors.
    ///
    /// # Errors
    /// If a key or value is not accepted.
    pub fn parse(game: Game, text: &str, name: &str) -> Result<Self, RecipeError> {
        let unreadable = |problem: String| RecipeError::Unreadable { name: name.to_owned(), problem };
        let mut recipe = Self::from_text(text, true).map_err(unreadable)?;
        if named_game(text).is_none() {
            recipe.game = game.name().to_owned();
        }
        recipe.checked(game).map_err(unreadable)
    }

    /// Parses a recipe without checking its values. Errors quote the line if `quotes` is true.
    fn from_text(text: &str, quotes: bool) -> Result<Self, String> {
        let explained = |mut error: toml::de::Error| {
            error.set_input(quotes.then_some(text));
            with_suggestion(&shortened(&error.to_string()))
        };
        let mut table = DeTable::parse(text).map_err(explained)?;
        remove_retired_keys(table.get_mut())?;
        Self::deserialize(toml::Deserializer::from(table)).map_err(explained)
    }

    /// Overwrites keys with those of `changes` and checks the result; `name` is the recipe's name in errors.
    ///
    /// # Errors
    /// If a key or value is not accepted.
    pub fn changed(&self, game: Game, changes: &Table, name: &str) -> Result<Self, RecipeError> {
        let unreadable = |problem: String| RecipeError::Unreadable { name: name.to_owned(), problem };
        let mut table = Table::try_from(self).map_err(|error| unreadable(error.to_string()))?;
        overlay(&mut table, changes);
        // Retired keys are recognised in text. Errors do not quote it, as the user has not written it.
        let text = toml::to_string(&table).map_err(|error| unreadable(error.to_string()))?;
        Self::from_text(&text, false).and_then(|recipe| recipe.checked(game)).map_err(unreadable)
    }

    /// Returns the recipe, or the first problem in it.
    fn checked(self, game: Game) -> Result<Self, String> {
        match self.validate(game).and_then(|()| self.validate_stages(game)) {
            Err(problem) => Err(with_suggestion(&problem)),
            Ok(()) => Ok(self),
        }
    }

    /// Sets the boards of all self-play games to these sizes, each with the same share, in every
    /// stage.
    pub fn play_on(&mut self, sizes: &[usize]) {
        self.selfplay.sizes = sizes.iter().map(|&size| SizeWeight::of(size)).collect();
        for stage in &mut self.stages {
            stage.selfplay.remove("sizes");
        }
    }

    /// Sets the learning rate; stages that have a higher one get this one too.
    pub fn limit_learning_rate(&mut self, rate: f64) {
        self.training.optimiser.learning_rate = rate;
        for stage in &mut self.stages {
            let optimiser = stage.training.get_mut("optimiser").and_then(Value::as_table_mut);
            let Some(value) = optimiser.and_then(|table| table.get_mut("learning_rate")) else { continue };
            let own = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
            if own.is_none_or(|own| own > rate) {
                *value = Value::Float(rate);
            }
        }
    }

    /// Returns the recipe as the folder of a run keeps it: its file of start positions is named by its contents.
    ///
    /// # Errors
    /// If that file cannot be used.
    pub fn as_kept(&self, game: Game) -> Result<Self, RecipeError> {
        let mut recipe = self.clone();
        StartFile::take(&mut recipe, game, Path::new(""))?;
        Ok(recipe)
    }

    /// Formats the recipe as TOML.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a recipe is plain data")
    }

    /// Returns the most played board size of its last stage: the one by which the whole run is rated, so that all its
    /// ratings compare.
    pub fn final_size(&self) -> usize {
        self.with_stages(self.stages.len()).main_size()
    }

    /// Returns all board sizes that the recipe plays in any stage.
    pub fn all_sizes(&self) -> BTreeSet<usize> {
        let recipes = (0..=self.stages.len()).map(|begun| self.with_stages(begun));
        recipes.flat_map(|recipe| recipe.selfplay.sizes).map(|entry| entry.size).collect()
    }

    /// Returns the most played board size before any stage.
    pub fn main_size(&self) -> usize {
        let main = self.selfplay.sizes.iter().max_by(|a, b| a.weight.total_cmp(&b.weight));
        main.map_or_else(|| self.game().map_or(0, |game| *game.boards.sizes.start()), |main| main.size)
    }

    /// Returns the recipe for a run with these counters: with the changes of every stage that has
    /// begun, and without stages. No stage begins before the ones listed before it.
    ///
    /// # Panics
    /// If the recipe was not checked when it was read.
    pub fn at(&self, counters: &Counters) -> Self {
        self.with_stages(self.stages.iter().take_while(|stage| stage.has_begun(counters)).count())
    }

    fn with_stages(&self, begun: usize) -> Self {
        self.try_with_stages(begun).expect("every stage was checked")
    }

    /// Returns the recipe with the changes of its first `begun` stages.
    fn try_with_stages(&self, begun: usize) -> Result<Self, String> {
        let base = Self { stages: Vec::new(), ..self.clone() };
        if begun == 0 {
            return Ok(base);
        }
        let mut table = Table::try_from(&base).map_err(|error| error.to_string())?;
        self.stages[..begun].iter().for_each(|stage| stage.change(&mut table));
        table.try_into().map_err(|error: toml::de::Error| error.to_string())
    }

    /// Returns a hash of the recipe, as hexadecimal digits: runs with the same one have the same settings.
    pub fn hash(&self) -> String {
        format!("{:08x}", crc32fast::hash(self.to_toml().as_bytes()))
    }

    /// Checks the stages; the error is the first problem.
    fn validate_stages(&self, game: Game) -> Result<(), String> {
        for (before, stage) in self.stages.iter().enumerate() {
            let validated = stage.validate_beginning(&self.stages[..before]).map_err(|error| error.to_string());
            let validated = validated.and_then(|()| {
                if let Some(key) = stage.training.keys().find(|key| key.starts_with("window_")) {
                    // Games dropped from the window cannot come back, so a resumed run could not restore it.
                    return Err(format!("training.{key}: the window's size cannot change in a stage"));
                }
                if stage.selfplay.get("opening").is_some_and(|opening| opening.get("file").is_some()) {
                    return Err("selfplay.opening.file: it cannot change in a stage; file_share can".to_owned());
                }
                if stage.training.contains_key("exact_size") {
                    return Err("training.exact_size: it cannot change in a stage".to_owned());
                }
                self.try_with_stages(before + 1)?.validate(game)
            });
            validated.map_err(|problem| format!("{}: {problem}", stage.name(before + 1)))?;
        }
        Ok(())
    }

    /// Checks the recipe without its stages; the error is the first problem.
    fn validate(&self, game: Game) -> Result<(), String> {
        if self.game != game.name() {
            return Err(format!("game = \"{}\"; accepted: \"{}\"", self.game, game.name()));
        }
        if !(self.minutes > 0.0 && self.minutes.is_finite()) {
            return Err(format!("minutes = {}; accepted: above 0", self.minutes));
        }
        if self.seed > i64::MAX as u64 {
            return Err(format!("seed = {}; accepted: 0 to {}", self.seed, i64::MAX));
        }
        self.training.validate().map_err(|error| error.within("training").to_string())?;
        self.network.validate().map_err(|error| error.to_string())?;
        let selfplay = self.selfplay.validate(game.boards.sizes.clone());
        selfplay.map_err(|error| error.within("selfplay").to_string())
    }
}

/// Adds the most similar known key to an error of an unknown one. The error names all of them, each
/// between backquotes, the unknown one first.
pub fn with_suggestion(error: &str) -> String {
    let error = error.trim_end();
    let Some((_, names)) = error.split_once("unknown field ") else { return error.to_owned() };
    let mut names = names.split('`').skip(1).step_by(2);
    let Some(unknown) = names.next() else { return error.to_owned() };
    match nearest(unknown, names) {
        Some(name) => format!("{error}\ndid you mean `{name}`?"),
        None => error.to_owned(),
    }
}

/// Returns the name that is most similar to an unknown one, if any is similar enough.
fn nearest<'a>(unknown: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = names.into_iter().map(|name| (strsim::jaro_winkler(unknown, name), name));
    likeness.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|nearest| nearest.0 >= LIKELY).map(|nearest| nearest.1)
}
