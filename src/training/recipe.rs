//! A recipe: everything that decides what a run learns, as a TOML file.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::games::{GAME_NAMES, Game};
use crate::network::Architecture;
use crate::selfplay::SelfPlaySettings;

use super::loss_values::LossWeights;
use super::optimiser::AdamWSettings;

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
}

/// How the network learns. Every field is a key of the recipe's `[training]` table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainingSettings {
    /// Games of self-play between two rounds of training.
    pub games_per_iteration: u64,
    /// Positions of a training step.
    pub batch: usize,
    /// How often a position is trained on, on average.
    pub reuse: f64,
    /// The window holds at least this many of the latest positions, if there are as many …
    pub window_least: usize,
    /// … and otherwise this share of all positions so far …
    pub window_share: f64,
    /// … but never more than this many.
    pub window_most: usize,
    /// The weight of the search's value, against the game's result, in the target of the outcome.
    pub search_value_share: f32,
    /// Whether a position is trained on under a symmetry of the board that is drawn at random.
    pub symmetries: bool,
    /// Steps after which half of an old weight is forgotten in the averaged network, which plays.
    pub average_half_life: f64,
    /// Every how many iterations a checkpoint is kept; the latest always is.
    pub keep_every: u64,
    /// The optimiser.
    pub optimiser: AdamWSettings,
    /// The weights of the losses.
    pub losses: LossWeights,
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
        }
    }
}

impl Default for TrainingSettings {
    fn default() -> Self {
        Self {
            games_per_iteration: 400,
            batch: 256,
            reuse: 6.0,
            window_least: 20_000,
            window_share: 0.4,
            window_most: 500_000,
            search_value_share: 0.25,
            symmetries: true,
            average_half_life: 150.0,
            keep_every: 10,
            optimiser: AdamWSettings::default(),
            losses: LossWeights::default(),
        }
    }
}

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
    pub fn of<G: Game>() -> Self {
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
    pub fn read<G: Game>(path: &Path) -> Result<Self, RecipeError> {
        Self::parse::<G>(&read_text(path)?, &path.display().to_string())
    }

    /// Reads and checks a recipe; `name` is what errors call it.
    ///
    /// # Errors
    /// If a key or value is not accepted.
    pub fn parse<G: Game>(text: &str, name: &str) -> Result<Self, RecipeError> {
        let unreadable = |problem: String| RecipeError::Unreadable { name: name.to_owned(), problem };
        let mut recipe: Self = toml::from_str(text).map_err(|error| unreadable(error.to_string()))?;
        if named_game(text).is_none() {
            recipe.game = G::NAME.to_owned();
        }
        match recipe.problem::<G>() {
            Some(problem) => Err(unreadable(problem)),
            None => Ok(recipe),
        }
    }

    /// The recipe as TOML.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a recipe is plain data")
    }

    /// A hash of the recipe, as hexadecimal digits: two runs with the same one learn the same way.
    pub fn hash(&self) -> String {
        format!("{:08x}", crc32fast::hash(self.to_toml().as_bytes()))
    }

    fn problem<G: Game>(&self) -> Option<String> {
        let training = &self.training;
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let not_negative = |value: f64| value >= 0.0 && value.is_finite();
        let checks = [
            (self.game != G::NAME, format!("game = \"{}\"; accepted: \"{}\"", self.game, G::NAME)),
            (!positive(self.minutes), format!("minutes = {}; accepted: above 0", self.minutes)),
            (
                !(1..=10_000_000).contains(&training.games_per_iteration),
                format!("games_per_iteration = {}; accepted: 1 to 10000000", training.games_per_iteration),
            ),
            (!(1..=65_536).contains(&training.batch), format!("batch = {}; accepted: 1 to 65536", training.batch)),
            (
                !positive(training.reuse) || training.reuse > 1000.0,
                format!("reuse = {}; accepted: above 0 and up to 1000", training.reuse),
            ),
            (
                !not_negative(training.window_share) || training.window_most < training.window_least,
                "window: accepted: window_share of 0 or more, window_most at least window_least".to_owned(),
            ),
            (
                !(0.0..=1.0).contains(&training.search_value_share),
                format!("search_value_share = {}; accepted: 0 to 1", training.search_value_share),
            ),
            (
                !positive(training.average_half_life),
                format!("average_half_life = {}; accepted: above 0", training.average_half_life),
            ),
            (training.keep_every == 0, "keep_every = 0; accepted: 1 or more".to_owned()),
            (
                !positive(training.optimiser.learning_rate),
                format!("learning_rate = {}; accepted: above 0", training.optimiser.learning_rate),
            ),
            (
                ![training.optimiser.beta1, training.optimiser.beta2].iter().all(|beta| (0.0..1.0).contains(beta)),
                "optimiser: accepted: beta1 and beta2 from 0 to below 1".to_owned(),
            ),
            (
                !positive(training.optimiser.epsilon) || !positive(training.optimiser.clip),
                "optimiser: accepted: epsilon and clip above 0".to_owned(),
            ),
            (
                !positive(training.optimiser.drop_factor),
                format!("drop_factor = {}; accepted: above 0", training.optimiser.drop_factor),
            ),
            (
                !not_negative(training.optimiser.weight_decay),
                format!("weight_decay = {}; accepted: 0 or more", training.optimiser.weight_decay),
            ),
            (!training.losses.all().into_iter().all(not_negative), "losses: accepted: weights of 0 or more".to_owned()),
        ];
        let found = checks.into_iter().find(|check| check.0).map(|check| check.1);
        found
            .or_else(|| self.network.validate().err().map(|error| error.to_string()))
            .or_else(|| self.selfplay.problem(G::SIZES).map(|problem| format!("selfplay: {problem}")))
    }
}
