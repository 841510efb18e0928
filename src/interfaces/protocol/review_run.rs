//! The review of a whole game, in short turns.

use crate::engine::review::{ReviewedGame, Verdict};
use crate::engine::{Engine, legal_action};
use crate::games::Game;
use crate::search::Limits;

use super::answer::{Answer, Reviewing};
use super::position_view::{bad_move, start_of};
use super::request::PositionRequest;
use super::session_engine::{Progress, SLICE, Turn};

/// A review under way.
pub(in crate::interfaces) struct ReviewRun {
    game: ReviewedGame,
    visits: u32,
    /// The analyses of the positions so far, in order.
    verdicts: Vec<Verdict>,
    /// Whether the engine is at the position after those.
    is_there: bool,
}

impl ReviewRun {
    /// Begins to review a game with `visits` visits of each position. An error says why there is no such game.
    pub fn new(game: Game, request: &PositionRequest, visits: u32) -> Result<Self, String> {
        let start = start_of(game, request)?;
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(request.moves.len());
        for (number, text) in (1..).zip(&request.moves) {
            let action = legal_action(&position, text).map_err(|error| bad_move(number, text, &error))?;
            moves.push((position.to_move(), action));
            position.play(action);
        }
        let game = ReviewedGame { start, moves };
        Ok(Self { game, visits, verdicts: Vec::new(), is_there: false })
    }

    /// Works for one turn.
    pub fn turn(&mut self, engine: &mut Engine, turn: &Turn) -> Progress {
        if turn.last {
            return Progress::Done(Answer::Review { review: None });
        }
        let done = self.verdicts.len();
        if !self.is_there {
            if let Err(error) = engine.set_up_from(&self.game.start, self.game.moves[..done].iter().copied()) {
                return Progress::Done(Answer::error(error));
            }
            self.is_there = true;
        }
        if engine.think_for(&Limits::visits(self.visits).within_memory(turn.memory), SLICE) {
            return Progress::More(None);
        }
        self.verdicts.push(Verdict::found(engine));
        self.is_there = false;
        let (done, of) = (done + 1, self.game.positions());
        if done < of {
            return Progress::More(Some(Answer::Reviewing { reviewing: Reviewing { done, of } }));
        }
        Progress::Done(Answer::Review { review: Some(Box::new(self.game.conclude(self.visits, &self.verdicts))) })
    }
}
