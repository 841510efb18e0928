//! Prints lines on standard error, ignoring failures; `eprintln!` would panic.

use std::fmt::Display;
use std::io::{Write, stderr};

/// Prints a line on standard error.
pub(crate) fn notice(text: impl Display) {
    let _ = writeln!(stderr(), "{text}");
}

/// Prints a warning on standard error.
pub(crate) fn warning(text: impl Display) {
    notice(format_args!("warning: {text}"));
}
