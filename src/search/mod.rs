//! Monte-Carlo tree search with PUCT (Silver et al., *Mastering the game of Go without human
//! knowledge*, 2017). Knows no network: [`Search::select`] walks down and hands out a leaf,
//! [`Search::expand`] takes what somebody made of it.

mod clock;
mod limits;
mod noise;
mod overhead;
mod puct;
mod puct_search;
mod tree;

pub use clock::{Allowance, GameClock, MovesLeft, Overtime, TimeControl, TimeLeft};
pub use limits::Limits;
pub use noise::RootNoise;
pub use puct::Puct;
pub use puct_search::{Leaf, RootMove, Search};
