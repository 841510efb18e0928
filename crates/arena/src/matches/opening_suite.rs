//! The openings of a list of fixtures; checks games that were played elsewhere against them.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use hexzero_games::{Position, Seat, SizeError};

use super::fixture::{Finished, Fixture};
use super::openings::Opening;
use super::venue::Fixtures;
use crate::played_game::{PlayedGame, Thinking};

/// The start position and the openings of each size.
#[derive(Debug)]
pub struct OpeningSuite(BTreeMap<usize, (Position, Vec<Opening>)>);

impl OpeningSuite {
    /// Draws the openings of all fixtures.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn new(fixtures: &Fixtures<'_>) -> Result<Self, SizeError> {
        let Fixtures { book, list, seed } = *fixtures;
        let mut boards = BTreeMap::new();
        for &Fixture { size, .. } in list {
            if let Entry::Vacant(board) = boards.entry(size) {
                let last = list.iter().filter(|fixture| fixture.size == size).map(|fixture| fixture.index).max();
                let pairs = last.map_or(0, |index| index / 2 + 1);
                board.insert((book.game().start(size)?, book.openings(size, pairs, seed)?));
            }
        }
        Ok(Self(boards))
    }

    /// Returns the start position and the opening of one of the fixtures.
    pub(super) fn of(&self, fixture: &Fixture) -> (&Position, &Opening) {
        let (start, openings) = &self.0[&fixture.size];
        (start, &openings[fixture.index / 2])
    }

    /// Replays one of the fixtures from the names of its moves. `resigned` is the side that resigned after them, if
    /// any.
    ///
    /// # Errors
    /// If the fixture cannot have been played with these moves and times; the message says why.
    pub fn replay(
        &self,
        fixture: &Fixture,
        moves: &[String],
        resigned: Option<Seat>,
        thinking: [Thinking; 2],
    ) -> Result<Finished, String> {
        let (start, opening) = self.of(fixture);
        let mut position = start.clone();
        let mut actions = Vec::new();
        for (number, name) in (1..).zip(moves) {
            let refused = |reason| format!("move {number} cannot be played: {reason}");
            actions.push(position.play_named(name).map_err(refused)?);
        }
        if !actions.starts_with(opening) {
            return Err("it does not begin with the opening of its pair".to_owned());
        }
        // Resigning takes thinking time, too.
        let is_time =
            |time: &&Thinking| time.moves <= actions.len() + 1 && time.seconds.is_finite() && time.seconds >= 0.0;
        if let Some(Thinking { moves, seconds }) = thinking.iter().find(|time| !is_time(time)) {
            return Err(format!("its players thought for {moves} moves and {seconds} seconds"));
        }
        let fits = match resigned {
            None => position.outcome().is_some(),
            Some(side) => position.outcome().is_none() && side == position.to_move(),
        };
        if !fits {
            return Err("its moves do not lead to the result that it states".to_owned());
        }
        let game = PlayedGame::new(&position, moves.to_vec(), resigned, fixture.index, opening.len());
        Ok(Finished { game, thinking })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::OpeningBook;
    use hexzero_games::game_named;

    #[test]
    fn impossible_thinking_times_are_refused() {
        let list = [Fixture { a: 0, b: 1, size: 3, index: 0 }];
        let book = OpeningBook::random(game_named("cachex").unwrap());
        let suite = OpeningSuite::new(&Fixtures { book: &book, list: &list, seed: 0 }).unwrap();
        let (start, opening) = suite.of(&list[0]);
        let mut position = start.clone();
        let play = |&action: &_| {
            let name = position.action_name(action);
            position.play(action);
            name
        };
        let moves: Vec<String> = opening.iter().map(play).collect();
        let replay = |time: Thinking| {
            suite.replay(&list[0], &moves, Some(position.to_move()), [Thinking::default(), time]).map(drop)
        };
        assert_eq!(replay(Thinking { moves: 1, seconds: 0.5 }), Ok(()));
        for (moves, seconds) in [(1, f64::NAN), (1, f64::INFINITY), (1, -1.0), (1000, 0.5)] {
            assert!(replay(Thinking { moves, seconds }).unwrap_err().starts_with("its players thought for "));
        }
    }
}
