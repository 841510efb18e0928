//! Results as JSON.

use std::io::{self, Write};

use serde::Serialize;

/// Writes a result as a line of JSON.
pub fn write_json(output: &mut impl Write, result: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, result)?;
    writeln!(output)
}
