//! A recipe: all training settings of a run, as a TOML file that is compiled in or given by path.

mod difference;
mod settings;
mod source;
mod toml;

pub use difference::RecipeDifference;
pub(crate) use settings::MAX_GAMES;
pub use settings::{Stage, TrainingSettings, overlay};
pub use source::{RecipeSource, built_in_recipe_names};
pub use toml::{MAX_RECIPE_BYTES, with_suggestion};
pub use toml::{Recipe, RecipeError};
