//! Self-play games: the record, its files (shards and the journal), and the window that training samples from.

pub mod codec;
mod journal;
mod shard;
mod window;

use serde::{Deserialize, Serialize};

use hexzero_games::{Action, EndReason, Game, Outcome, Position, Seat, WinDrawLoss};
use hexzero_replay::formats::InterchangeGame;

pub use journal::{JOURNAL_FORMAT, Journal, JournalOwner, JournalProblem, OpenedJournal};
pub use shard::{SHARD_FORMAT, Shard, ShardError, ShardProblem};
pub use window::{SampledPosition, Window};

/// A finished game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The board's size.
    pub size: u8,
    /// Every ply, from the first.
    pub turns: Vec<TurnRecord>,
    /// The outcome. After a resignation the moves lead to an unfinished position.
    pub outcome: Outcome,
    /// The positions that its searches asked to evaluate, including cache hits, so that the number does not depend
    /// on other games.
    pub evaluations: u32,
    /// True if no side could resign. Such games show how often a resignation would have been wrong.
    pub played_out: bool,
    /// How the game began: with the turns before the first search.
    pub start: GameStart,
}

/// How a game of self-play begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum GameStart {
    /// On the empty board.
    #[default]
    Empty,
    /// With random moves.
    Random,
    /// From a position of a file.
    File,
    /// From a position in which the search was wrong.
    Regret,
}

impl GameStart {
    /// Returns the name in figures: `empty`, `random`, `file` or `regret`.
    pub fn key(self) -> &'static str {
        ["empty", "random", "file", "regret"][self as usize]
    }

    /// Returns the start of a game that opens with this many random moves.
    pub fn of_random(plies: usize) -> Self {
        if plies == 0 { Self::Empty } else { Self::Random }
    }
}

/// One ply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnRecord {
    /// The move.
    pub action: Action,
    /// The move's search; none if the move belongs to the opening.
    pub search: Option<SearchRecord>,
}

/// The findings of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchRecord {
    /// True for a full search, with noise, whose findings are a policy target; those of a cheap
    /// one are not.
    pub full: bool,
    /// Visits that this search added to those kept in the tree.
    pub visits: u32,
    /// The policy target, moves with weights: visits; files of earlier versions may hold multiples of a probability. Only for
    /// full searches.
    pub policy: Vec<(Action, u32)>,
    /// The chances of the player to move.
    pub outcome: WinDrawLoss,
    /// True if the search has proven them: they are then exact.
    pub proven: bool,
    /// The Kullback-Leibler divergence of the policy target from the network's priors, before noise and temperature.
    /// 0 for cheap searches, and if the network was not asked.
    pub surprise: f32,
}

impl GameRecord {
    /// Returns the memory that a record with these turns takes, in bytes.
    fn memory(turns: &[TurnRecord]) -> usize {
        let policy = |turn: &TurnRecord| turn.search.as_ref().map_or(0, |search| size_of_val(&search.policy[..]));
        size_of::<Self>() + size_of_val(turns) + turns.iter().map(policy).sum::<usize>()
    }

    /// Counts the moves of the opening, which were played without a search.
    pub fn opening_plies(&self) -> usize {
        self.turns.iter().take_while(|turn| turn.search.is_none()).count()
    }

    /// Returns the turns whose searches are policy targets.
    pub fn policy_turns(&self) -> impl Iterator<Item = usize> {
        (0..self.turns.len()).filter(|&turn| self.policy(turn).is_some())
    }

    /// Returns the weights of the moves at a turn, if they are a policy target.
    pub fn policy(&self, turn: usize) -> Option<&[(Action, u32)]> {
        let search = self.turns.get(turn)?.search.as_ref()?;
        (search.full && !search.policy.is_empty()).then_some(&search.policy)
    }

    /// Replays the moves before a turn. Returns none if they break the rules or end the game.
    pub fn position_before(&self, game: Game, turn: usize) -> Option<Position> {
        let before = self.turns.get(..turn)?.iter().map(|played| played.action);
        position_after(game, self.size, before).filter(|position| position.outcome().is_none())
    }

    /// Converts the record to a game for other programs; `None` if it breaks the rules.
    pub fn to_interchange(&self, game: Game) -> Option<InterchangeGame> {
        let actions: Vec<Action> = self.turns.iter().map(|turn| turn.action).collect();
        let position = position_after(game, self.size, actions.iter().copied())?;
        let gave_up = self.outcome.reason == EndReason::RESIGNATION;
        let loser = self.outcome.winner.filter(|_| gave_up).map(Seat::opponent);
        let resigned = loser.map(|loser| game.seat_name(loser).to_owned());
        Some(InterchangeGame { resigned, ..InterchangeGame::new(&position, &actions) })
    }
}

/// Plays moves from the beginning of a game. Returns none if they break the rules.
pub(crate) fn position_after(game: Game, size: u8, moves: impl IntoIterator<Item = Action>) -> Option<Position> {
    let mut position = game.start(size.into()).ok()?;
    for action in moves {
        position.try_play(action).ok()?;
    }
    Some(position)
}
