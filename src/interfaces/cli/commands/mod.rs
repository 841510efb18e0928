//! The commands, one file each: the arguments of a command, and `run`, which carries it out.

pub mod analyze;
pub mod arena;
pub mod bench;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod completions;
pub mod export;
pub mod games;
pub mod gtp;
pub mod inspect;
pub mod ladder;
pub mod man;
pub mod openings;
pub mod perft;
pub mod play;
pub mod replay;
pub mod report;
pub mod review;
#[cfg(feature = "serve")]
pub mod serve;
pub mod solve;
pub mod tournament;
pub mod train;
#[cfg(feature = "cluster")]
pub mod worker;
