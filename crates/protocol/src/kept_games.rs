//! Keeps the search trees of positions that a client has analysed, so that going back and forth in a game repeats no
//! search.

use hexzero_engine::{Engine, IdleGame, Played};
use hexzero_games::{Arrangement, Position};

use super::request::PositionRequest;

/// The maximum number of positions kept.
const MAX_GAMES: usize = 256;

/// A game on the way to a position.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub setup: &'a Option<Arrangement>,
    pub position: &'a Position,
    pub played: &'a [Played],
}

impl Line<'_> {
    /// Returns the moves of a request that continue this game; none if it is another one.
    pub fn further<'a>(&self, asked: &'a PositionRequest) -> Option<&'a [String]> {
        let (known, further) = asked.moves.split_at_checked(self.played.len())?;
        let same = |(played, name): (&Played, &String)| played.name.eq_ignore_ascii_case(name);
        let begins_alike = self.position.size() == asked.size && *self.setup == asked.setup;
        (begins_alike && self.played.iter().zip(known).all(same)).then_some(further)
    }

    /// Returns whether the game is at the position of a request.
    pub fn is_at(&self, asked: &PositionRequest) -> bool {
        self.further(asked).is_some_and(<[String]>::is_empty)
    }
}

/// The positions, each with its setup, the latest last.
#[derive(Default)]
pub(crate) struct KeptGames {
    games: Vec<(Option<Arrangement>, IdleGame)>,
    /// The limit on the memory of all trees, in bytes.
    max_bytes: usize,
}

impl KeptGames {
    /// Returns the memory of all trees, in bytes.
    pub fn memory(&self) -> usize {
        self.games.iter().map(|(_, game)| game.memory()).sum()
    }

    /// Sets the limit on the memory of all trees, and drops the oldest beyond it.
    pub fn bound(&mut self, bytes: usize) {
        self.max_bytes = bytes;
        self.shrink(bytes);
    }

    /// Drops the oldest games until the rest take at most `bytes`.
    fn shrink(&mut self, bytes: usize) {
        let (mut total, mut kept) = (0, 0);
        for (_, game) in self.games.iter().rev().take(MAX_GAMES) {
            total += game.memory();
            if total > bytes {
                break;
            }
            kept += 1;
        }
        self.games.drain(..self.games.len() - kept);
    }

    /// Keeps a copy of the engine's game in place of an earlier one, if it was searched and there is memory for it.
    pub fn copy(&mut self, engine: &Engine, setup: &Option<Arrangement>) {
        if engine.visits() == 0 || engine.memory() > self.max_bytes {
            return;
        }
        let (size, played) = (engine.position().size(), engine.played());
        let is_other = |(other, game): &(Option<Arrangement>, IdleGame)| {
            other != setup || game.position().size() != size || game.played() != played
        };
        self.games.retain(is_other);
        // Before the copy is made, so that both together stay within the limit.
        self.shrink(self.max_bytes - engine.memory());
        self.games.push((setup.clone(), engine.copy_of_game()));
    }

    /// Exchanges the engine's game for the one at this position, if it is kept.
    pub fn take(&mut self, asked: &PositionRequest, engine: &mut Engine, setup: &mut Option<Arrangement>) -> bool {
        let is_it = |(setup, game): &(Option<Arrangement>, IdleGame)| {
            Line { setup, position: game.position(), played: game.played() }.is_at(asked)
        };
        let Some(place) = self.games.iter().rposition(is_it) else { return false };
        let (other, game) = self.games.remove(place);
        self.games.push((std::mem::replace(setup, other), engine.exchange(game)));
        true
    }

    /// Drops all of them.
    pub fn clear(&mut self) {
        self.games.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_engine::model::LoadedModel;
    use hexzero_games::game_named;
    use hexzero_search::Limits;

    fn at(moves: &[&str]) -> PositionRequest {
        let moves = moves.iter().map(ToString::to_string).collect();
        PositionRequest { game: "hex".to_owned(), size: 5, setup: None, moves }
    }

    #[test]
    fn latest_games_are_kept_within_the_memory() {
        let mut engine = Engine::new(game_named("hex").unwrap(), 5, LoadedModel::playouts()).unwrap();
        let (mut kept, mut setup) = (KeptGames::default(), None);
        kept.bound(1 << 20);
        kept.copy(&engine, &setup);
        assert_eq!(kept.memory(), 0, "nothing was searched");
        let moves = ["a1", "b2", "c3"];
        for name in moves {
            engine.think(&Limits::visits(100));
            kept.copy(&engine, &setup);
            kept.copy(&engine, &setup);
            let action = engine.legal_action(name).unwrap();
            engine.play(action).unwrap();
        }
        assert_eq!(kept.games.len(), 3, "each once");
        kept.bound(kept.games[1].1.memory() + kept.games[2].1.memory());
        assert_eq!(kept.games.len(), 2);
        assert!(!kept.take(&at(&[]), &mut engine, &mut setup), "the oldest is gone");
        assert!(kept.take(&at(&["A1"]), &mut engine, &mut setup));
        assert_eq!((engine.visits(), engine.played().len()), (100, 1));
        assert!(kept.take(&at(&moves), &mut engine, &mut setup), "the game before the exchange");
        assert!(!kept.take(&PositionRequest { size: 6, ..at(&["a1"]) }, &mut engine, &mut setup));
        kept.bound(0);
        assert!(!kept.take(&at(&["a1"]), &mut engine, &mut setup));
    }
}
