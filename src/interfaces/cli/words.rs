//! The language of the pages that the program writes.

use std::path::PathBuf;

use clap::Args;

use crate::interfaces::error::CliError;
use crate::report::Words;

/// A translation.
#[derive(Debug, Clone, Args)]
pub struct WordsArg {
    /// Take the texts of the page from this translation of src/report/words.json
    #[arg(long, value_name = "FILE", hide = true)]
    words: Option<PathBuf>,
}

impl WordsArg {
    /// Reads the translation; without one the texts are English.
    pub fn read(&self) -> Result<Words, CliError> {
        let read = self.words.as_deref().map(Words::read).transpose().map_err(CliError::failed)?;
        Ok(read.unwrap_or_else(|| Words::english().clone()))
    }
}
