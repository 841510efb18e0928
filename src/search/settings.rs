//! All that decides how a search goes, but for when it ends.

use super::choice::FinalChoice;
use super::puct::Puct;
use super::root::RootPolicy;

/// All that decides how a search goes, but for when it ends ([`super::Limits`]). The default is what plays best;
/// docs/search.md tells by which matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchSettings {
    /// How moves are looked at throughout the tree.
    pub puct: Puct,
    /// What is special about the root.
    pub root: RootPolicy,
    /// Which move is played in the end.
    pub choice: FinalChoice,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            puct: Puct { prior_temperature: 1.4, ..Puct::default() },
            root: RootPolicy::default(),
            choice: FinalChoice::default(),
        }
    }
}

impl From<Puct> for SearchSettings {
    /// A plain search with these constants, which plays the most visited move.
    fn from(puct: Puct) -> Self {
        Self { puct, root: RootPolicy::default(), choice: FinalChoice::MOST_VISITED }
    }
}

impl SearchSettings {
    /// What is wrong with the constants, if anything: those concerned and what is accepted.
    pub fn problem(&self) -> Option<String> {
        self.puct.problem().or_else(|| self.root.problem()).or_else(|| self.choice.problem())
    }
}
