//! Targets of a position: from the rest of its recorded game, or exact where the game's solver solves the board.

use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::sync::Arc;

use hexzero_games::{Action, EndReason, Game, Position, Seat, Solution, Value, WinDrawLoss};
use hexzero_graph::UNKNOWN_CLASS;
use hexzero_selfplay::shards::GameRecord;

/// The classes of a cell: own stone, enemy stone, neither.
const OWN: u8 = 0;
const ENEMY: u8 = 1;
const NEITHER: u8 = 2;

/// Replays the rest of a game from a position. Returns the class of each cell of the board at the end, from the view of the
/// player to move, and the plies to the end, unless a player resigned. Returns none if the record breaks the rules.
pub(super) fn rest_of_game(record: &GameRecord, turn: usize, position: &Position) -> Option<(Vec<u8>, Option<usize>)> {
    let (mover, cells) = (position.to_move(), position.topology().cells());
    let class = |owner: Option<Seat>| match owner {
        None => NEITHER,
        Some(owner) if owner == mover => OWN,
        Some(_) => ENEMY,
    };
    let mut position = position.clone();
    for played in &record.turns[turn..] {
        if let Some(search) = &played.search {
            let WinDrawLoss { win, draw, loss } = search.outcome;
            if ![win, draw, loss].iter().all(|chance| (-1e-3..=1.001).contains(chance)) {
                return None;
            }
        }
        position.try_play(played.action).ok()?;
    }
    let finished = match position.outcome() {
        Some(outcome) if outcome == record.outcome => true,
        None if record.outcome.reason == EndReason::RESIGNATION => false,
        _ => return None,
    };
    let ownership = (0..cells).map(|cell| if finished { class(position.owner(cell)) } else { UNKNOWN_CLASS });
    Some((ownership.collect(), finished.then_some(record.turns.len() - turn)))
}

/// The solved boards of a game. Cheap to clone.
#[derive(Clone, Default)]
pub struct ExactTargets(BTreeMap<usize, Arc<dyn Solution>>);

impl ExactTargets {
    /// Solves those of the game's boards that its solver can. Takes seconds and tens of megabytes.
    pub fn of_boards(game: Game, sizes: impl IntoIterator<Item = usize>) -> Self {
        let solve = |solver: &'static hexzero_games::Solver| {
            let sizes = sizes.into_iter().filter(|size| solver.sizes.contains(size));
            sizes.map(|size| (size, (solver.solve)(size).into())).collect()
        };
        Self(game.solver().map(solve).unwrap_or_default())
    }

    /// Returns the value of a position for the player to move, and the moves that keep it: those that win fastest or lose
    /// latest. None if its board is not solved or the game is over. If the solver counts no plies, all moves of a lost
    /// position are equal, and none of them is returned.
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
