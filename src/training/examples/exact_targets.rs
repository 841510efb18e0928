//! Exact values and best moves as targets, on boards that the game's solver solves.

use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::sync::Arc;

use crate::games::{Action, Game, Position, Solution, Value, WinDrawLoss};

/// The solved boards of a game. Cheap to clone.
#[derive(Clone, Default)]
pub struct ExactTargets(BTreeMap<usize, Arc<dyn Solution>>);

impl ExactTargets {
    /// Solves those of the game's boards that its solver can. Takes seconds and tens of megabytes.
    pub fn of_boards(game: Game, sizes: impl IntoIterator<Item = usize>) -> Self {
        let solve = |solver: &'static crate::games::Solver| {
            let sizes = sizes.into_iter().filter(|size| solver.sizes.contains(size));
            sizes.map(|size| (size, (solver.solve)(size).into())).collect()
        };
        Self(game.solver().map(solve).unwrap_or_default())
    }

    /// Returns the value of a position to the player to move and the moves that keep it, a win as fast as possible
    /// and a loss as late; none if its board is not solved or the game is over. Where the solver knows no number of plies, no
    /// move of a lost position is better than another, and none is returned.
    pub(super) fn of(&self, position: &Position) -> Option<(WinDrawLoss, Vec<Action>)> {
        let moves = self.0.get(&position.size())?.moves(position);
        let best = moves.first()?.1;
        let value = match best {
            Value::Win(_) => WinDrawLoss::certain(1.0),
            Value::Draw => WinDrawLoss::DRAW,
            Value::Loss(_) => WinDrawLoss::certain(-1.0),
        };
        let kept = moves.into_iter().take_while(|&(_, value)| value == best && value != Value::Loss(None));
        Some((value, kept.map(|(action, _)| action).collect()))
    }
}

impl Debug for ExactTargets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ExactTargets").field(&self.0.keys()).finish()
    }
}
