//! All that decides how a search goes, but for when it ends.

use super::choice::FinalChoice;
use super::puct::Puct;
use super::root::RootPolicy;

/// All that decides how a search goes, but for when it ends ([`super::Limits`]). The default is what plays best;
/// docs/search.md tells by which matches.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SearchSettings {
    /// How moves are looked at throughout the tree.
    pub puct: Puct,
    /// What is special about the root.
    pub root: RootPolicy,
    /// Which move is played in the end.
    pub choice: FinalChoice,
}

impl From<Puct> for SearchSettings {
    fn from(puct: Puct) -> Self {
        Self { puct, ..Self::default() }
    }
}

impl SearchSettings {
    /// What is wrong with the constants, if anything: those concerned and what is accepted.
    pub fn problem(&self) -> Option<String> {
        self.puct.problem().or_else(|| self.root.problem()).or_else(|| self.choice.problem())
    }
}
