//! Optional details of an analysis.

use crate::Engine;
use hexzero_games::Pick;

/// The details that an analysis includes on request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Details {
    /// The model's policy.
    pub policy: bool,
    /// The visits of each move of a line.
    pub variation_visits: bool,
    /// The board expected at the end of each line.
    pub line_boards: bool,
    /// The maximum number of moves of a line after its first; none for no limit.
    pub max_following: Option<usize>,
}

/// Returns the model's policy by place, each place's moves together, and last that of all moves that begin at no place, such as
/// the swap; -1 where no move is legal.
pub(super) fn policy(engine: &Engine) -> Vec<f32> {
    let position = engine.position();
    let places = position.board().places().len();
    let mut policy = vec![-1.0; places + 1];
    for (action, prior) in engine.policy() {
        let slot = match position.picks(action).first() {
            Some(&Pick::Place(place)) => usize::from(place),
            _ => places,
        };
        policy[slot] = f32::max(policy[slot], 0.0) + prior;
    }
    // Six digits: unlikely moves are told apart too.
    policy.into_iter().map(|share: f32| (share * 1e6).round() / 1e6).collect()
}
