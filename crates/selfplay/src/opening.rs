//! The openings of self-play games.

use rand::Rng;
use serde::{Deserialize, Serialize};

use hexzero_games::{Action, Evaluator, Game, GameRng, Position};
use hexzero_search::SettingsError;

/// Attempts of rejection sampling; the last is used in any case.
pub(super) const ATTEMPTS: u32 = 20;

/// Upper bound accepted.
const MAX_BALANCE: f64 = 100.0;

/// Settings of the openings of self-play games. Every field is a key of the recipe's `[selfplay.opening]` table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OpeningSettings {
    /// The probability that a game opens with a move drawn uniformly; after it, a second and further
    /// ones follow with the same probability each time, so that unlikely positions are met too.
    pub random: f64,
    /// Openings of random moves are rejected and drawn again unless they are balanced: where `p` is what the network
    /// expects of the position, from 0 to 1, one is accepted with probability `(4 p (1 − p))^balance` (as KataHex
    /// does). 0 accepts them all and asks no network.
    pub balance: f64,
}

impl Default for OpeningSettings {
    fn default() -> Self {
        Self { random: 0.4, balance: 0.0 }
    }
}

impl OpeningSettings {
    /// Checks the settings.
    ///
    /// # Errors
    /// If one is invalid: its key, its value and what is accepted.
    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        let Self { random, balance } = *self;
        SettingsError::unless((0.0..1.0).contains(&random), || format!("random = {random}; accepted: 0 to below 1"))?;
        SettingsError::unless((0.0..=MAX_BALANCE).contains(&balance), || {
            format!("balance = {balance}; accepted: 0 to {MAX_BALANCE}")
        })
    }

    /// Draws a position to begin with, and the moves that lead to it.
    ///
    /// # Panics
    /// If there is no board of this size.
    pub(super) fn draw(
        &self,
        game: Game,
        size: usize,
        evaluator: &mut impl Evaluator,
        rng: &mut GameRng,
    ) -> (Position, Vec<Action>) {
        let start = game.start(size).expect("a checked size");
        let mut plies = 0;
        while plies < start.turn_limit() && rng.random_bool(self.random) {
            plies += 1;
        }
        for attempt in 1.. {
            let (mut position, mut actions) = (start.clone(), Vec::new());
            while actions.len() < plies
                && let Some(action) = position.random_action(rng)
            {
                position.play(action);
                actions.push(action);
            }
            if actions.is_empty() || attempt == ATTEMPTS || self.accepts(&position, evaluator, rng) {
                return (position, actions);
            }
        }
        unreachable!("the last attempt is taken")
    }

    fn accepts(&self, position: &Position, evaluator: &mut impl Evaluator, rng: &mut GameRng) -> bool {
        if self.balance == 0.0 {
            return true;
        }
        if position.outcome().is_some() {
            return false;
        }
        let legal = position.legal();
        let expected = f64::from(evaluator.evaluate(position, &legal).outcome.expected()).clamp(0.0, 1.0);
        rng.random_bool((4.0 * expected * (1.0 - expected)).powf(self.balance).min(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::{Evaluation, WinDrawLoss, default_game};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Evaluates a position with a stone in the first row as lost for the player to move, up to a chance.
    fn biased(chance: f32) -> impl FnMut(&Position, &[Action]) -> Evaluation {
        move |position: &Position, legal: &[Action]| {
            let in_first_row = (0..position.size()).any(|cell| position.owner(cell).is_some());
            let win = if in_first_row { chance } else { 0.5 };
            let outcome = WinDrawLoss { win, draw: 0.0, loss: 1.0 - win };
            Evaluation { outcome, ..Evaluation::uniform(legal.len()) }
        }
    }

    /// Counts the openings whose one random stone is in the first row, and the positions evaluated.
    fn in_first_row(balance: f64, chance: f32) -> (usize, usize) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let (mut found, mut judged, mut openings) = (0, 0, 0);
        while openings < 2000 {
            let mut judge = biased(chance);
            let mut counted = |position: &Position, legal: &[Action]| {
                judged += 1;
                judge(position, legal)
            };
            let opening = OpeningSettings { random: 0.5, balance };
            let (game, actions) = opening.draw(default_game(), 5, &mut counted, &mut rng);
            assert_eq!(game.turns(), actions.len());
            if let [action] = actions[..] {
                openings += 1;
                found += usize::from(action.index() < 5);
            }
        }
        (found, judged)
    }

    #[test]
    fn biased_openings_are_rare() {
        // Five of the 24 cells that may be taken first.
        let (found, judged) = in_first_row(0.0, 0.1);
        assert!((found as f64 / 2000.0 - 5.0 / 24.0).abs() < 0.04, "{found}");
        assert_eq!(judged, 0, "nobody is asked");
        // Accepted with probability 4 · 0.1 · 0.9 = 0.36, so 1.8 of 20.8.
        let (found, judged) = in_first_row(1.0, 0.1);
        assert!((found as f64 / 2000.0 - 1.8 / 20.8).abs() < 0.025, "{found}");
        assert!(judged > 2000, "{judged}");
        // 0.6² · … with an exponent of 2: 0.1296, so 0.648 of 19.648.
        let (found, _) = in_first_row(2.0, 0.1);
        assert!((found as f64 / 2000.0 - 0.648 / 19.648).abs() < 0.02, "{found}");
    }

    #[test]
    fn attempts_are_bounded() {
        let hopeless = |_: &Position, legal: &[Action]| {
            let outcome = WinDrawLoss::certain(1.0);
            Evaluation { outcome, ..Evaluation::uniform(legal.len()) }
        };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let opening = OpeningSettings { random: 0.9, balance: 1.0 };
        let drawn = (0..20).map(|_| opening.draw(default_game(), 3, &mut { hopeless }, &mut rng).1.len());
        assert!(drawn.max() > Some(2));
    }
}
