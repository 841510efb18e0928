//! Prints lines on standard error, ignoring failures; `eprintln!` would panic. What they quote cannot steer the terminal.

use std::fmt::Display;
use std::io::{Write, stderr};

use super::plain::plain;

/// Prints a line on standard error.
pub(crate) fn notice(text: impl Display) {
    let _ = writeln!(stderr(), "{}", plain(&text.to_string()));
}

/// Prints a warning on standard error.
pub(crate) fn warning(text: impl Display) {
    notice(format_args!("warning: {text}"));
}
