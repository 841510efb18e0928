//! Playing levels: weaker opponents for people.

use std::fmt;
use std::str::FromStr;

use rand::Rng;

use hexzero_games::{Action, Position};

use super::limits::{EarlyStop, Limits};
use super::tree_search::Search;

/// From `intermediate` up, a move needs at least this share of the best move's visits, or of its
/// prior, to be played: such players should choose poor moves, but not absurd ones.
const MIN_SHARE: f64 = 0.003;

/// A playing strength, by name. The lowest levels search at most one ply, but take an immediate
/// win. All but the highest draw their moves at random, so that games differ.
/// docs/results/matches.md lists the differences in strength and the matches that measured them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    name: &'static str,
    /// The most visits a move, or `None` if the level has no limit of its own.
    visits: Option<u32>,
    temperature: Temperature,
}

/// The temperature for drawing the move; see [`Search::action_at`].
#[derive(Debug, Clone, Copy, PartialEq)]
enum Temperature {
    /// The same temperature in all games.
    Fixed(f64),
    /// A temperature that each game defines,
    /// [`GameInfo::weak_levels`](hexzero_games::GameInfo::weak_levels).
    OfGame(usize),
}

const fn weak(name: &'static str, number: usize) -> Level {
    Level { name, visits: Some(1), temperature: Temperature::OfGame(number) }
}

const fn level(name: &'static str, visits: u32, temperature: f64) -> Level {
    Level { name, visits: Some(visits), temperature: Temperature::Fixed(temperature) }
}

/// An error: the text is not a level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{found}' is not a level; {}", advice(found))]
pub struct ParseLevelError {
    found: String,
}

/// A text that is more similar than this to the name of a level is taken for a typing error.
const LIKELY: f64 = 0.8;

/// Returns the level that the user may have meant, if there is one, and the names of all levels.
fn advice(found: &str) -> String {
    let likeness = |level: &Level| strsim::jaro_winkler(&found.to_lowercase(), level.name);
    let nearest = Level::ALL.into_iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let names = Level::names();
    match nearest.filter(|level| likeness(level) > LIKELY) {
        Some(level) => format!("did you mean '{level}'? Choose {names}"),
        None => format!("choose {names}"),
    }
}

impl Level {
    /// All levels, from the weakest.
    pub const ALL: [Self; 8] = [
        weak("newcomer", 0),
        weak("beginner", 1),
        weak("casual", 2),
        level("intermediate", 1, 0.65),
        level("advanced", 14, 0.6),
        level("strong", 44, 0.5),
        level("expert", 96, 0.25),
        Self::FULL,
    ];

    /// Full strength.
    pub const FULL: Self = Self { name: "full", visits: None, temperature: Temperature::Fixed(0.0) };

    /// Returns this level with another temperature, for calibrating it for a game. Full strength
    /// stays as it is.
    pub fn at_temperature(self, temperature: f64) -> Self {
        if self.is_full() {
            return self;
        }
        Self { temperature: Temperature::Fixed(temperature), ..self }
    }

    /// Returns the name of the level.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns whether this is full strength.
    pub fn is_full(&self) -> bool {
        self.name == Self::FULL.name
    }

    /// Lists the names of all levels, for messages.
    pub fn names() -> String {
        let [weaker @ .., strongest] = Self::ALL.map(|level| level.name);
        format!("{} or {strongest}", weaker.join(", "))
    }

    /// Prepares a search for a move on this level within the given limits, and returns the limits
    /// to use. Findings for other purposes, such as a hint, do not make a weak opponent stronger.
    /// If moves are drawn by their visits, the search must not stop early.
    pub fn prepare(&self, search: &mut Search, asked: &Limits) -> Limits {
        if self.visits.is_some_and(|visits| search.visits() > visits) {
            search.forget();
        }
        // Weak levels would otherwise play the endgame as well as the strongest.
        search.use_endgame_solver(self.is_full());
        let visits = self.visits.into_iter().chain(asked.visits).min();
        let early_stop = if self.is_full() { asked.early_stop } else { EarlyStop::Never };
        Limits { visits, early_stop, ..*asked }
    }

    /// Returns the move to play after a search, or `None` if the root was never evaluated.
    pub fn choose(&self, search: &Search, rng: &mut impl Rng) -> Option<Action> {
        let temperature = match self.temperature {
            Temperature::Fixed(temperature) => temperature,
            Temperature::OfGame(number) => temperature_on(search.position(), number),
        };
        let is_weak = Self::ALL[..3].iter().any(|weak| weak.name == self.name);
        search.sensible_action_at(temperature, if is_weak { 0.0 } else { MIN_SHARE }, rng)
    }
}

/// Exponents of [`temperature_on`], from the weakest level, calibrated on Hex and Cachex on 5×5 and
/// on the default board.
const BY_CELLS: [f64; 3] = [0.75, 0.5, 0.3];

/// Returns the temperature of a weak level on a position's board. On a smaller board a random move
/// is more often good by chance, so the same strength needs a higher temperature. On boards larger
/// than the default the temperature stays the same, which keeps the order of the levels.
fn temperature_on(position: &Position, number: usize) -> f64 {
    let (game, on) = (position.game(), position.game_board());
    let usual = game.game_board(game.boards.default).map_or(on.cells(), |usual| usual.cells());
    game.weak_levels[number] * (usual as f64 / on.cells() as f64).max(1.0).powf(BY_CELLS[number])
}

impl Default for Level {
    fn default() -> Self {
        Self::FULL
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Self, ParseLevelError> {
        let found = Self::ALL.into_iter().find(|level| level.name.eq_ignore_ascii_case(text));
        found.ok_or_else(|| ParseLevelError { found: text.chars().take(24).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::all_games;

    #[test]
    fn weaker_levels_draw_hotter_on_every_board() {
        for game in all_games() {
            for size in game.boards.sizes.clone() {
                let position = game.start(size).unwrap();
                let [newcomer, beginner, casual] = [0, 1, 2].map(|number| temperature_on(&position, number));
                assert!(newcomer > beginner && beginner > casual && casual > 0.65, "{}, size {size}", game.name());
            }
        }
    }
}
