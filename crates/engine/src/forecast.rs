//! Forecast of the board at the end of the game.

use hexzero_games::{Action, CellForecast};
use hexzero_search::RootMove;

use super::Engine;

/// The number of best moves whose lines are followed for the forecast.
const FORECAST_MOVES: usize = 8;

impl Engine {
    /// Predicts what each cell holds at the end, if the model does; call [`Engine::think`] first. Averages the model's
    /// prediction for the position with those at the ends of the best moves' lines, weighted by visits: in recorded
    /// games that was more accurate than the position alone.
    pub fn forecast(&mut self) -> Option<Vec<CellForecast>> {
        let position = self.search.position();
        if position.outcome().is_some() {
            return None;
        }
        let of_position = self.evaluators[0].forecast(position)?;
        let moves = self.search.root_moves().into_iter().take(FORECAST_MOVES).filter(|candidate| candidate.visits > 0);
        let moves: Vec<RootMove> = moves.collect();
        let visits: f32 = moves.iter().map(|candidate| candidate.visits as f32).sum();
        if moves.is_empty() {
            return Some(of_position);
        }
        let mut mean = vec![CellForecast::default(); of_position.len()];
        let mut add = |cells: Vec<CellForecast>, share: f32| {
            mean.iter_mut().zip(cells).for_each(|(mean, cell)| mean.add(cell, share));
        };
        add(of_position, 0.5);
        for candidate in moves {
            add(self.forecast_after(candidate.action)?, 0.5 * candidate.visits as f32 / visits);
        }
        Some(mean)
    }

    /// Predicts the board in the same way, but from the end of the line of a root move.
    pub fn forecast_after(&mut self, action: Action) -> Option<Vec<CellForecast>> {
        let mut end = self.search.position().clone();
        self.search.variation_from(action).into_iter().for_each(|action| end.play(action));
        match end.outcome() {
            Some(_) => Some((0..end.topology().cells()).map(|cell| CellForecast::certain(end.owner(cell))).collect()),
            None => self.evaluators[0].forecast(&end),
        }
    }
}
