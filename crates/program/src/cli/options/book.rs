//! The option for the openings of matches.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::error::CliError;
use hexzero_arena::OpeningBook;
use hexzero_games::Game;

/// The word for random plies in place of a file.
const RANDOM: &str = "random";

/// The option for the openings of matches.
#[derive(Debug, Args)]
pub struct BookArgs {
    /// Begin each pair of games with the moves of a game in FILE, JSON lines or SGF, or with 'random' plies (default:
    /// the balanced openings that ship for the board, if any do)
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
}

impl BookArgs {
    /// Returns the openings for matches on boards of these sizes.
    pub fn book(&self, game: Game, sizes: &[usize]) -> Result<OpeningBook, CliError> {
        Ok(self.given(game, sizes)?.unwrap_or_else(|| OpeningBook::shipped(game)))
    }

    /// Returns the openings as [`BookArgs::book`] does; none if the option was not given.
    pub fn given(&self, game: Game, sizes: &[usize]) -> Result<Option<OpeningBook>, CliError> {
        let path = match &self.openings {
            None => return Ok(None),
            Some(word) if word == Path::new(RANDOM) => return Ok(Some(OpeningBook::random(game))),
            Some(path) => path,
        };
        let book = OpeningBook::open(game, path)?;
        match sizes.iter().find(|&&size| book.on(size).is_empty()) {
            None => Ok(Some(book)),
            Some(&size) => {
                let found: Vec<String> = book.sizes().map(|size| game.board_name(size)).collect();
                let found = if found.is_empty() { "no board".to_owned() } else { found.join(", ") };
                let (path, board) = (path.display(), game.a_board(size));
                Err(CliError::Request(format!(
                    "{path}: no openings for {board}, only for {found}; 'hexzero study balanced' finds some"
                )))
            }
        }
    }
}
