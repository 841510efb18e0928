//! The rules of the games, and exact values, against other implementations and by hand.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/games.rs"]
mod games;
#[path = "../common/plain.rs"]
mod plain;

mod cachex_conformance;
mod cachex_properties;
mod cachex_rules;
mod contract;
mod exact;
mod family;
mod hex_rules;
mod order;
mod solver;
mod truth;
mod variations;
mod winning;
