//! The openings of self-play games.

use rand::Rng;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use hexzero_games::{Action, Game, GameRng, Position};
use hexzero_search::SettingsError;

/// Upper bounds accepted: of the positions, and of the exponent of their ranks.
const MAX_RESTARTS: usize = 10_000;
const MAX_EXPONENT: f64 = 10.0;

/// Settings of the openings of self-play games. Every field is a key of the recipe's `[selfplay.opening]` table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OpeningSettings {
    /// The probability that a game opens with a move drawn uniformly; after it, a second and further
    /// ones follow with the same probability each time, so that unlikely positions are met too.
    pub random: f64,
    /// A file of games whose moves lead to positions to begin from, as JSON lines or SGF; from the folder of the recipe.
    pub file: Option<PathBuf>,
    /// The share of the games that begin from a position of the file. On boards for which it has none they begin as
    /// others do.
    pub file_share: f64,
    /// The share of the games that begin from a position in which the search was wrong: see [`crate::RestartBuffer`].
    pub restart_share: f64,
    /// The number of such positions that are kept.
    pub restart_buffer: usize,
    /// The position of rank `r`, by the greatest error, is drawn with probability proportional to `r^-exponent`
    /// (rank-based prioritisation, Schaul et al., *Prioritized experience replay*, 2016).
    pub restart_exponent: f64,
}

impl Default for OpeningSettings {
    fn default() -> Self {
        let (file, file_share, restart_share) = (None, 0.0, 0.0);
        Self { random: 0.4, file, file_share, restart_share, restart_buffer: 100, restart_exponent: 0.7 }
    }
}

impl OpeningSettings {
    /// Checks the settings.
    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        let &Self { random, ref file, file_share, restart_share, restart_buffer, restart_exponent } = self;
        SettingsError::check("random", random, (0.0..1.0).contains(&random), "0 to below 1")?;
        for (name, share) in [("file_share", file_share), ("restart_share", restart_share)] {
            SettingsError::check(name, share, (0.0..=1.0).contains(&share), "0 to 1")?;
        }
        SettingsError::unless(file_share + restart_share <= 1.0, || {
            format!("file_share = {file_share}, restart_share = {restart_share}; accepted: up to 1 together")
        })?;
        SettingsError::check("file_share", file_share, file_share == 0.0 || file.is_some(), "0 without a file")?;
        let (fits, accepted) = ((1..=MAX_RESTARTS).contains(&restart_buffer), format!("1 to {MAX_RESTARTS}"));
        SettingsError::check("restart_buffer", restart_buffer, fits, accepted)?;
        let (fits, accepted) = ((0.0..=MAX_EXPONENT).contains(&restart_exponent), format!("0 to {MAX_EXPONENT}"));
        SettingsError::check("restart_exponent", restart_exponent, fits, accepted)
    }

    /// Draws a position to begin with, and the moves that lead to it.
    ///
    /// # Panics
    /// If there is no board of this size.
    pub(super) fn draw(&self, game: Game, size: usize, rng: &mut GameRng) -> (Position, Vec<Action>) {
        let mut position = game.start(size).expect("a checked size");
        let mut plies = 0;
        while plies < position.turn_limit() && rng.random_bool(self.random) {
            plies += 1;
        }
        let mut actions = Vec::new();
        while actions.len() < plies
            && let Some(action) = position.random_action(rng)
        {
            position.play(action);
            actions.push(action);
        }
        (position, actions)
    }
}
