//! The search, the network, matches and training through the library.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/games.rs"]
mod games;
#[path = "../common/tiny.rs"]
mod tiny;

mod allocation;
mod analysis_kept;
mod arena;
mod clock;
mod device;
mod evaluation_cache;
mod events;
mod growth;
mod hex_truth;
mod hexifence_ends;
mod losses;
mod network;
mod puzzles;
mod recipes;
mod search;
mod search_truth;
mod targets;
mod tower;
