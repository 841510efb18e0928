//! Files, threads, clocks, stop signals and lines on standard error: what the operating system gives, for all crates.

pub mod checked_lines;
pub mod files;
mod notice;
mod plain;
pub mod stop;
pub mod texts;
pub mod threads;
pub mod time;

pub use notice::{announced, notice, warning};
pub use plain::{Plain, plain, plain_line, steers, text_output};
