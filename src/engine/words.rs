//! Names of moves and players, and what there is to say of a game.

use crate::games::{Action, Game, Position, Outcome, Seat};

use super::Engine;

impl Engine {
    /// The names of actions that follow one another from the present position.
    pub fn names(&self, actions: &[Action]) -> Vec<String> {
        actions.iter().map(|&action| self.game().action_name(action)).collect()
    }

    /// The global actions, such as the swap, that may be played now.
    pub fn global_actions(&self) -> Vec<&'static str> {
        let legal = |name: &&&str| self.legal_action(name).is_ok();
        G::GLOBAL_ACTION_NAMES.iter().filter(legal).copied().collect()
    }

    /// What a player is called.
    pub fn name_of(player: Seat) -> &'static str {
        G::PLAYER_NAMES[player.index()]
    }

    /// The board as text, with the last placed stone marked.
    pub fn board(&self) -> String {
        let marked = self.played.last().and_then(|played| played.cell);
        self.game().drawing(marked)
    }

    /// How a finished game ended, in words.
    pub fn ending(outcome: Outcome) -> String {
        use crate::games::EndReason::{Connection, Repetition, Resignation, Turns};
        let reason = match outcome.reason {
            Connection => "the two sides are connected",
            Repetition => "the position has occurred too often",
            Turns => "the turn limit has been reached",
            Resignation => "its opponent has resigned",
        };
        match outcome.winner {
            Some(winner) => format!("{} wins: {reason}", Self::name_of(winner)),
            None => format!("draw: {reason}"),
        }
    }
}
