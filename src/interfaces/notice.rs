//! Prints lines on standard error, ignoring failures; `eprintln!` would panic.

use std::fmt::Display;
use std::io::{Write, stderr};

use crate::texts::without_error_numbers;

/// Prints a line on standard error. Errors of the system are printed without their numbers.
pub(crate) fn notice(text: impl Display) {
    let _ = writeln!(stderr(), "{}", without_error_numbers(&text.to_string()));
}

/// Prints a warning on standard error.
pub(crate) fn warning(text: impl Display) {
    notice(format_args!("warning: {text}"));
}
