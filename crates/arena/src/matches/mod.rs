//! Games of pairs of players from the same openings, and the venues that they are played at.

mod book;
mod fixture;
mod opening_suite;
mod openings;
mod points;
mod roster;
mod venue;

pub use book::{BookError, NamedBoard, OpeningBook, OpeningUse};
pub use fixture::{Finished, Fixture, PlayerFailure};
pub use opening_suite::OpeningSuite;
pub use openings::{Opening, openings};
pub use points::PointsEstimate;
pub use venue::{Fixtures, Host, MAX_FAULTS, MatchError, ThisMachine, Threads, Venue};
