//! The name of the program, for the commands that its messages suggest: crates with games of their own make other programs.

use std::ffi::OsStr;
use std::path::Path;

/// Returns the name by which the program was called.
pub fn program_name() -> String {
    let called = std::env::args_os().next().unwrap_or_default();
    Path::new(&called).file_stem().and_then(OsStr::to_str).unwrap_or("hexzero").to_owned()
}
