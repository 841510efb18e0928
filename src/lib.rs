//! hexzero: an AlphaZero engine for games on hexagonal boards.
//!
//! Load the model that ships, analyse a position and play a match:
//!
//! ```
//! use hexzero::arena::{MatchSettings, play_match};
//! use hexzero::games::{game_named, play_all};
//! use hexzero::network::{NetworkEvaluator, Precision};
//! use hexzero::players::{PlayerOptions, PlayerSource, PlayerSpec};
//! use hexzero::search::{Limits, Search, SearchSettings};
//! use hexzero::stop::StopSignal;
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
//! let stop = StopSignal::new();
//! let result = play_match(game, || shipped.player(), || random.player(), &settings, &stop, |_| ())?;
//! println!("{} of {} won, {:+.0} Elo", result.tally.wins_a, result.tally.games, result.elo.elo);
//! # assert!(result.tally.wins_a >= 8);
//! # Ok(())
//! # }
//! ```
//!
//! The programs in `examples/` play a match, evaluate positions with their own code, add a game from outside the crate, read
//! the games of a training run, and train with their own loss or their own network.
//!
//! The default features are those of the program: `cli` (command line, terminal, GTP) and `serve` (the page and its server).
//! Programs that use the library alone leave both out: `hexzero = { version = "0.1", default-features = false, features = ["learn"] }`.
//!
//! The modules from the bottom up; each imports only from those above it in this list:
//!
//! | module | contents |
//! |---|---|
//! | [`board`] | cells, topology, coordinates, bit sets, drawing |
//! | [`games`] | the rules, positions and descriptions of games |
//! | [`network`] | architecture, hexagonal convolution, checkpoints, fast evaluation |
//! | [`search`] | tree, PUCT, limits |
//! | [`replay`] | game records, shards on disk, the sampling window |
//! | [`contract`] | what every game has to keep, as checks for tests |
//! | [`selfplay`] | games of self-play, one or many at once |
//! | [`training`] | losses, optimiser, training runs |
//! | `cluster` | self-play on many machines, over a broker |
//! | [`players`] | the search as a player, players without a network, other programs |
//! | [`arena`] | matches, openings, tournaments, ratings |
//! | [`ladder`] | ratings of a run's checkpoints |
//! | [`benchmark`] | the speed of this machine |
//! | [`report`] | charts, and the page about a run |
//! | [`export`] | networks for other programs: ONNX, a NumPy player |
//! | [`engine`] | a game in progress, analysis, reviews |
//! | [`experiment`] | recipes × seeds, trained and compared |
//! | `interfaces` | with the feature `cli`: command line, terminal board, GTP, web server |
//!
//! Beside them, `board_ui` has the scripts that draw boards in a browser, [`files`] writes files atomically, [`models`] holds the shipped checkpoints, [`threads`] starts threads,
//! [`texts`] has texts for people, and [`stop`] stops long work.
#![deny(missing_docs)]
// `print!` and `eprint!` panic on a broken pipe.
#![warn(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks, clippy::print_stderr, clippy::print_stdout)]

#[cfg(feature = "learn")]
pub mod arena;
#[cfg(feature = "learn")]
pub mod benchmark;
pub mod board;
#[cfg(feature = "learn")]
mod board_ui;
mod checked_lines;
#[cfg(feature = "cluster")]
pub mod cluster;
#[cfg(feature = "learn")]
pub mod contract;
pub mod engine;
#[cfg(feature = "learn")]
pub mod experiment;
#[cfg(feature = "learn")]
pub mod export;
pub mod files;
pub mod games;
pub mod interfaces;
#[cfg(feature = "learn")]
pub mod ladder;
pub mod models;
pub mod network;
#[cfg(feature = "learn")]
pub mod players;
pub mod replay;
#[cfg(feature = "learn")]
pub mod report;
pub mod search;
#[cfg(feature = "learn")]
pub mod selfplay;
pub mod stop;
pub mod texts;
pub mod threads;
pub mod time;
#[cfg(feature = "learn")]
pub mod training;
