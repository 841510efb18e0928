//! Results as JSON.

use std::io::{self, StdoutLock, Write, stdout};

use serde::Serialize;

/// Writes a result as a line of JSON.
pub fn write_json(output: &mut impl Write, result: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, result)?;
    writeln!(output)
}

/// Prints a result as a line of JSON if `json` is set, else as the text that `write_text` writes.
pub fn print_result(
    json: bool,
    result: &impl Serialize,
    write_text: impl FnOnce(&mut StdoutLock<'static>) -> io::Result<()>,
) -> io::Result<()> {
    let output = &mut stdout().lock();
    if json { write_json(output, result) } else { write_text(output) }
}
