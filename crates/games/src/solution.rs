//! Exact values of positions on boards small enough to solve.

use std::cmp::{Ordering, Reverse};
use std::fmt::Debug;
use std::ops::RangeInclusive;

use serde::Serialize;

use crate::{Action, GameBoard, Position, Seat};

/// Solves a game's small boards.
#[derive(Debug)]
pub struct Solver {
    /// The board sizes that can be solved.
    pub sizes: RangeInclusive<usize>,
    /// Solves a board of one of these sizes. Takes seconds, and possibly tens of megabytes.
    pub solve: fn(usize) -> Box<dyn Solution>,
}

/// The results of the positions of a game on one board.
///
/// Results name the winner, so that a turn of several moves needs no change of sign. A solver
/// provides only verdicts; values for the side to move, values of moves and values without the swap
/// are derived from it, in the same way for every game.
pub trait Solution: Send + Sync {
    /// Returns the result of a position that is not over, ignoring its history. May return `None`
    /// for positions that cannot occur in a game.
    fn verdict(&self, position: &Position) -> Option<Verdict>;
}

impl dyn Solution + '_ {
    /// Returns the value of a position to the side to move, or `None` if the game is over, and
    /// possibly for positions that cannot occur in a game.
    pub fn value(&self, position: &Position) -> Option<Value> {
        self.unfinished(position).map(|verdict| verdict.value_for(position.to_move()))
    }

    /// Returns all moves with their values to the player who makes them, best first, or none if
    /// `value` returns none.
    pub fn moves(&self, position: &Position) -> Vec<(Action, Value)> {
        let Some(known) = self.unfinished(position) else { return Vec::new() };
        values(position, None, known.plies.is_some(), &|after| self.verdict(after))
    }

    /// Returns all moves but the swap with their values to the player who makes them, as if no swap
    /// were possible from here on, best first.
    pub fn moves_without_swap(&self, position: &Position) -> Vec<(Action, Value)> {
        let Some(known) = self.unfinished(position) else { return Vec::new() };
        values(position, position.game_board().swap(), known.plies.is_some(), &|after| self.without_swap(after))
    }

    /// Returns the result of a position that is not over from those of its moves, for solvers that
    /// store only some positions.
    pub(super) fn verdict_by_moves(&self, position: &Position) -> Option<Verdict> {
        let &(_, best) = values(position, None, true, &|after| self.verdict(after)).first()?;
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

/// Returns whether a swap is possible now, or may be after the first player's first turn, which can
/// have two plies.
fn swap_is_ahead(position: &Position) -> bool {
    let opens = position.to_move() == Seat::First && position.turns() <= 1;
    position.game_board().swap().is_some_and(|swap| opens || position.check(swap).is_ok())
}

/// Returns the moves except `without` with their values to the player who makes them, best first,
/// from the results of unfinished positions. Returns no moves if one of these results is unknown.
/// `counted` says whether the results have plies.
fn values(
    position: &Position,
    without: Option<Action>,
    counted: bool,
    verdict: &dyn Fn(&Position) -> Option<Verdict>,
) -> Vec<(Action, Value)> {
    let mut before = position.clone();
    before.forget_history();
    let legal = before.legal();
    let value = |action: Action| {
        let after = before.after(action);
        let verdict = match after.outcome() {
            Some(outcome) => Verdict { winner: outcome.winner, plies: counted.then_some(0) },
            None => verdict(&after)?,
        };
        Some((action, verdict.a_ply_earlier().value_for(position.to_move())))
    };
    let moves = legal.into_iter().filter(|&action| Some(action) != without).map(value);
    let mut moves: Vec<_> = moves.collect::<Option<_>>().unwrap_or_default();
    moves.sort_by_key(|&(_, value)| Reverse(value));
    moves
}

/// The result of a position under perfect play, where the winner wins as fast and the loser loses
/// as late as possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// The winner, or `None` if neither side can be forced to lose.
    pub winner: Option<Seat>,
    /// The plies to the end of the game, or `None` if the solver does not count them. Meaningless
    /// without a winner.
    pub plies: Option<u8>,
}

impl Verdict {
    /// Returns the value from a player's point of view.
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

/// The value of a position to a player under perfect play, where the winner wins as fast and the
/// loser loses as late as possible. The better value is the greater one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "value", content = "plies", rename_all = "lowercase")]
pub enum Value {
    /// A win in this many plies, if they are counted.
    #[serde(rename = "won")]
    Win(Option<u8>),
    /// Neither side can be forced to lose.
    #[serde(rename = "drawn")]
    Draw,
    /// A loss in this many plies, if they are counted.
    #[serde(rename = "lost")]
    Loss(Option<u8>),
}

impl Value {
    /// Returns the result that has this value for a player.
    fn verdict_of(self, seat: Seat) -> Verdict {
        match self {
            Self::Win(plies) => Verdict { winner: Some(seat), plies },
            Self::Draw => Verdict { winner: None, plies: None },
            Self::Loss(plies) => Verdict { winner: Some(seat.opponent()), plies },
        }
    }

    /// Ranks wins above zero, faster wins higher, and losses below zero, slower losses higher.
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

/// The result of a position if both sides play perfectly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndgameResult {
    /// The winner, or `None` for a draw.
    pub winner: Option<Seat>,
    /// An upper bound on the plies to the end of the game.
    pub plies: u16,
}

/// Solves endgame positions of one game, so that a search need not look further. A solver may
/// remember what it has solved. Its work is bounded by counts, never by time: the same positions in
/// the same order give the same answers.
pub trait EndgameSolver: Debug + Send + Sync {
    /// Returns the result of an unfinished position that follows from the one the solver was made
    /// for, or `None` if solving it is too much work.
    fn solve(&mut self, position: &Position) -> Option<EndgameResult>;

    /// Copies the solver.
    fn boxed(&self) -> Box<dyn EndgameSolver>;
}

impl Clone for Box<dyn EndgameSolver> {
    fn clone(&self) -> Self {
        self.as_ref().boxed()
    }
}

/// Answers from the solved values of all positions of a board.
#[derive(Debug, Clone, Copy)]
pub struct SolvedBoard {
    on: &'static GameBoard,
}

impl SolvedBoard {
    /// Returns the solver of a position's board, which is solved at the first call, or `None` if
    /// the game's solver does not accept the board.
    pub fn of(position: &Position) -> Option<Self> {
        let on = position.game_board();
        on.solution().map(|_| Self { on })
    }
}

impl EndgameSolver for SolvedBoard {
    fn solve(&mut self, position: &Position) -> Option<EndgameResult> {
        let Verdict { winner, plies } = self.on.solution()?.verdict(position)?;
        // The values ignore the history, which may turn a win into a draw by repetition.
        if winner.is_some() && position.history_counts() {
            return None;
        }
        let left = position.turn_limit().saturating_sub(position.turns());
        let plies = plies.filter(|_| winner.is_some()).map_or(left, usize::from);
        // With fewer turns left the game is drawn.
        (plies <= left).then_some(EndgameResult { winner, plies: plies as u16 })
    }

    fn boxed(&self) -> Box<dyn EndgameSolver> {
        Box::new(*self)
    }
}
