//! Positions that games begin from.

use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::shards::{GameRecord, GameStart, position_after};
use hexzero_games::{Action, Game, GameRng, Position};

use super::opening::OpeningSettings;
use super::restarts::RestartBuffer;

/// The moves that lead to a position from the beginning of a game.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Start {
    /// The board's size.
    pub size: u8,
    /// The moves. A position alone would not do: games with repetition depend on those before.
    pub moves: Vec<Action>,
}

impl Start {
    /// Returns the position; none if the moves break the rules or end the game.
    fn position(&self, game: Game) -> Option<Position> {
        position_after(game, self.size, self.moves.iter().copied()).filter(|position| position.outcome().is_none())
    }
}

/// The positions that games may begin from, besides the empty board.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Starts {
    /// Those of [`OpeningSettings::file`].
    pub file: Vec<Start>,
    /// Those where the search was wrong.
    pub restarts: RestartBuffer,
}

impl Starts {
    /// Draws the position that a game begins from. Returns none if it begins on the empty board or with random moves.
    pub(super) fn draw(
        &self,
        game: Game,
        size: usize,
        settings: &OpeningSettings,
        rng: &mut GameRng,
    ) -> Option<(GameStart, Position, Vec<Action>)> {
        let &OpeningSettings { file_share, restart_share, restart_exponent, .. } = settings;
        // Without either, no number is drawn: games are then the same as those of earlier versions.
        if file_share + restart_share == 0.0 {
            return None;
        }
        let drawn = rng.random::<f64>();
        let (kind, start) = if drawn < file_share {
            let fitting: Vec<&Start> = self.file.iter().filter(|start| usize::from(start.size) == size).collect();
            (GameStart::File, *fitting.get(rng.random_range(0..fitting.len().max(1)))?)
        } else if drawn < file_share + restart_share {
            (GameStart::Regret, self.restarts.draw(size, restart_exponent, rng)?)
        } else {
            return None;
        };
        Some((kind, start.position(game)?, start.moves.clone()))
    }

    /// Returns true if a game may have begun as its record says, by these positions.
    pub(super) fn allow(&self, settings: &OpeningSettings, record: &GameRecord) -> bool {
        let opening = &record.turns[..record.opening_plies()];
        let is_start =
            |start: &Start| start.size == record.size && start.moves.iter().eq(opening.iter().map(|turn| &turn.action));
        match record.start {
            GameStart::Empty => opening.is_empty(),
            GameStart::Random => !opening.is_empty(),
            GameStart::File => settings.file_share > 0.0 && self.file.iter().any(is_start),
            GameStart::Regret => {
                settings.restart_share > 0.0 && self.restarts.ranked().iter().any(|restart| is_start(&restart.start))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::game_named;
    use rand::SeedableRng;

    /// Starts from elsewhere may be anything.
    #[test]
    fn impossible_starts_begin_no_game() {
        let game = game_named("hex-noswap").unwrap();
        let mut rng = GameRng::seed_from_u64(1);
        let opening = OpeningSettings { file: Some("a".into()), file_share: 1.0, ..OpeningSettings::default() };
        let drawn = |moves: Vec<Action>, rng: &mut GameRng| {
            let starts = Starts { file: vec![Start { size: 9, moves }], ..Starts::default() };
            starts.draw(game, 9, &opening, rng).map(|(kind, position, moves)| (kind, position.turns(), moves.len()))
        };
        assert_eq!(drawn(vec![Action(3), Action(4)], &mut rng), Some((GameStart::File, 2, 2)));
        assert_eq!(drawn(vec![Action(3), Action(3)], &mut rng), None);
        assert_eq!(drawn(vec![Action(9999)], &mut rng), None);
        let won = (0..9).flat_map(|row| [9 * row, 9 * row + 1]).map(Action).collect();
        assert_eq!(drawn(won, &mut rng), None, "the game would be over");
    }
}
