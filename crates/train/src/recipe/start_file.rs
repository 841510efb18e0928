//! The file of start positions that a recipe names.

use std::path::{Path, PathBuf};

use hexzero_arena::OpeningBook;
use hexzero_games::Game;
use hexzero_models::digest;
use hexzero_selfplay::Start;
use hexzero_system::files::read_at_most;

use super::{Recipe, RecipeError};

/// The limit on the file.
const MAX_BYTES: u64 = 64 << 20;

/// The limit on the number of positions and the moves to them: they are sent to every machine of a cluster.
const MAX_MOVES: usize = 1 << 20;

/// The contents of [`hexzero_selfplay::OpeningSettings::file`].
#[derive(Debug)]
pub(crate) struct StartFile {
    /// The file name of the copy in a run's folder. It contains a digest of the contents, so a change of the file is a
    /// change of the recipe.
    pub name: PathBuf,
    pub bytes: Vec<u8>,
    pub starts: Vec<Start>,
}

impl StartFile {
    /// Reads the file that a recipe names, if it names one; a relative path begins at `folder`. Changes the recipe to
    /// name the copy.
    ///
    /// # Errors
    /// If the file cannot be read, holds no games, or has no position on the boards of the recipe.
    pub fn take(recipe: &mut Recipe, game: Game, folder: &Path) -> Result<Option<Self>, RecipeError> {
        let Some(file) = &recipe.selfplay.opening.file else { return Ok(None) };
        let path = folder.join(file);
        let unusable = |problem: String| RecipeError::Starts { path: path.clone(), problem };
        let bytes = read_at_most(&path, MAX_BYTES).map_err(|error| unusable(error.to_string()))?;
        let book = OpeningBook::read(game, "starts", &bytes[..]).map_err(|error| unusable(error.to_string()))?;
        let played: Vec<usize> = recipe.all_sizes().into_iter().collect();
        let on = |size: &usize| {
            let size = *size;
            book.on(size).iter().map(move |moves| Start { size: size as u8, moves: moves.clone() })
        };
        let starts: Vec<Start> = played.iter().flat_map(on).collect();
        if starts.is_empty() {
            let names = |sizes: &[usize]| {
                let names: Vec<String> = sizes.iter().map(|&size| game.board_name(size)).collect();
                if names.is_empty() { "none".to_owned() } else { names.join(", ") }
            };
            let (found, played) = (names(&book.sizes().collect::<Vec<_>>()), names(&played));
            return Err(unusable(format!("it has positions on these boards: {found}; the recipe plays on: {played}")));
        }
        let moves = starts.iter().map(|start| start.moves.len() + 1).sum::<usize>();
        if moves > MAX_MOVES {
            return Err(unusable(format!("{moves} positions and moves to them; accepted: up to {MAX_MOVES}")));
        }
        let ending = path.extension().unwrap_or_default();
        let name = PathBuf::from(format!("starts-{}", digest(&bytes))).with_extension(ending);
        recipe.selfplay.opening.file = Some(name.clone());
        Ok(Some(Self { name, bytes, starts }))
    }
}
