//! Monte-Carlo tree search with PUCT (Silver et al., *Mastering the game of Go without human
//! knowledge*, 2017). Knows no network: [`Search::select`] walks down and hands out a leaf,
//! [`Search::expand`] takes what somebody made of it.

mod by_clock;
mod choice;
mod clock;
mod findings;
mod gumbel;
mod level;
mod limits;
mod noise;
mod overhead;
mod power;
mod proof;
mod puct;
mod root;
mod run;
mod settings;
mod target;
mod tree;
mod tree_search;

pub use by_clock::ClockPlan;
pub use choice::FinalChoice;
pub use clock::{Allowance, GameClock, MovesLeft, Overtime, TimeControl, TimeLeft};
pub use findings::RootMove;
pub use level::{Level, NoSuchLevel};
pub use limits::{Limits, MOST_THREADS};
pub use noise::RootNoise;
pub use puct::Puct;
pub use root::{RootMethod, RootPolicy};
pub use settings::SearchSettings;
pub use tree_search::{Leaf, Search, Selection};
