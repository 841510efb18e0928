//! Ratings of a run's checkpoints: against each other, their ancestors that is, and against built-in opponents who stay
//! the same. The games are kept in the run's folder; whoever plays more of them, afterwards ([`Ladder`]) or while the
//! run goes on ([`Background`]), adds to the same file, and [`read`] makes ratings of all that it holds.

mod background;
mod choice;
mod play;
mod rated;
mod standings;

pub use background::{Background, RatingNews};
pub use play::{DEFAULT_VISITS, Ladder, LadderError, LadderSettings};
pub use rated::{OPPONENTS, step_of};
pub use standings::{LadderStanding, LadderStandings, read};
