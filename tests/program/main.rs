//! The program as people and other programs meet it: command line, GTP, terminal and server.

#[path = "../common/mod.rs"]
mod common;
#[expect(dead_code, reason = "other tests need more of it")]
#[path = "../common/games.rs"]
mod games;
#[cfg(all(feature = "cluster", unix))]
#[path = "../common/nats.rs"]
mod nats;
#[path = "../common/process.rs"]
mod process;
#[path = "../common/serving.rs"]
mod serving;
#[path = "../common/tiny.rs"]
mod tiny;

#[cfg(target_os = "linux")]
mod besieged;
mod cli_analyze;
mod cli_arena;
mod cli_arena_faults;
mod cli_arena_programs;
mod cli_balanced;
mod cli_batch;
mod cli_bench;
mod cli_device;
mod cli_diverged;
mod cli_experiment;
mod cli_export;
mod cli_files;
mod cli_games;
mod cli_gtp;
mod cli_hex;
mod cli_inspect;
mod cli_ladder;
mod cli_openings;
mod cli_packaging;
mod cli_play;
mod cli_prove;
mod cli_puzzles;
mod cli_recipes;
mod cli_report;
mod cli_resume;
mod cli_review;
mod cli_seeds;
mod cli_serve;
mod cli_shared;
mod cli_starts;
mod cli_tournament;
mod cli_toys;
mod cli_train;
mod cli_usage;
#[cfg(all(feature = "cluster", unix))]
mod cluster;
mod damage;
mod documents;
mod escapes;
mod gtp;
mod gtp_clients;
mod gtp_foreign;
mod gtp_properties;
mod gtp_questions;
#[cfg(target_os = "linux")]
mod hostile;
mod library_examples;
mod no_threads;
mod output;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod power_cut;
mod runs;
mod terminal;
mod terminal_games;
mod terminal_screen;
mod texts;

/// Stands in the list of tests for those that are left out.
#[cfg(not(feature = "cluster"))]
#[test]
#[ignore = "they need --features cluster and nats-server"]
fn tests_of_the_cluster() {}
