//! Reviews of whole games: what each move gave away, and what would have been better.
//!
//! Every position is searched separately with the same number of visits, so a review does not
//! depend on the number of threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;

use hexzero_games::{Action, InvalidMove, Position, Seat};
use hexzero_search::Limits;
use hexzero_system::stop::StopSignal;

use super::Engine;
use super::analysis::{Proven, points, rounded};
use super::model::LoadedModel;
use super::worker_pool::parallel_map;

/// Default visits of each position.
pub const DEFAULT_VISITS: u32 = 10_000;

/// Factor in the exponent by which accuracy falls with the loss of a move.
const ACCURACY_DECAY: f32 = 4.0;

/// A game to be reviewed.
#[derive(Debug, Clone)]
pub struct ReviewedGame {
    /// The position that it began with.
    pub start: Position,
    /// The moves, each with the seat that makes it.
    pub moves: Vec<(Seat, Action)>,
}

/// The engine's verdict on a position of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    to_move: Seat,
    /// The share of the points that the player to move can expect.
    score: f32,
    proven: Option<Proven>,
    /// The best move and its expected continuation; empty where the game is over.
    line: Vec<Action>,
}

/// The severity of a bad move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    /// The move gave away a twentieth of the points.
    Inaccuracy,
    /// The move gave away a tenth of the points.
    Mistake,
    /// The move gave away a fifth of the points.
    Blunder,
}

/// A move of the game and its value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReviewedMove {
    /// The move's number, from 1.
    pub ply: usize,
    /// The player who made it.
    pub player: &'static str,
    /// The move's name.
    #[serde(rename = "move")]
    pub name: String,
    /// The share of the points that the player could expect before it, with the best move.
    pub before: f32,
    /// The share of the points that the player could expect after it.
    pub after: f32,
    /// The loss, as a share of the points; 0 for the best move.
    pub loss: f32,
    /// The fault, if the loss is large enough.
    pub fault: Option<Fault>,
    /// The best move.
    pub best: String,
    /// The best move and its expected continuation.
    pub line: Vec<String>,
    /// The certain result before the move, for its player.
    pub proven_before: Option<Proven>,
    /// The player to move after it.
    pub next: &'static str,
    /// The certain result after it, for that player.
    pub proven_after: Option<Proven>,
}

/// The play of one player.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReviewedPlayer {
    /// The player's name.
    pub player: &'static str,
    /// The number of the player's moves.
    pub moves: usize,
    /// The mean over these moves of 100 · exp(-4 · loss); none without moves.
    pub accuracy: Option<f32>,
    /// Moves that gave away 0.05 to 0.1 of the points.
    pub inaccuracies: usize,
    /// Moves that gave away 0.1 to 0.2.
    pub mistakes: usize,
    /// Moves that gave away more.
    pub blunders: usize,
}

/// The review of a game. docs/formats/results.md describes the JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Review {
    /// The game's name.
    pub game: &'static str,
    /// The board's size.
    pub size: usize,
    /// Visits of each position.
    pub visits: u32,
    /// The share of the points that the first player can expect, before the first move and after each.
    pub chances: Vec<f32>,
    /// Every move.
    pub moves: Vec<ReviewedMove>,
    /// The first player and the second.
    pub players: [ReviewedPlayer; 2],
}

impl Fault {
    /// All faults with the minimum loss of each, the worst first.
    pub const ALL: [(Self, f32); 3] = [(Self::Blunder, 0.2), (Self::Mistake, 0.1), (Self::Inaccuracy, 0.05)];

    /// Returns the fault of a move with this loss, if it is one.
    pub fn of(loss: f32) -> Option<Self> {
        Self::ALL.into_iter().find(|&(_, least)| loss >= least).map(|(fault, _)| fault)
    }

    /// Returns the fault's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

impl Verdict {
    /// Returns the verdict of an engine that has searched its position.
    pub fn found(engine: &Engine) -> Self {
        let position = engine.position();
        let to_move = position.to_move();
        if let Some(outcome) = position.outcome() {
            let score = points(outcome.value_for(to_move));
            return Self { to_move, score, proven: None, line: Vec::new() };
        }
        let opinion = engine.opinion();
        let found = opinion.moves.first().filter(|found| found.is_judged());
        Self {
            to_move,
            score: points(found.map_or(opinion.outcome.value(), |found| found.outcome.value())),
            proven: Proven::of_position(&opinion),
            line: opinion.variation,
        }
    }

    fn score_of(&self, seat: Seat) -> f32 {
        if self.to_move == seat { self.score } else { 1.0 - self.score }
    }
}

impl ReviewedGame {
    /// Returns the number of positions to analyse: one before each move, and the last.
    pub fn positions(&self) -> usize {
        self.moves.len() + 1
    }

    /// Searches the position after the first `after` moves, for the player of the next one; in recorded games this may
    /// be out of turn.
    ///
    /// # Errors
    /// If the moves cannot be played.
    fn judge(&self, engine: &mut Engine, after: usize, visits: u32) -> Result<Verdict, InvalidMove> {
        engine.set_up_from(&self.start, self.moves[..after].iter().copied())?;
        if let Some(&(next, _)) = self.moves.get(after) {
            engine.hand_turn_to(next);
        }
        engine.seek_proof(Some(visits));
        engine.think(&Limits::visits(visits));
        Ok(Verdict::found(engine))
    }

    /// Combines the verdicts on all positions, in order, into a review.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn conclude(&self, visits: u32, verdicts: &[Verdict]) -> Review {
        let (game, size) = (self.start.game(), self.start.size());
        let name = |seat: Seat| game.seat_name(seat);
        let named = |action: &Action| self.start.action_name(*action);
        let reviewed = self.moves.iter().enumerate().map(|(index, &(seat, action))| {
            let (verdict, next) = (&verdicts[index], &verdicts[index + 1]);
            // After an exchange of sides the same colour moves again, and the player has the other one.
            let is_next = self.moves.get(index + 1).is_some_and(|&(mover, _)| mover == seat);
            let exchanges = self.start.game_board().swap() == Some(action) && is_next;
            let seat_after = if exchanges { seat.opponent() } else { seat };
            let (before, after) = (verdict.score_of(seat), next.score_of(seat_after));
            let is_best = verdict.line.first() == Some(&action);
            let loss = if is_best { 0.0 } else { (before - after).max(0.0) };
            ReviewedMove {
                ply: index + 1,
                player: name(seat),
                name: named(&action),
                before: rounded(before),
                after: rounded(after),
                loss: rounded(loss),
                fault: Fault::of(loss),
                best: verdict.line.first().map(named).unwrap_or_default(),
                line: verdict.line.iter().map(named).collect(),
                proven_before: verdict.proven,
                next: name(next.to_move),
                proven_after: next.proven,
            }
        });
        let moves: Vec<ReviewedMove> = reviewed.collect();
        let chances = verdicts.iter().map(|verdict| rounded(verdict.score_of(Seat::First))).collect();
        let players = Seat::BOTH.map(|seat| ReviewedPlayer::of(name(seat), &moves));
        Review { game: game.name(), size, visits, chances, moves, players }
    }

    /// Reviews the game on several threads. Reports to `progress` how many positions of how many
    /// are done. Returns none if stopped before the end.
    ///
    /// # Errors
    /// If the moves cannot be played.
    pub fn review(
        &self,
        model: &LoadedModel,
        visits: u32,
        threads: NonZeroUsize,
        stop: &StopSignal,
        progress: impl Fn(usize, usize) + Sync,
    ) -> Result<Option<Review>, InvalidMove> {
        let count = self.positions();
        let models = model.forks(threads.get().min(count)).into_iter();
        let engines: Vec<Engine> = models.map(|model| Engine::at(self.start.clone(), model)).collect();
        let done = AtomicUsize::new(0);
        let found = parallel_map(engines, count, stop, |engine, index| {
            let verdict = self.judge(engine, index, visits)?;
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, count);
            Ok::<_, InvalidMove>(verdict)
        });
        let verdicts: Option<Vec<Verdict>> = found.map(|found| found.into_iter().collect()).transpose()?;
        Ok(verdicts.map(|verdicts| self.conclude(visits, &verdicts)))
    }
}

impl ReviewedPlayer {
    fn of(player: &'static str, moves: &[ReviewedMove]) -> Self {
        let own: Vec<&ReviewedMove> = moves.iter().filter(|reviewed| reviewed.player == player).collect();
        let count = |fault| own.iter().filter(|reviewed| reviewed.fault == Some(fault)).count();
        let sum: f32 = own.iter().map(|reviewed| 100.0 * (-ACCURACY_DECAY * reviewed.loss).exp()).sum();
        Self {
            player,
            moves: own.len(),
            accuracy: (!own.is_empty()).then(|| (10.0 * sum / own.len() as f32).round() / 10.0),
            inaccuracies: count(Fault::Inaccuracy),
            mistakes: count(Fault::Mistake),
            blunders: count(Fault::Blunder),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::game_named;

    #[test]
    fn review_can_stop() {
        let start = game_named("hex-noswap").unwrap().start(3).unwrap();
        let (model, stop) = (LoadedModel::uniform(), StopSignal::new());
        stop.request();
        let game = ReviewedGame { moves: vec![(Seat::First, start.legal()[0])], start };
        assert_eq!(game.review(&model, 9, NonZeroUsize::MIN, &stop, |_, _| {}), Ok(None));
    }

    #[test]
    fn faults_by_what_was_given_away() {
        assert_eq!(
            [0.0, 0.049, 0.05, 0.1, 0.2, 1.0].map(Fault::of).map(|fault| fault.map(Fault::name)),
            [None, None, Some("inaccuracy"), Some("mistake"), Some("blunder"), Some("blunder")]
        );
    }
}
