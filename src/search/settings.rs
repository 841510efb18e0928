//! Settings of a search, except its limits.

use super::choice::FinalChoice;
use super::puct::Puct;
use super::root::RootPolicy;

/// Settings of a search, except its limits ([`super::Limits`]). The default plays best; docs/search.md lists the
/// matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchSettings {
    /// Selection throughout the tree.
    pub puct: Puct,
    /// Policies special to the root.
    pub root: RootPolicy,
    /// Choice of the final move.
    pub choice: FinalChoice,
    /// Whether positions that the game itself solves ([`EndSolver`](crate::games::EndSolver)) are proven without search.
    pub exact: bool,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            puct: Puct { prior_temperature: 1.4, ..Puct::default() },
            root: RootPolicy::default(),
            choice: FinalChoice::default(),
            exact: true,
        }
    }
}

impl From<Puct> for SearchSettings {
    /// Returns a plain search with these constants, which plays the most visited move.
    fn from(puct: Puct) -> Self {
        Self { puct, choice: FinalChoice::MOST_VISITED, ..Self::default() }
    }
}

impl SearchSettings {
    /// Describes the invalid constants and the accepted ones; returns none if all are valid.
    pub fn problem(&self) -> Option<String> {
        self.puct.problem().or_else(|| self.root.problem()).or_else(|| self.choice.problem())
    }
}
