//! Recipes by name, from the folder `training/`, which is compiled in, or by path.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use toml::Table;

use hexzero_games::Game;

use super::toml::{Recipe, RecipeError, read_text};

static BUILT_IN: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../training");

/// The extension of recipe files.
const EXTENSION: &str = "toml";

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
    let recipes = BUILT_IN.files().filter(|file| file.path().extension().is_some_and(|end| end == EXTENSION));
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
        Recipe::parse(game, &self.text()?, &self.name())
    }

    /// Reads the recipe, overwrites keys of it with those of `changes`, and checks the result. Tables are changed key by key;
    /// lists, such as the stages, are replaced whole.
    ///
    /// # Errors
    /// If the file cannot be read or a key or value is not accepted.
    pub fn read_with(&self, game: Game, changes: &Table) -> Result<Recipe, RecipeError> {
        Recipe::parse_with(game, &self.text()?, changes, &self.name())
    }
}
