//! The interface between search and evaluators: evaluations of positions, one or several at a time.

use serde::{Deserialize, Serialize};

use crate::{Action, Position, Seat, flag};

/// Probabilities of win, draw and loss, which add up to one. The context says for which player.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WinDrawLoss {
    /// The probability of a win.
    pub win: f32,
    /// The probability of a draw.
    pub draw: f32,
    /// The probability of a loss.
    pub loss: f32,
}

impl WinDrawLoss {
    /// A certain draw.
    pub const DRAW: Self = Self { win: 0.0, draw: 1.0, loss: 0.0 };
    /// Even chances, for lack of information.
    pub const EVEN: Self = Self { win: 0.5, draw: 0.0, loss: 0.5 };

    /// Returns the expected result, from -1 (loss) to 1 (win).
    pub fn value(self) -> f32 {
        self.win - self.loss
    }

    /// Returns the expected score, a win counting 1 and a draw ½.
    pub fn expected(self) -> f32 {
        self.win + self.draw / 2.0
    }

    /// Returns the chances from the opponent's point of view.
    pub fn reversed(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// Returns the certain outcome with this value (1, 0 or -1).
    pub fn certain(value: f32) -> Self {
        Self { win: flag(value > 0.5), draw: flag(value.abs() <= 0.5), loss: flag(value < -0.5) }
    }
}

/// The evaluation of a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The prior probability of each legal action, in the order of [`Position::legal_actions`].
    pub priors: Vec<f32>,
    /// The chances of the side to move.
    pub outcome: WinDrawLoss,
}

impl Evaluation {
    /// Returns a uniform policy and even chances.
    pub fn uniform(actions: usize) -> Self {
        Self { priors: vec![1.0 / actions.max(1) as f32; actions], outcome: WinDrawLoss::EVEN }
    }

    /// Converts a network's logits: `policy` holds those of all actions, in the order of
    /// [`Position::network_action`], and `outcome` those of win, draw and loss for the side to
    /// move. If they are not finite, as from a damaged network, the result is
    /// [`Evaluation::uniform`].
    pub fn from_logits(position: &Position, legal: &[Action], policy: &[f32], outcome: &[f32; 3]) -> Self {
        let in_frame = &position.frame().actions;
        let mut priors: Vec<f32> = legal.iter().map(|action| policy[in_frame.apply(action.index())]).collect();
        softmax(&mut priors);
        let mut chances = *outcome;
        softmax(&mut chances);
        if !priors.iter().chain(&chances).all(|share| share.is_finite()) {
            return Self::uniform(legal.len());
        }
        let [win, draw, loss] = chances;
        Self { priors, outcome: WinDrawLoss { win, draw, loss } }
    }
}

/// Turns logits into probabilities.
fn softmax(logits: &mut [f32]) {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|logit| *logit = (*logit - max).exp());
    let sum: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|share| *share /= sum);
}

/// Probabilities of a cell's contents at the end of the game; the remainder is the probability of
/// an empty cell.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CellForecast {
    /// The probability of a stone of the first player.
    pub first: f32,
    /// The probability of a stone of the second player.
    pub second: f32,
}

impl CellForecast {
    /// Returns the forecast of a finished game.
    pub fn certain(stone: Option<Seat>) -> Self {
        let chance = |player| flag(stone == Some(player));
        Self { first: chance(Seat::First), second: chance(Seat::Second) }
    }

    /// Adds another forecast, weighted by `share`.
    pub fn add(&mut self, other: Self, share: f32) {
        self.first += share * other.first;
        self.second += share * other.second;
    }

    /// Converts a network's logits for a cell: a stone of the side to move, of the opponent, or of
    /// neither.
    pub fn from_logits(logits: [f32; 3], to_move: Seat) -> Self {
        let mut chances = logits;
        softmax(&mut chances);
        let [own, enemy, _] = chances;
        match to_move {
            Seat::First => Self { first: own, second: enemy },
            Seat::Second => Self { first: enemy, second: own },
        }
    }
}

/// Evaluates positions: a network, random playouts, or a fake in a test.
pub trait Evaluator {
    /// Evaluates a position that is not over. `legal` holds its legal actions, at least one.
    fn evaluate(&mut self, position: &Position, legal: &[Action]) -> Evaluation;

    /// Predicts the final contents of each cell, if this evaluator can.
    fn forecast(&mut self, _position: &Position) -> Option<Vec<CellForecast>> {
        None
    }

    /// Estimates the number of plies until the end of a game that is not over, if this evaluator can.
    fn plies_left(&mut self, _position: &Position) -> Option<f32> {
        None
    }

    /// Returns the number of positions that the device behind this evaluator computes in the time of one; `None` on
    /// the CPU.
    fn batch_size(&self) -> Option<usize> {
        None
    }
}

impl<F: FnMut(&Position, &[Action]) -> Evaluation> Evaluator for F {
    fn evaluate(&mut self, position: &Position, legal: &[Action]) -> Evaluation {
        self(position, legal)
    }
}

/// A position to evaluate, which is not over. `legal` holds its legal actions, at least one.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// The position.
    pub position: &'a Position,
    /// The legal actions of the position, in ascending order.
    pub legal: &'a [Action],
}

/// Evaluates positions in batches. [`OneByOne`] adapts any [`Evaluator`].
pub trait BatchEvaluator {
    /// Returns the batch size for full speed.
    fn batch(&self) -> usize;

    /// Evaluates a batch of positions, in the order of its queries.
    fn evaluate_batch(&mut self, queries: &[Query<'_>]) -> Vec<Evaluation>;
}

/// Evaluates the positions of a batch one by one.
#[derive(Debug, Clone)]
pub struct OneByOne<E> {
    evaluator: E,
    batch: usize,
}

impl<E: Evaluator> OneByOne<E> {
    /// Creates an adapter that asks for batches of this size.
    pub fn new(evaluator: E, batch: usize) -> Self {
        Self { evaluator, batch }
    }
}

impl<E: Evaluator> BatchEvaluator for OneByOne<E> {
    fn batch(&self) -> usize {
        self.batch
    }

    fn evaluate_batch(&mut self, queries: &[Query<'_>]) -> Vec<Evaluation> {
        queries.iter().map(|query| self.evaluator.evaluate(query.position, query.legal)).collect()
    }
}
