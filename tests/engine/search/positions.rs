//! Positions and evaluators made up for the tests.

use hexzero::games::{Action, Evaluation, Position, WinDrawLoss};
use hexzero::search::Search;

use crate::games::{self, cachex};

pub use crate::games::uniform;

/// Pseudo-random priors and chances, always the same for a position.
pub fn opinionated(game: &Position, legal: &[Action]) -> Evaluation {
    let stones = (0..game.size() * game.size()).map(|cell| game.symbol(cell) as u64);
    let mut state = stones.fold(game.turns() as u64, |state, stone| state.wrapping_mul(0x0100_0000_01b3) ^ stone);
    // Vigna's splitmix64.
    let mut share = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 40) as f32 / (1u32 << 24) as f32
    };
    let weights: Vec<f32> = legal.iter().map(|_| share().powi(4)).collect();
    let sum: f32 = weights.iter().sum();
    let win = share();
    let draw = (1.0 - win) * share();
    let outcome = WinDrawLoss { win, draw, loss: 1.0 - win - draw };
    Evaluation { priors: weights.into_iter().map(|weight| weight / sum).collect(), outcome }
}

/// The visits of all moves at the root.
pub fn sum(search: &Search) -> u32 {
    search.root_moves().iter().map(|candidate| candidate.visits).sum()
}

/// The position after these moves.
pub fn position(size: usize, moves: &str) -> Position {
    games::position(cachex(), size, moves)
}

/// Returns the name of an outcome that is certain.
pub fn certain(outcome: WinDrawLoss) -> Option<&'static str> {
    match outcome {
        WinDrawLoss { win: 1.0, .. } => Some("win"),
        WinDrawLoss { loss: 1.0, .. } => Some("loss"),
        WinDrawLoss { draw: 1.0, .. } => Some("draw"),
        _ => None,
    }
}
