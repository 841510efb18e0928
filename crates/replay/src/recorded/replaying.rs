//! Replays recorded games by the rules of their game.

use serde::{Deserialize, Serialize};

use hexzero_games::{Action, EndReason, Game, Outcome, Position, Seat};

use super::faults::GameFault;
use super::recorded_game::{RecordedGame, Stated};
use super::tree_walk::{hand_over, step};
use super::{position_text, quoted, result_name};

/// The summary of a replayed game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplaySummary {
    /// The game's name.
    pub game: String,
    /// The board's size.
    pub size: usize,
    /// The number of moves.
    pub turns: usize,
    /// The winner's name or `draw`, or `None` if the game is not over.
    pub result: Option<String>,
    /// The key of the game's ending (see [`hexzero_games::GameInfo::ending_key`]), or `None` if it
    /// is not over.
    pub reason: Option<String>,
    /// The board after each move (see [`position_text`]), if requested; for a game without moves,
    /// the starting position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<Vec<String>>,
    /// The number of legal actions before each move, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<usize>>,
    /// The player of each move, 0 for the first player and 1 for the second, if legal actions were
    /// requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movers: Option<Vec<u8>>,
}

/// The optional parts of a summary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReplayOptions {
    /// Whether to include the board after each move: [`ReplaySummary::states`].
    pub states: bool,
    /// Whether to include the number of legal actions before each move, and its player:
    /// [`ReplaySummary::legal`] and [`ReplaySummary::movers`].
    pub legal: bool,
}

impl ReplaySummary {
    /// Formats the summary as a line of JSON, without a line feed.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers are JSON")
    }
}

impl RecordedGame {
    /// Replays the game.
    ///
    /// # Errors
    /// If the game or its board size is unknown, a move cannot be played, or the stated result
    /// contradicts the moves.
    pub fn replay(&self, options: ReplayOptions) -> Result<ReplaySummary, GameFault> {
        let game = self.game()?;
        let mut states = options.states.then(Vec::new);
        let mut legal = options.legal.then(Vec::new);
        let mut actions = Vec::new();
        let count_legal = |position: &Position| {
            if let Some(legal) = &mut legal {
                position.legal_actions(&mut actions);
                legal.push(actions.len());
            }
        };
        let keep_state = |position: &Position| {
            if let Some(states) = &mut states {
                states.push(position_text(position));
            }
        };
        let Played { position, outcome, moves, .. } = self.play(game, count_legal, keep_state)?;
        // Without moves, the starting position is all there is to show.
        if let Some(states) = states.as_mut().filter(|_| moves.is_empty() && self.setup.is_some()) {
            states.push(position_text(&position));
        }
        Ok(ReplaySummary {
            game: game.name().to_owned(),
            size: position.size(),
            turns: moves.len(),
            result: outcome.map(|outcome| result_name(game, outcome).to_owned()),
            reason: outcome.map(|outcome| game.ending_key(outcome.reason).to_owned()),
            states,
            movers: options.legal.then(|| moves.iter().map(|(mover, _)| mover.index() as u8).collect()),
            legal,
        })
    }

    /// Replays the game by the rules of `game`, which may be a variant of the recorded one. Returns
    /// the starting position, and the moves with their players.
    ///
    /// # Errors
    /// As [`RecordedGame::replay`].
    pub fn moves(&self, game: Game) -> Result<(Position, Vec<(Seat, Action)>), GameFault> {
        Ok((self.start(game)?, self.play(game, |_| (), |_| ())?.moves))
    }

    pub(super) fn start(&self, game: Game) -> Result<Position, GameFault> {
        game.start_from(self.size, self.setup.as_ref()).map_err(GameFault::other)
    }

    /// Plays the moves by the rules of `game`. Calls `before` with the position before each move,
    /// and `after` with the one after it.
    pub(super) fn play(
        &self,
        game: Game,
        mut before: impl FnMut(&Position),
        mut after: impl FnMut(&Position),
    ) -> Result<Played, GameFault> {
        let mut position = self.start(game)?;
        let mut moves = Vec::new();
        for (number, at) in (1..).zip(self.tree.line_to(self.end)) {
            let node = self.tree.node(at);
            // The move may be made out of turn.
            if let Some(mover) = node.mover.filter(|_| position.outcome().is_none()) {
                hand_over(&mut position, mover, number)?;
            }
            before(&position);
            let step = step(&mut position, number, node.mover, &node.name)?;
            moves.push((step.mover, step.action));
            after(&position);
        }
        let on_board = position.outcome();
        let by_resignation = match &self.result {
            Stated::WinnerByResignation(winner) if on_board.is_none() => Some(*winner),
            Stated::Resigned { by, .. } => Some(resigning(game, by, on_board, moves.len())?.opponent()),
            _ => None,
        };
        let reason = EndReason::RESIGNATION;
        let outcome = on_board.or(by_resignation.map(|winner| Outcome { winner: Some(winner), reason }));
        let found = outcome.map(|outcome| result_name(game, outcome));
        let stated = match &self.result {
            Stated::Exactly(stated) | Stated::Resigned { result: Some(stated), .. } if found != Some(stated) => {
                Some(stated.as_str())
            }
            _ => None,
        };
        let Some(stated) = stated else { return Ok(Played { position, outcome, moves }) };
        let found = found.map_or("the game is not over".to_owned(), |found| format!("the result is '{found}'"));
        let (stated, moves) = (quoted(stated), moves.len());
        Err(GameFault::Other(format!("the stated result is '{stated}', but after its {moves} moves {found}")))
    }
}

/// Returns the player who resigned according to the file, if the game is not over after these
/// moves.
fn resigning(game: Game, name: &str, on_board: Option<Outcome>, moves: usize) -> Result<Seat, GameFault> {
    let named = Seat::BOTH.into_iter().find(|&seat| game.seat_name(seat) == name);
    let reason = match (named, on_board) {
        (Some(player), None) => return Ok(player),
        (Some(_), Some(_)) => format!("after its {moves} moves the game is over"),
        (None, _) => {
            let [first, second] = Seat::BOTH.map(|seat| game.seat_name(seat));
            format!("the players are {first} and {second}")
        }
    };
    Err(GameFault::Other(format!("'{}' cannot have resigned: {reason}", quoted(name))))
}

/// A replayed game.
pub(super) struct Played {
    /// The position after the last move.
    pub position: Position,
    /// The outcome, on the board or by resignation.
    pub outcome: Option<Outcome>,
    pub moves: Vec<(Seat, Action)>,
}
