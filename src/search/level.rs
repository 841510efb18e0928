//! Playing levels: weaker play that a person may enjoy losing to, and at last beating.

use std::fmt;
use std::str::FromStr;

use rand::Rng;

use crate::games::Action;

use super::limits::Limits;
use super::tree_search::Search;

/// A move with a smaller share of the best one's visits, or of its prior, is played on no level: a weak player
/// is to choose poor moves, not absurd ones.
const LEAST_SHARE: f64 = 0.003;

/// How well the engine plays, by name. The lowest levels look one position ahead at most, but take a win that is
/// there; up to the highest but one moves are drawn by chance, so that no game is like the last one. docs/search.md
/// tells how far apart they are, and by which matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    name: &'static str,
    /// Visits a move at most; as many as are asked for where there is no number.
    visits: Option<u32>,
    /// Of the choice of the move; see [`Search::action_at`].
    temperature: f64,
}

const fn level(name: &'static str, visits: u32, temperature: f64) -> Level {
    Level { name, visits: Some(visits), temperature }
}

/// A text that names no level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{found}' is no level; {}hoose {choices}", meant(found), choices = Level::names())]
pub struct NoSuchLevel {
    found: String,
}

/// Texts that are more like the name of a level than this are taken for a slip.
const LIKELY: f64 = 0.8;

/// The level that somebody may have meant, as a part of a message up to the first letter of "choose".
fn meant(found: &str) -> String {
    let likeness = |level: &Level| strsim::jaro_winkler(&found.to_lowercase(), level.name);
    let nearest = Level::ALL.into_iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let likely = nearest.filter(|level| likeness(level) > LIKELY);
    likely.map_or_else(|| "c".to_owned(), |level| format!("did you mean '{level}'? C"))
}

impl Level {
    /// All of them, the weakest first.
    pub const ALL: [Self; 8] = [
        level("newcomer", 1, 2.8),
        level("beginner", 1, 1.8),
        level("casual", 1, 1.15),
        level("intermediate", 1, 0.65),
        level("advanced", 14, 0.6),
        level("strong", 44, 0.5),
        level("expert", 96, 0.25),
        Self::FULL,
    ];

    /// All that the search can do with what it is given.
    pub const FULL: Self = Self { name: "full", visits: None, temperature: 0.0 };

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether the level takes nothing away from the engine.
    pub fn is_full(&self) -> bool {
        *self == Self::FULL
    }

    /// The names of all levels, for messages.
    pub fn names() -> String {
        let [weaker @ .., strongest] = Self::ALL.map(|level| level.name);
        format!("{} or {strongest}", weaker.join(", "))
    }

    /// Gets a search ready that is to choose a move on this level, within the limits that are asked for, and gives
    /// the limits that it is to keep. What the search found out for other purposes, a hint for instance, makes a
    /// weak opponent no stronger. Where moves are drawn by their visits, no search stops before it has made them all.
    pub fn prepare(&self, search: &mut Search, asked: &Limits) -> Limits {
        if self.visits.is_some_and(|visits| search.visits() > visits) {
            search.forget();
        }
        let visits = self.visits.into_iter().chain(asked.visits).min();
        Limits { visits, early_stop: asked.early_stop && self.is_full(), ..*asked }
    }

    /// The move that is played after a search; none if the root was never judged.
    pub fn choose(&self, search: &Search, rng: &mut impl Rng) -> Option<Action> {
        search.sensible_action_at(self.temperature, LEAST_SHARE, rng)
    }
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
    type Err = NoSuchLevel;

    fn from_str(text: &str) -> Result<Self, NoSuchLevel> {
        let found = Self::ALL.into_iter().find(|level| level.name.eq_ignore_ascii_case(text));
        found.ok_or_else(|| NoSuchLevel { found: text.chars().take(24).collect() })
    }
}
