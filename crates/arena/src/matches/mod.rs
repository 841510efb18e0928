//! Matches: pairs of games from the same opening with the colours exchanged.

mod fixture;
mod opening_suite;
mod openings;
mod play;
mod result;
mod roster;
mod venue;

pub use fixture::{Finished, Fixture};
pub use opening_suite::{ImpossibleFixture, OpeningSuite};
pub use openings::{Opening, openings};
pub use play::{KeptGames, MatchProgress, MatchSettings, play_match, play_match_at};
pub use result::{MatchResult, PlayerFailure};
pub use venue::{Fixtures, Host, MAX_FAULTS, MatchError, ThisMachine, Threads, Venue};
