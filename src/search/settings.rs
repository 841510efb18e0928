//! Settings of a search, except its limits.

use crate::games::{EndSolver, Position, SolvedBoard};

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
    /// Positions that are proven without search.
    pub exact: Exact,
}

/// Positions whose results a search takes from the game's solvers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Exact {
    /// None.
    Off,
    /// Ends, in games that solve them ([`Rules::ends`](crate::games::Rules::ends)).
    #[default]
    Ends,
    /// All positions of a board that the game's solver takes ([`SolvedBoard`](crate::games::SolvedBoard)), or else ends. The
    /// first [`Search::new`](super::Search::new) on a board takes the seconds that the solver does.
    Board,
}

impl Exact {
    /// Returns a solver for what follows from a position, if there is one.
    pub(super) fn solver(self, position: &Position) -> Option<Box<dyn EndSolver>> {
        match self {
            Self::Off => None,
            Self::Ends => position.ends(),
            Self::Board => SolvedBoard::of(position)
                .map(|board| -> Box<dyn EndSolver> { Box::new(board) })
                .or_else(|| position.ends()),
        }
    }
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            puct: Puct { prior_temperature: 1.4, ..Puct::default() },
            root: RootPolicy::default(),
            choice: FinalChoice::default(),
            exact: Exact::default(),
        }
    }
}

impl From<Puct> for SearchSettings {
    /// Returns a plain search with these constants, without exact ends, which plays the most visited move.
    fn from(puct: Puct) -> Self {
        Self { puct, choice: FinalChoice::MOST_VISITED, exact: Exact::Off, ..Self::default() }
    }
}

impl SearchSettings {
    /// Describes the invalid constants and the accepted ones; returns none if all are valid.
    pub fn problem(&self) -> Option<String> {
        self.puct.problem().or_else(|| self.root.problem()).or_else(|| self.choice.problem())
    }
}
