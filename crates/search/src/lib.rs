//! Monte-Carlo tree search with PUCT (Silver et al., *Mastering the game of Go without human
//! knowledge*, 2017). Independent of networks: [`Search::select`] descends and returns a leaf,
//! [`Search::expand`] takes the leaf's evaluation from the caller.

mod clock;
mod exact;
mod findings;
mod forced;
mod level;
mod limits;
mod memory;
mod moves;
mod overhead;
mod playouts;
mod proofs;
mod pruning;
mod puct;
mod run;
mod settings;
mod statistics;
mod transpositions;
mod tree;
mod tree_search;

pub use clock::{Allowance, GameClock, MovesLeft, Overtime, TimeControl, TimeLeft};
pub use findings::RootMove;
pub use level::{Level, ParseLevelError};
pub use limits::{ClockPlan, EarlyStop, Limits, MAX_THREADS, ParseEarlyStopError, StopReason};
pub use playouts::{PLAYOUT_PUCT, RandomPlayouts};
pub use proofs::RootProof;
pub use puct::Puct;
pub use run::SearchRun;
pub use settings::{Exact, FinalChoice, RootNoise, SearchSettings, SettingsError};
pub use tree_search::{Leaf, Search, Selection};
