//! What is kept of a self-play game.

use serde::{Deserialize, Serialize};

use crate::games::{Action, Outcome, WinDrawLoss};

/// A finished game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The board's size.
    pub size: u8,
    /// Every ply, from the first.
    pub turns: Vec<TurnRecord>,
    /// How it ended. After a resignation the moves lead to a position in which the game goes on.
    pub outcome: Outcome,
    /// Positions that its searches wanted judged, those that a cache knew included: so the number does not depend
    /// on who else plays.
    pub evaluations: u32,
    /// Whether no side could resign. Such games tell how often a resignation would have been wrong.
    pub played_out: bool,
}

/// One ply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnRecord {
    /// What was played.
    pub action: Action,
    /// The search behind it; none if the move was drawn at random to open the game.
    pub search: Option<SearchRecord>,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchRecord {
    /// Whether it was a full search, with noise, whose findings are a target for the policy; a cheap
    /// one's are not.
    pub full: bool,
    /// Visits that this search added to what the tree held already.
    pub visits: u32,
    /// What the policy is to learn, moves with weights: visits, or for a Gumbel root multiples of a probability.
    /// Only for full searches.
    pub policy: Vec<(Action, u32)>,
    /// The chances of the player to move.
    pub outcome: WinDrawLoss,
    /// Whether the search has proven them: they are then exact.
    pub proven: bool,
    /// How far what the policy is to learn is from what the network said: the Kullback-Leibler divergence from its
    /// priors, before noise and temperature. 0 for cheap searches, and where the network was not asked.
    pub surprise: f32,
}

impl GameRecord {
    /// Whether the search at a turn is a target for the policy.
    pub fn has_policy(&self, turn: usize) -> bool {
        self.policy(turn).is_some()
    }

    /// The turns whose searches are targets for the policy.
    pub fn policy_turns(&self) -> impl Iterator<Item = usize> {
        (0..self.turns.len()).filter(|&turn| self.has_policy(turn))
    }

    /// The weights of the moves at a turn if they are a target for the policy.
    pub fn policy(&self, turn: usize) -> Option<&[(Action, u32)]> {
        let search = self.turns.get(turn)?.search.as_ref()?;
        (search.full && !search.policy.is_empty()).then_some(&search.policy)
    }
}
