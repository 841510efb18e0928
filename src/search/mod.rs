//! Monte-Carlo tree search with PUCT (Silver et al., *Mastering the game of Go without human
//! knowledge*, 2017). Independent of networks: [`Search::select`] descends and returns a leaf,
//! [`Search::expand`] takes the leaf's evaluation from the caller.

mod by_clock;
mod choice;
mod clock;
mod exact;
mod findings;
mod gumbel;
mod level;
mod limits;
mod noise;
mod overhead;
mod playouts;
mod power;
mod proof;
mod pruning;
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
pub use limits::{EarlyStop, Limits, MOST_THREADS, NoSuchEarlyStop, StopReason};
pub use noise::RootNoise;
pub use playouts::{PLAYOUT_PUCT, RandomPlayouts};
pub use puct::Puct;
pub use root::{RootMethod, RootPolicy};
pub use run::SearchRun;
pub use settings::{Exact, SearchSettings};
pub use tree_search::{Leaf, Search, Selection};
