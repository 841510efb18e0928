//! hexzero: an AlphaZero engine for games on hexagonal boards.
//!
//! Load the model that ships, analyse a position and play a match:
//!
//! ```
//! use hexzero::arena::{MatchSettings, play_match};
//! use hexzero::games::{game_named, play_all};
//! use hexzero::network::{Backend, NetworkEvaluator, Precision};
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
//! let shipped = PlayerSource::network(game, "shipped".into(), &network, &Backend::default(), PlayerOptions::default(), limits, 16)?;
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
//! The programs in `examples/` play a match, evaluate positions with their own code, add a game from outside the crate,
//! read the games of a training run, and train with their own loss or their own network.
//!
//! The package is the program, and this library gathers what the crates in `crates/` offer under one name. A program
//! that needs less depends on the crates alone: `hexzero-games` for rules, `hexzero-search` and `hexzero-nn` for play,
//! `hexzero-train` for training. Each crate imports only from those above it in this list:
//!
//! | module | crate | contents |
//! |---|---|---|
//! | [`board`] | `hexzero-board` | cells, topology, coordinates, bit sets, drawing |
//! | [`files`], [`stop`], [`threads`], [`time`], [`texts`] | `hexzero-system` | files, threads, clocks, signals |
//! | [`games`] | `hexzero-games` | the rules, positions and descriptions of games |
//! | [`prove`] | `hexzero-prove` | proofs of won positions |
//! | [`search`] | `hexzero-search` | tree, PUCT, limits |
//! | [`network`] | `hexzero-nn`, `hexzero-graph` | checkpoints and fast evaluation; the network in candle |
//! | [`models`] | `hexzero-models` | the shipped checkpoints |
//! | [`replay`] | `hexzero-replay`, `hexzero-selfplay` | games for other programs; records, shards, the sampling window |
//! | [`engine`] | `hexzero-engine` | a game in progress, analysis, reviews |
//! | [`players`], [`arena`] | `hexzero-arena` | players, matches, tournaments, ratings |
//! | [`selfplay`] | `hexzero-selfplay` | games of self-play, one or many at once |
//! | [`contract`] | `hexzero-contract` | what every game has to keep, as checks for tests |
//! | [`training`] | `hexzero-train` | losses, optimiser, training runs |
//! | [`ladder`], [`report`], [`experiment`] | `hexzero-experiments` | ratings of a run's checkpoints, charts, recipes compared |
//! | `cluster` | `hexzero-cluster` | self-play on many machines, over a broker |
//! | [`export`] | `hexzero-export` | networks for other programs: ONNX, a NumPy player |
//! | [`benchmark`] | `hexzero-benchmark` | the speed of this machine |
//! | [`interfaces`] | `hexzero-protocol`, `hexzero-web`, `hexzero-program` | the page and its server, GTP, terminal, command line |
#![deny(missing_docs)]

pub use hexzero_arena as arena;
pub use hexzero_arena::players;
pub use hexzero_benchmark as benchmark;
pub use hexzero_board as board;
#[cfg(feature = "cluster")]
pub use hexzero_cluster as cluster;
pub use hexzero_contract as contract;
pub use hexzero_experiments::{experiment, ladder, report};
pub use hexzero_export as export;
pub use hexzero_games as games;
pub use hexzero_models as models;
pub use hexzero_prove as prove;
pub use hexzero_search as search;
pub use hexzero_selfplay as selfplay;
pub use hexzero_system::{files, stop, texts, threads, time};
pub use hexzero_train as training;

/// A game in progress, analysis, reviews, puzzles, and models from files.
pub mod engine {
    pub use hexzero_engine::*;
    pub use hexzero_train::model_files;
}

/// Networks: checkpoints and fast evaluation, and the network in candle for training and devices.
pub mod network {
    pub use hexzero_graph::*;
    pub use hexzero_nn::*;
}

/// Finished games: for people and other programs, and as training reads them.
pub mod replay {
    pub use hexzero_replay::*;
    pub use hexzero_selfplay::shards::*;
}

/// The interfaces for people and programs.
pub mod interfaces {
    use std::process::ExitCode;

    pub use hexzero_program::{cli, gtp, terminal};
    pub use hexzero_protocol as protocol;
    pub use hexzero_web as web;

    /// The files of the page, compiled in.
    pub const PAGE_FILES: web::PageFiles = web::PageFiles {
        page: &hexzero_page::PAGE,
        manifest: hexzero_page::MANIFEST,
        service_worker: hexzero_page::SERVICE_WORKER,
    };

    /// Runs the program `hexzero` with this process's arguments and returns its exit code. A program that has
    /// registered games of its own ([`crate::games::register`]) calls this and has them in every command.
    pub fn run() -> ExitCode {
        hexzero_program::run(PAGE_FILES)
    }
}
