//! The interface between search and evaluators: the evaluation of a position.

use serde::{Deserialize, Serialize};

use super::action::Action;
use super::position::Position;
use super::seat::Seat;

/// Chances of win, draw and loss; they add up to one. The context says whose.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WinDrawLoss {
    /// Chance of a win.
    pub win: f32,
    /// Chance of a draw.
    pub draw: f32,
    /// Chance of a loss.
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

    /// Returns the expected points, a win counting 1 and a draw ½.
    pub fn expected(self) -> f32 {
        self.win + self.draw / 2.0
    }

    /// Returns the chances from the opponent's point of view.
    pub fn reversed(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// Returns the certain outcome with this value (1, 0 or -1).
    pub fn certain(value: f32) -> Self {
        Self {
            win: f32::from(u8::from(value > 0.5)),
            draw: f32::from(u8::from(value.abs() <= 0.5)),
            loss: f32::from(u8::from(value < -0.5)),
        }
    }
}

/// The evaluation of a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// A prior probability for each legal action, in the order of [`Position::legal_actions`].
    pub priors: Vec<f32>,
    /// The chances of the player to move.
    pub outcome: WinDrawLoss,
}

impl Evaluation {
    /// Returns a uniform policy and even chances.
    pub fn uniform(actions: usize) -> Self {
        Self { priors: vec![1.0 / actions.max(1) as f32; actions], outcome: WinDrawLoss::EVEN }
    }

    /// Converts a network's logits: `policy` holds those of all actions, in the order of
    /// [`Position::network_action`], and `outcome` those of win, draw and loss for the player to move. Where they are not
    /// finite, as of a network that was damaged, the result is [`Evaluation::uniform`].
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

/// The probabilities of a cell's contents at the end of the game; the remainder to one is that of an empty cell.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CellForecast {
    /// A stone of the first player.
    pub first: f32,
    /// A stone of the second player.
    pub second: f32,
}

impl CellForecast {
    /// Returns that of a finished game.
    pub fn certain(stone: Option<Seat>) -> Self {
        let chance = |player| f32::from(u8::from(stone == Some(player)));
        Self { first: chance(Seat::First), second: chance(Seat::Second) }
    }

    /// Adds a share of another forecast.
    pub fn add(&mut self, other: Self, share: f32) {
        self.first += share * other.first;
        self.second += share * other.second;
    }

    /// Converts a network's logits of a cell: of a stone of the player to move, of the opponent, of neither.
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

/// Evaluates positions: a network, random playouts, a fake in a test.
pub trait Evaluator {
    /// Evaluates a position that is not over. `legal` holds its legal actions, at least one.
    fn evaluate(&mut self, position: &Position, legal: &[Action]) -> Evaluation;

    /// Predicts the contents of each cell at the end, if this evaluator can.
    fn forecast(&mut self, _position: &Position) -> Option<Vec<CellForecast>> {
        None
    }
}

impl<F: FnMut(&Position, &[Action]) -> Evaluation> Evaluator for F {
    fn evaluate(&mut self, position: &Position, legal: &[Action]) -> Evaluation {
        self(position, legal)
    }
}
