//! The points of matches, in games decided by counting.

use serde::Serialize;

use hexzero_games::{Score, game_named};

use crate::played_game::PlayedGame;
use crate::rating::student_quantile;

/// A's points less B's in a game, with Student's 95 % interval of the mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PointsEstimate {
    /// What is counted, such as "captured cells".
    pub what: &'static str,
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl PointsEstimate {
    /// Estimates the difference from pairs of games in order. `independence` is that of
    /// [`Tally`](crate::Tally::independence). None if the game has no score, or fewer than two pairs were played out.
    pub(crate) fn of(games: &[PlayedGame], independence: f64) -> Option<Self> {
        let what = game_named(games.first()?.game).ok()?.start(games[0].size).ok()?.score()?.what;
        let pairs = games.chunk_by(|a, b| a.index / 2 == b.index / 2);
        let means: Vec<f64> =
            pairs.filter_map(|pair| Some((lead(pair.first()?)? + lead(pair.get(1)?)?) / 2.0)).collect();
        let count = means.len() as f64;
        let quantile = student_quantile(count - 1.0)?;
        let mean = means.iter().sum::<f64>() / count;
        let variance = means.iter().map(|lead| (lead - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let width = quantile * (variance / (count * independence)).sqrt();
        Some(Self { what, mean, low: mean - width, high: mean + width })
    }
}

/// Returns A's points less B's in a game that was played out.
fn lead(game: &PlayedGame) -> Option<f64> {
    let mut position = game_named(game.game).ok()?.start(game.size).ok()?;
    game.moves.iter().try_for_each(|name| position.play_named(name).map(drop)).ok()?;
    position.outcome()?;
    let Score { points: [first, second], .. } = position.score()?;
    let lead = f64::from(first) - f64::from(second);
    Some(if game.a_is_first { lead } else { -lead })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::{GameRng, Position};
    use rand::SeedableRng;

    /// A random game of HexiFence.
    fn game(index: usize, seed: u64) -> (PlayedGame, Position) {
        let (mut rng, mut moves) = (GameRng::seed_from_u64(seed), Vec::new());
        let mut position = game_named("hexifence").unwrap().start(2).unwrap();
        while let Some(action) = position.random_action(&mut rng) {
            moves.push(position.action_name(action));
            position.play(action);
        }
        (PlayedGame::new(&position, moves, None, index, 0), position)
    }

    #[test]
    fn points_count_for_a() {
        let (games, ends): (Vec<PlayedGame>, Vec<Position>) = (0..6).map(|index| game(index, index as u64)).unzip();
        let lead = |index: usize| {
            let [first, second] = ends[index].score().unwrap().points.map(f64::from);
            if index.is_multiple_of(2) { first - second } else { second - first }
        };
        let means = [0, 2, 4].map(|index| (lead(index) + lead(index + 1)) / 2.0);
        let mean = means.iter().sum::<f64>() / 3.0;
        let deviation = (means.iter().map(|pair| (pair - mean).powi(2)).sum::<f64>() / 2.0).sqrt();
        let found = PointsEstimate::of(&games, 1.0).unwrap();
        assert!((found.mean - mean).abs() < 1e-9);
        assert!((found.high - found.mean - 4.303 * deviation / 3f64.sqrt()).abs() < 1e-3);
        assert!(deviation > 0.0 && found.what == ends[0].score().unwrap().what);
        // A game without its partner does not count.
        assert_eq!(PointsEstimate::of(&games[..5], 1.0).unwrap().mean, (means[0] + means[1]) / 2.0);
        assert!(PointsEstimate::of(&games[..2], 1.0).is_none());
    }
}
