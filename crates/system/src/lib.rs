//! What the operating system provides, for all crates: files, memory, threads, clocks, stop signals and standard error.

pub mod checked_lines;
pub mod files;
pub mod memory;
pub mod stop;
pub mod texts;
pub mod threads;
pub mod time;

pub use texts::{Plain, announced, notice, plain, plain_line, steers, text_output, warning};
