//! Targets of a position: from the rest of its recorded game, or exact where the game's solver solves the board.

use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::sync::Arc;

use hexzero_games::{Action, Change, EndReason, Game, Outcome, Position, Seat, Solution, Value, WinDrawLoss};
use hexzero_graph::{CELL_FORECASTS, SHORT_TERMS, UNKNOWN_CLASS};
use hexzero_selfplay::shards::{GameRecord, SearchRecord};

/// The classes of a cell: own stone, enemy stone, neither.
const OWN: u8 = 0;
const ENEMY: u8 = 1;
const NEITHER: u8 = 2;

/// The indices of the forecasts of a cell.
pub(crate) const NEAR_BOARD: usize = 0;
pub(crate) const FAR_BOARD: usize = 1;
pub(crate) const WINNING_CHAIN: usize = 2;
pub(crate) const CAPTURED_SOON: usize = 3;

/// The far board is this many board sides of plies ahead; the near one half a side, rounded up.
const FAR_SIDES: usize = 2;

/// The half-lives, in board sides of plies, of the searches' values in the targets of the short-term
/// outcomes. *KataGoMethods*, "Short-term Value and Score Targets", has about 6, 16 and 50 plies on
/// 19×19.
pub(super) const SHORT_TERM_HALF_LIVES: [f32; SHORT_TERMS] = [0.5, 2.0];

/// Targets from the rest of a game, from the view of the player to move. Cells are those of the
/// board.
#[derive(Debug, Clone)]
pub(super) struct RestOfGame {
    /// The opponent's next turn, and the position at that time.
    pub reply: Option<(usize, Position)>,
    /// The class of each cell at the end.
    pub ownership: Vec<u8>,
    /// For each forecast (see [`NEAR_BOARD`] and so on) the class of each cell.
    pub forecasts: [Vec<u8>; CELL_FORECASTS],
    /// The weighted means of the values of the following searches and of the game's result.
    pub short_terms: [WinDrawLoss; SHORT_TERMS],
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

/// Returns a search's chances, if it has any.
fn chances(search: &SearchRecord) -> Option<WinDrawLoss> {
    let WinDrawLoss { win, draw, loss } = search.outcome;
    [win, draw, loss].iter().all(|chance| (-1e-3..=1.001).contains(chance)).then_some(search.outcome)
}

/// Averages outcomes of successive plies: each takes its share of the remaining weight.
struct ExponentialMean {
    share: f32,
    left: f32,
    sum: [f32; 3],
}

impl ExponentialMean {
    fn new(half_life: f32) -> Self {
        Self { share: 1.0 - 0.5f32.powf(1.0 / half_life), left: 1.0, sum: [0.0; 3] }
    }

    fn add(&mut self, outcome: WinDrawLoss, share: f32) {
        let weight = self.left * share;
        self.left -= weight;
        for (sum, chance) in self.sum.iter_mut().zip([outcome.win, outcome.draw, outcome.loss]) {
            *sum += weight * chance;
        }
    }

    /// Returns the mean, with all remaining weight on the result.
    fn ending_with(mut self, result: WinDrawLoss) -> WinDrawLoss {
        self.add(result, 1.0);
        let [win, draw, loss] = self.sum;
        WinDrawLoss { win, draw, loss }
    }
}

impl RestOfGame {
    /// Replays the rest of the game from a position. Returns none if the record breaks the rules.
    pub fn new(record: &GameRecord, turn: usize, position: &Position) -> Option<Self> {
        let (mover, side, cells) = (position.to_move(), position.size(), position.topology().cells());
        let class = |owner: Option<Seat>| match owner {
            None => NEITHER,
            Some(owner) if owner == mover => OWN,
            Some(_) => ENEMY,
        };
        let owners = |at: &Position| (0..cells).map(|cell| class(at.owner(cell))).collect::<Vec<u8>>();
        let unknown = || vec![UNKNOWN_CLASS; cells];

        let mut position = position.clone();
        let mut before = position.clone();
        let mut reply = None;
        let mut boards = [(side.div_ceil(2), None), (FAR_SIDES * side, None)];
        let mut captured = vec![NEITHER; cells];
        let mut short_terms = SHORT_TERM_HALF_LIVES.map(|half_life| ExponentialMean::new(half_life * side as f32));
        for (ply, (number, played)) in (1..).zip(record.turns.iter().enumerate().skip(turn)) {
            // In some games the opponent does not always move next.
            if reply.is_none() && position.to_move() != mover {
                reply = Some((number, position.clone()));
            }
            if let Some(search) = &played.search {
                let found = chances(search)?;
                let outcome = if position.to_move() == mover { found } else { found.reversed() };
                short_terms.iter_mut().for_each(|mean| mean.add(outcome, mean.share));
            }
            position.check(played.action).ok()?;
            if ply <= side {
                before.clone_from(&position);
            }
            let changes = position.play_noting(played.action);
            // A global action may remove pieces, as a swap does, but captures none.
            if ply <= side && position.global_action(played.action).is_none() {
                for cell in changes.into_iter().filter_map(|change| emptied_cell(&position, change)) {
                    if captured[cell] == NEITHER {
                        captured[cell] = class(before.owner(cell));
                    }
                }
            }
            boards.iter_mut().filter(|board| board.0 == ply).for_each(|board| board.1 = Some(owners(&position)));
        }

        let finished = is_finished(record, &position)?;
        let plies = record.turns.len() - turn;
        let last = if finished { owners(&position) } else { unknown() };
        let [near, far] = boards.map(|board| board.1.unwrap_or_else(|| last.clone()));
        let mut chain = unknown();
        let winning = position.winning_chain();
        if finished && !winning.is_empty() {
            chain.fill(NEITHER);
            winning.into_iter().for_each(|cell| chain[cell] = class(record.outcome.winner));
        }
        let captured = if finished || plies >= side { captured } else { unknown() };
        let result = outcome_for(record.outcome, mover);
        Some(Self {
            reply,
            ownership: last,
            forecasts: [near, far, chain, captured],
            short_terms: short_terms.map(|mean| mean.ending_with(result)),
            moves_left: finished.then_some(plies),
        })
    }
}

/// Returns the network cell from which a piece was removed, if one was.
fn emptied_cell(position: &Position, change: Change) -> Option<usize> {
    match change {
        Change::Removed(place) => position.board().places()[usize::from(place)].cell.map(usize::from),
        Change::Placed(_) | Change::Moved(..) | Change::Recoloured(_) => None,
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
