//! Targets of a position: from the rest of its recorded game, or exact where the game's solver solves the board.

use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::sync::Arc;

use hexzero_games::{Action, EndReason, Game, Outcome, Position, Seat, Solution, Value, WinDrawLoss};
use hexzero_graph::UNKNOWN_CLASS;
use hexzero_selfplay::shards::GameRecord;

/// The classes of a cell: own stone, enemy stone, neither.
const OWN: u8 = 0;
const ENEMY: u8 = 1;
const NEITHER: u8 = 2;

/// Targets from the rest of a game, from the view of the player to move. Cells are those of the
/// board.
#[derive(Debug, Clone)]
pub(super) struct RestOfGame {
    /// The class of each cell at the end.
    pub ownership: Vec<u8>,
    /// The plies to the end, unless a player resigned.
    pub moves_left: Option<usize>,
}

/// Returns a game's result to a player.
pub(super) fn outcome_for(outcome: Outcome, player: Seat) -> WinDrawLoss {
    match outcome.winner {
        None => WinDrawLoss::DRAW,
        Some(winner) => WinDrawLoss::certain(if winner == player { 1.0 } else { -1.0 }),
    }
}

/// Returns true if the numbers are chances.
fn are_chances(outcome: WinDrawLoss) -> bool {
    let WinDrawLoss { win, draw, loss } = outcome;
    [win, draw, loss].iter().all(|chance| (-1e-3..=1.001).contains(chance))
}

impl RestOfGame {
    /// Replays the rest of the game from a position. Returns none if the record breaks the rules.
    pub fn new(record: &GameRecord, turn: usize, position: &Position) -> Option<Self> {
        let (mover, cells) = (position.to_move(), position.topology().cells());
        let class = |owner: Option<Seat>| match owner {
            None => NEITHER,
            Some(owner) if owner == mover => OWN,
            Some(_) => ENEMY,
        };
        let mut position = position.clone();
        for played in &record.turns[turn..] {
            if played.search.as_ref().is_some_and(|search| !are_chances(search.outcome)) {
                return None;
            }
            position.check(played.action).ok()?;
            position.play(played.action);
        }
        let finished = is_finished(record, &position)?;
        let ownership = (0..cells).map(|cell| if finished { class(position.owner(cell)) } else { UNKNOWN_CLASS });
        Some(Self { ownership: ownership.collect(), moves_left: finished.then_some(record.turns.len() - turn) })
    }
}

/// Returns whether the game was played to its end, at `last`, rather than resigned; none if the record breaks the rules.
fn is_finished(record: &GameRecord, last: &Position) -> Option<bool> {
    match last.outcome() {
        Some(outcome) if outcome == record.outcome => Some(true),
        None if record.outcome.reason == EndReason::RESIGNATION => Some(false),
        _ => None,
    }
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
