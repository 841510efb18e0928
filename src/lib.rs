//! hexzero: an AlphaZero engine for games on hexagonal boards.
//!
//! The folders from the ground up; each imports only from those above it in this list:
//!
//! | module | contents |
//! |---|---|
//! | [`board`] | cells, topology, coordinates, bit sets, drawing |
//! | [`games`] | the rules, positions and descriptions of games |
//! | [`network`] | architecture, hexagonal convolution, checkpoints, fast evaluation |
//! | [`search`] | tree, PUCT, limits |
//! | [`replay`] | game records, shards on disk, the sampling window |
//! | [`selfplay`] | one game from first move to record; many games at once |
//! | [`training`] | losses, optimiser, the run and its resuming |
//! | `cluster` | self-play on many machines, over a broker |
//! | [`arena`] | matches, openings, ratings, built-in opponents |
//! | [`ladder`] | ratings of a run's checkpoints |
//! | [`benchmark`] | how fast this machine is |
//! | [`report`] | charts, and a page that shows a run |
//! | [`export`] | networks for use elsewhere: ONNX, a NumPy player |
//! | [`engine`] | a game in progress and an engine that follows it |
//! | [`interfaces`] | command line, terminal board, GTP, web server |
//!
//! Beside them, [`files`] writes files whole, and [`models`] holds the shipped checkpoints.
#![deny(missing_docs)]
#![warn(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

pub mod arena;
pub mod benchmark;
pub mod board;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod engine;
pub mod export;
pub mod files;
pub mod games;
pub mod interfaces;
pub mod ladder;
pub mod models;
pub mod network;
pub mod replay;
pub mod report;
pub mod search;
pub mod selfplay;
pub mod training;
