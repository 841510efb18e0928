//! The seam between those who search and those who judge: what is said of a position.

use serde::{Deserialize, Serialize};

use super::action::Action;
use super::position::Position;
use super::seat::Seat;

/// Chances of win, draw and loss; they add up to one. Whose win it is, the context says.
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
    /// Nothing known.
    pub const EVEN: Self = Self { win: 0.5, draw: 0.0, loss: 0.5 };

    /// The expected result, from -1 (loss) to 1 (win).
    pub fn value(self) -> f32 {
        self.win - self.loss
    }

    /// The expected points, a win counting 1 and a draw ½.
    pub fn expected(self) -> f32 {
        self.win + self.draw / 2.0
    }

    /// The same chances as the opponent sees them.
    pub fn reversed(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// The certain outcome with this value (1, 0 or -1).
    pub fn certain(value: f32) -> Self {
        Self {
            win: f32::from(u8::from(value > 0.5)),
            draw: f32::from(u8::from(value.abs() <= 0.5)),
            loss: f32::from(u8::from(value < -0.5)),
        }
    }
}

/// A judgement of a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// A prior probability for each legal action, in the order of [`Position::legal_actions`].
    pub priors: Vec<f32>,
    /// The chances of the player to move.
    pub outcome: WinDrawLoss,
}

impl Evaluation {
    /// The same prior for every action and nothing known of the outcome.
    pub fn uniform(actions: usize) -> Self {
        Self { priors: vec![1.0 / actions.max(1) as f32; actions], outcome: WinDrawLoss::EVEN }
    }

    /// What a network's logits say of a position: `policy` holds those of all actions, in the order of
    /// [`Position::network_action`], and `outcome` those of win, draw and loss for the player to move.
    pub fn from_logits(position: &Position, legal: &[Action], policy: &[f32], outcome: &[f32; 3]) -> Self {
        let in_frame = &position.frame().actions;
        let mut priors: Vec<f32> = legal.iter().map(|action| policy[in_frame.apply(action.index())]).collect();
        softmax(&mut priors);
        let mut chances = *outcome;
        softmax(&mut chances);
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

/// The chances of what a cell holds at the end of the game; what is missing to one is that of nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CellForecast {
    /// A stone of the first player.
    pub first: f32,
    /// A stone of the second player.
    pub second: f32,
}

impl CellForecast {
    /// That of a game that is over.
    pub fn certain(stone: Option<Seat>) -> Self {
        let chance = |player| f32::from(u8::from(stone == Some(player)));
        Self { first: chance(Seat::First), second: chance(Seat::Second) }
    }

    /// Adds a share of another forecast.
    pub fn add(&mut self, other: Self, share: f32) {
        self.first += share * other.first;
        self.second += share * other.second;
    }

    /// What a network's logits say of a cell: those of a stone of the player to move, of his opponent, of nothing.
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

/// Something that judges positions: a network, random playouts, a fake in a test.
pub trait Evaluator {
    /// Judges a position that is not over. `legal` holds its legal actions, at least one.
    fn evaluate(&mut self, position: &Position, legal: &[Action]) -> Evaluation;

    /// What each cell will hold at the end, if this judge can tell.
    fn forecast(&mut self, _position: &Position) -> Option<Vec<CellForecast>> {
        None
    }
}

impl<F: FnMut(&Position, &[Action]) -> Evaluation> Evaluator for F {
    fn evaluate(&mut self, position: &Position, legal: &[Action]) -> Evaluation {
        self(position, legal)
    }
}
