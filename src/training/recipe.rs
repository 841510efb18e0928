//! A recipe: everything that decides what a run learns, as a TOML file.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::games::{GAME_NAMES, Game, Position};
use crate::network::Architecture;
use crate::selfplay::SelfPlaySettings;

use super::settings::TrainingSettings;
use super::stage::Stage;

/// Everything that decides what a run learns. Keys that are left out take the defaults, which are the
/// recipe of `hexzero train` on the 5×5 board; unknown keys are refused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Recipe {
    /// The game's name.
    pub game: String,
    /// The seed of everything random in the run.
    pub seed: u64,
    /// Stop after this many minutes, if the command line does not say when to stop.
    pub minutes: f64,
    /// Size and depth of the network.
    pub network: Architecture,
    /// How self-play games are played.
    pub selfplay: SelfPlaySettings,
    /// How the network learns from them.
    pub training: TrainingSettings,
    /// What changes on the way; the `[[stage]]` tables.
    #[serde(rename = "stage", skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<Stage>,
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            game: "cachex".to_owned(),
            seed: 1,
            minutes: 9.0,
            network: Architecture::default(),
            selfplay: SelfPlaySettings::default(),
            training: TrainingSettings::default(),
            stages: Vec::new(),
        }
    }
}

/// From this likeness on (Jaro and Winkler's) a key may have been meant by another.
const LIKELY: f64 = 0.75;

/// A recipe that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecipeError {
    /// The file cannot be read.
    #[error("recipe {}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is not TOML, or a key or a value is not accepted.
    #[error("recipe {name}: {problem}")]
    Unreadable {
        /// Which recipe.
        name: String,
        /// Where and what.
        problem: String,
    },
}

fn read_text(path: &Path) -> Result<String, RecipeError> {
    fs::read_to_string(path).map_err(|source| RecipeError::File { path: path.to_owned(), source })
}

/// The game that a recipe says it is for.
fn named_game(text: &str) -> Option<String> {
    text.parse::<toml::Table>().ok()?.get("game")?.as_str().map(str::to_owned)
}

impl Recipe {
    /// The recipe of a game if nothing else is said.
    pub fn of() -> Self {
        Self { game: G::NAME.to_owned(), ..Self::default() }
    }

    /// The game that the recipe in a file is for; none if it does not say.
    ///
    /// # Errors
    /// If the file cannot be read, or there is no such game.
    pub fn game_in(path: &Path) -> Result<Option<String>, RecipeError> {
        let named = named_game(&read_text(path)?);
        match named {
            Some(game) if !GAME_NAMES.contains(&game.as_str()) => {
                let problem = format!("game = \"{game}\"; accepted: \"{}\"", GAME_NAMES.join("\", \""));
                Err(RecipeError::Unreadable { name: path.display().to_string(), problem })
            }
            named => Ok(named),
        }
    }

    /// Reads and checks a recipe for a game, the one that is meant if the recipe names none.
    ///
    /// # Errors
    /// If the file cannot be read or a key or value is not accepted.
    pub fn read(path: &Path) -> Result<Self, RecipeError> {
        Self::parse(&read_text(path)?, &path.display().to_string())
    }

    /// Reads and checks a recipe; `name` is what errors call it.
    ///
    /// # Errors
    /// If a key or value is not accepted.
    pub fn parse(text: &str, name: &str) -> Result<Self, RecipeError> {
        let unreadable = |problem: String| RecipeError::Unreadable { name: name.to_owned(), problem };
        let mut recipe: Self = toml::from_str(text).map_err(|error| unreadable(with_suggestion(&error.to_string())))?;
        if named_game(text).is_none() {
            recipe.game = G::NAME.to_owned();
        }
        match recipe.problem().or_else(|| recipe.stage_problem(Self::problem::<G>)) {
            Some(problem) => Err(unreadable(with_suggestion(&problem))),
            None => Ok(recipe),
        }
    }

    /// The recipe as TOML.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a recipe is plain data")
    }

    /// The board size that it plays most in its last stage: the one by which the whole run is rated, so that all its
    /// ratings compare.
    pub fn final_size(&self) -> usize {
        self.at(u64::MAX).main_size()
    }

    /// The board size that it plays most before any stage.
    pub fn main_size(&self) -> usize {
        let sizes = self.selfplay.sizes.iter();
        sizes.max_by(|a, b| a.weight.total_cmp(&b.weight)).map_or(*G::SIZES.start(), |main| main.size)
    }

    /// A hash of the recipe, as hexadecimal digits: two runs with the same one learn the same way.
    pub fn hash(&self) -> String {
        format!("{:08x}", crc32fast::hash(self.to_toml().as_bytes()))
    }

    fn problem(&self) -> Option<String> {
        let checks = [
            (self.game != G::NAME, format!("game = \"{}\"; accepted: \"{}\"", self.game, G::NAME)),
            (
                !(self.minutes > 0.0 && self.minutes.is_finite()),
                format!("minutes = {}; accepted: above 0", self.minutes),
            ),
        ];
        let found = checks.into_iter().find(|check| check.0).map(|check| check.1);
        found
            .or_else(|| self.training.problem().map(|problem| format!("training: {problem}")))
            .or_else(|| self.network.validate().err().map(|error| error.to_string()))
            .or_else(|| self.selfplay.problem(G::SIZES).map(|problem| format!("selfplay: {problem}")))
    }
}

/// An error of an unknown key, with the known one that is nearest to it. The error names all of them, each
/// between backquotes, the unknown one first.
fn with_suggestion(error: &str) -> String {
    let error = error.trim_end();
    let Some((_, names)) = error.split_once("unknown field ") else { return error.to_owned() };
    let mut names = names.split('`').skip(1).step_by(2);
    let Some(unknown) = names.next() else { return error.to_owned() };
    let nearest = names.map(|name| (strsim::jaro_winkler(unknown, name), name)).max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((likeness, name)) if likeness >= LIKELY => format!("{error}\ndid you mean `{name}`?"),
        _ => error.to_owned(),
    }
}
