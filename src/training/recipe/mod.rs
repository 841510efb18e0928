//! A recipe: all training settings of a run, as a TOML file that is compiled in or given by path.

mod difference;
mod settings;
mod source;
mod stage;
mod toml;

pub use difference::RecipeDifference;
pub(in crate::training) use settings::MOST_GAMES;
pub use settings::TrainingSettings;
pub use source::{RecipeSource, built_in_recipe_names};
pub use stage::Stage;
pub(crate) use stage::overlay;
pub(crate) use toml::{LONGEST_RECIPE, with_suggestion};
pub use toml::{Recipe, RecipeError};
