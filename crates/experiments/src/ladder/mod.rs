//! Ratings of a run's checkpoints: a tournament against their ancestors and against fixed built-in opponents. The games
//! are kept in the run's folder: games played afterwards ([`Ladder`]) or during the run ([`Background`]) go to the same
//! file, and [`read`] computes ratings from all of them.

mod background;
mod choice;
mod play;

pub use background::{Background, RatingNews};
pub use play::{ANCHOR, DEFAULT_VISITS, Ladder, LadderError, LadderSettings, OPPONENTS, read};
