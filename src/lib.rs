//! hexzero: an AlphaZero engine for games on hexagonal boards.
//!
//! Load the model that ships, analyse a position and play a match:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use hexzero::arena::{MatchSettings, PlayerOptions, PlayerSource, PlayerSpec, play_match};
//! use hexzero::games::{game_named, play_all};
//! use hexzero::network::{NetworkEvaluator, Precision};
//! use hexzero::search::{Limits, Search, SearchSettings};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let game = game_named("hex")?;
//! let network = hexzero::models::shipped(game)?;
//!
//! let mut position = game.start(5)?;
//! play_all(&mut position, "a1 c3")?;
//! let mut evaluator = NetworkEvaluator::new(game, &network, "shipped", Precision::best())?;
//! let mut search = Search::new(position.clone(), SearchSettings::default());
//! search.run(&mut evaluator, &Limits::visits(200));
//! let best = search.best_action().expect("the game goes on");
//! println!("{}: {:.0} %", position.action_name(best), 100.0 * search.root_outcome().expected());
//!
//! let limits = Limits::visits(50);
//! let shipped = PlayerSource::network(game, "shipped".into(), &network, PlayerOptions::default(), limits, 16)?;
//! let random = PlayerSource::built_in(PlayerSpec::Random);
//! let settings = MatchSettings { size: 5, games: 10, seed: 0, sequential: None, threads: 0 };
//! let stop = AtomicBool::new(false);
//! let result = play_match(game, || shipped.player(), || random.player(), &settings, &stop, |_| ())?;
//! println!("{} of {} won, {:+.0} Elo", result.tally.wins_a, result.tally.games, result.elo.elo);
//! # assert!(result.tally.wins_a >= 8);
//! # Ok(())
//! # }
//! ```
//!
//! The folder `examples/` has programs that play a match, judge positions by code of their own, add a game from outside the
//! crate, read the games of a training run, and train with a loss of their own.
//!
//! Default features are the program: `cli` (command line, terminal, GTP) and `web` (the page and its server). A program that
//! uses the library alone leaves both out: `hexzero = { version = "0.1", default-features = false }`.
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
//! | `interfaces` | with the feature `cli`: command line, terminal board, GTP, web server |
//!
//! Beside them, [`files`] writes files whole, [`models`] holds the shipped checkpoints, and [`threads`] starts threads that the system may refuse.
#![deny(missing_docs)]
// `print!` and `eprint!` panic where nobody reads any more.
#![warn(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks, clippy::print_stderr, clippy::print_stdout)]

pub mod arena;
pub mod benchmark;
pub mod board;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod engine;
pub mod export;
pub mod files;
pub mod games;
#[cfg(feature = "cli")]
pub mod interfaces;
pub mod ladder;
pub mod models;
pub mod network;
pub mod replay;
pub mod report;
pub mod search;
pub mod selfplay;
pub mod threads;
pub mod training;
