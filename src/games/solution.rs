//! Exact values of positions on boards small enough to solve.

use std::cmp::{Ordering, Reverse};
use std::ops::RangeInclusive;

use serde::Serialize;

use super::action::Action;
use super::position::Position;
use super::seat::Seat;

/// Solves a game's small boards.
#[derive(Debug)]
pub struct Solver {
    /// The sizes of the boards that it solves.
    pub sizes: RangeInclusive<usize>,
    /// Solves a board of one of these sizes. Takes seconds, and perhaps tens of megabytes.
    pub solve: fn(usize) -> Box<dyn Solution>,
}

/// The results of the positions of a game on one board.
///
/// Results name the winner, so that a turn of several moves needs no change of sign. A solver gives these alone: values to the
/// player to move, those of moves and those without the swap follow from them here, the same way for every game.
pub trait Solution: Send + Sync {
    /// Returns the result of a position that is not over, whatever its history; none perhaps for positions that no game comes
    /// to.
    fn verdict(&self, position: &Position) -> Option<Verdict>;
}

impl dyn Solution + '_ {
    /// Returns the value of a position to the player to move; none if the game is over, and perhaps for positions that no game
    /// comes to.
    pub fn value(&self, position: &Position) -> Option<Value> {
        self.unfinished(position).map(|verdict| verdict.value_for(position.to_move()))
    }

    /// Returns all moves with their values to the player who makes them, the best ones first; none if `value` has none.
    pub fn moves(&self, position: &Position) -> Vec<(Action, Value)> {
        let Some(known) = self.unfinished(position) else { return Vec::new() };
        values(position, None, known.plies, &|after| self.verdict(after))
    }

    /// Returns the value of a position to the player to move as if no swap were possible from here on; none as for
    /// `value`.
    pub fn value_without_swap(&self, position: &Position) -> Option<Value> {
        self.without_swap(position).map(|verdict| verdict.value_for(position.to_move()))
    }

    /// Returns all moves but the swap with their values to the player who makes them, as if no swap were possible from here
    /// on, the best ones first.
    pub fn moves_without_swap(&self, position: &Position) -> Vec<(Action, Value)> {
        let Some(known) = self.unfinished(position) else { return Vec::new() };
        values(position, position.on().swap(), known.plies, &|after| self.without_swap(after))
    }

    /// Returns the result of a position that is not over from those of its moves, for solvers that know only some positions.
    pub(super) fn verdict_by_moves(&self, position: &Position) -> Option<Verdict> {
        let &(_, best) = values(position, None, Some(0), &|after| self.verdict(after)).first()?;
        Some(best.verdict_of(position.to_move()))
    }

    fn unfinished(&self, position: &Position) -> Option<Verdict> {
        if position.outcome().is_some() { None } else { self.verdict(position) }
    }

    fn without_swap(&self, position: &Position) -> Option<Verdict> {
        let verdict = self.unfinished(position)?;
        if !swap_is_ahead(position) {
            return Some(verdict);
        }
        let &(_, best) = self.moves_without_swap(position).first()?;
        Some(best.verdict_of(position.to_move()))
    }
}

/// Returns whether a swap is possible, or may be when the first player's first turn is over, which can have two plies.
fn swap_is_ahead(position: &Position) -> bool {
    let opens = position.to_move() == Seat::First && position.turns() <= 1;
    position.on().swap().is_some_and(|swap| opens || position.check(swap).is_ok())
}

/// Returns the moves but one with their values to the player who makes them, the best ones first, by the results of unfinished
/// positions. None if one of these is not known. Without `counted` no plies are.
fn values(
    position: &Position,
    without: Option<Action>,
    counted: Option<u8>,
    verdict: &dyn Fn(&Position) -> Option<Verdict>,
) -> Vec<(Action, Value)> {
    let mut before = position.clone();
    before.forget_history();
    let mut legal = Vec::new();
    before.legal_actions(&mut legal);
    let value = |action: Action| {
        let mut after = before.clone();
        after.play(action);
        let verdict = match after.outcome() {
            Some(outcome) => Verdict { winner: outcome.winner, plies: counted.map(|_| 0) },
            None => verdict(&after)?,
        };
        Some((action, verdict.a_ply_earlier().value_for(position.to_move())))
    };
    let moves = legal.into_iter().filter(|&action| Some(action) != without).map(value);
    let mut moves: Vec<_> = moves.collect::<Option<_>>().unwrap_or_default();
    moves.sort_by_key(|&(_, value)| Reverse(value));
    moves
}

/// The result of a position if both play as well as possible: the winner as fast, the loser as late as they can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// The winner; none if neither can be forced to lose.
    pub winner: Option<Seat>,
    /// The plies to the end of the game; none if the solver does not count them, of no meaning without a winner.
    pub plies: Option<u8>,
}

impl Verdict {
    /// Returns the value to a player.
    pub fn value_for(self, seat: Seat) -> Value {
        match self.winner {
            None => Value::Draw,
            Some(winner) if winner == seat => Value::Win(self.plies),
            Some(_) => Value::Loss(self.plies),
        }
    }

    /// Returns the result of the position before the move that led to this one.
    fn a_ply_earlier(self) -> Self {
        Self { plies: self.plies.map(|plies| plies.saturating_add(1)), ..self }
    }
}

/// The value of a position to a player if both play as well as possible: the winner as fast, the loser
/// as late as they can. The better value is the greater one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "value", content = "plies", rename_all = "lowercase")]
pub enum Value {
    /// A win in this many plies, if they are counted.
    #[serde(rename = "won")]
    Win(Option<u8>),
    /// Neither can be forced to lose.
    #[serde(rename = "drawn")]
    Draw,
    /// A loss in this many plies, if they are counted.
    #[serde(rename = "lost")]
    Loss(Option<u8>),
}

impl Value {
    /// Returns the result of which this is the value to a player.
    fn verdict_of(self, seat: Seat) -> Verdict {
        match self {
            Self::Win(plies) => Verdict { winner: Some(seat), plies },
            Self::Draw => Verdict { winner: None, plies: None },
            Self::Loss(plies) => Verdict { winner: Some(seat.opponent()), plies },
        }
    }

    /// Wins above zero, the faster the higher; losses below, the slower the higher.
    fn rank(self) -> i32 {
        match self {
            Self::Win(plies) => 256 - i32::from(plies.unwrap_or(u8::MAX)),
            Self::Draw => 0,
            Self::Loss(plies) => i32::from(plies.unwrap_or(u8::MAX)) - 256,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (word, plies) = match self {
            Self::Win(plies) => ("won", plies),
            Self::Draw => return f.pad("drawn"),
            Self::Loss(plies) => ("lost", plies),
        };
        match plies {
            None => f.pad(word),
            Some(1) => f.pad(&format!("{word} in 1 ply")),
            Some(plies) => f.pad(&format!("{word} in {plies} plies")),
        }
    }
}
