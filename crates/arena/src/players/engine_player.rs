//! The PUCT search as a player.

use rand::SeedableRng;

use hexzero_games::{Action, Evaluator, GameRng, Position};
use hexzero_search::{Level, Limits, PLAYOUT_PUCT, RandomPlayouts, Search, SearchSettings};

use super::player::{Player, PlayerError};

/// Searches and plays the best move, or on a weak level some other. Keeps the part of the tree below the move and
/// the reply.
#[derive(Debug, Clone)]
pub struct EnginePlayer<E> {
    name: String,
    /// One evaluator for each thread of the search.
    evaluators: Vec<E>,
    settings: SearchSettings,
    limits: Limits,
    level: Level,
    /// Draws the random choices of a weak level.
    rng: GameRng,
    /// Seeds an evaluator for a game.
    reseed: fn(&mut E, u64),
    search: Option<Search>,
}

impl EnginePlayer<RandomPlayouts> {
    /// Creates a player without a network: plain Monte-Carlo tree search. Its root has `playouts` playouts, including
    /// those kept from the last move.
    pub fn mcts(playouts: u32) -> Self {
        let (name, evaluator) = (format!("mcts:{playouts}"), RandomPlayouts::new(0));
        let player = Self::new(name, evaluator, PLAYOUT_PUCT, Limits::visits(playouts));
        Self { reseed: |evaluator, seed| *evaluator = RandomPlayouts::new(seed), ..player }
    }
}

impl<E: Evaluator> EnginePlayer<E> {
    /// Creates a player with an empty tree. Limits on visits count those kept from the last move.
    pub fn new(name: impl Into<String>, evaluator: E, settings: impl Into<SearchSettings>, limits: Limits) -> Self {
        let (evaluators, settings) = (vec![evaluator], settings.into());
        let (name, level, rng) = (name.into(), Level::FULL, GameRng::seed_from_u64(0));
        Self { name, evaluators, settings, limits, level, rng, reseed: |_, _| (), search: None }
    }

    /// Returns the same player on another level.
    pub fn on_level(self, level: Level) -> Self {
        Self { level, ..self }
    }

    /// Returns the search of the last position, if it is kept.
    pub fn search(&self) -> Option<&Search> {
        self.search.as_ref()
    }

    /// Returns the same player searching on `threads` threads. Results then depend on timing.
    pub fn on_threads(mut self, threads: usize) -> Self
    where
        E: Clone,
    {
        self.evaluators.resize(threads.max(1), self.evaluators[0].clone());
        self
    }
}

/// Returns true if two positions are equal except for their histories; together with the turn count
/// this detects a game that was not followed.
fn looks_the_same(a: &Position, b: &Position) -> bool {
    a.game() == b.game()
        && a.size() == b.size()
        && a.turns() == b.turns()
        && a.outcome() == b.outcome()
        && a.to_move() == b.to_move()
        && a.drawing(None) == b.drawing(None)
}

impl<E: Evaluator + Send> Player for EnginePlayer<E> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn start_game(&mut self, _start: &Position, seed: u64) -> Result<(), PlayerError> {
        self.rng = GameRng::seed_from_u64(seed);
        self.evaluators.iter_mut().for_each(|evaluator| (self.reseed)(evaluator, seed));
        self.search = None;
        Ok(())
    }

    fn choose(&mut self, position: &Position) -> Result<Option<Action>, PlayerError> {
        let kept = self.search.take().filter(|search| looks_the_same(search.position(), position));
        let search = self.search.insert(kept.unwrap_or_else(|| Search::new(position.clone(), self.settings)));
        let limits = self.level.prepare(search, &self.limits);
        search.run_on(&mut self.evaluators, &limits);
        Ok(self.level.choose(search, &mut self.rng))
    }

    fn observe(&mut self, _before: &Position, action: Action) -> Result<(), PlayerError> {
        match &mut self.search {
            Some(search) if search.position().check(action).is_ok() => search.advance(action),
            // Not the game that was searched.
            search => *search = None,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use hexzero_games::{Evaluation, game_named};

    use super::*;

    fn start() -> Position {
        game_named("cachex").unwrap().start(4).unwrap()
    }

    fn player(visits: u32) -> EnginePlayer<impl Evaluator + Clone + Send> {
        let judge = |_: &Position, legal: &[Action]| Evaluation::uniform(legal.len());
        EnginePlayer::new("engine", judge, SearchSettings::default(), Limits::visits(visits))
    }

    #[test]
    fn tree_is_kept_between_moves() {
        let mut judged = 0;
        let judge = |_: &Position, legal: &[Action]| {
            judged += 1;
            Evaluation::uniform(legal.len())
        };
        let mut player = EnginePlayer::new("engine", judge, SearchSettings::default(), Limits::visits(200));
        let mut position = start();
        for _ in 0..2 {
            let action = player.choose(&position).unwrap().unwrap();
            assert!(player.search().unwrap().visits() >= 200);
            player.observe(&position, action).unwrap();
            position.play(action);
        }
        assert!(player.search().unwrap().visits() > 0, "the reply's visits are kept");
        drop(player);
        assert!(judged < 400, "{judged} judgements for two searches of 200 visits");
    }

    #[test]
    fn another_position_is_searched_anew() {
        let mut player = player(50);
        let mut position = start();
        player.choose(&position).unwrap();
        // A move that the player did not observe, and then a move that does not fit its game.
        let unseen = position.play_named("b1").unwrap();
        assert!(position.check(player.choose(&position).unwrap().unwrap()).is_ok());
        player.observe(&position, unseen).unwrap();
        assert!(position.check(player.choose(&position).unwrap().unwrap()).is_ok());
    }

    #[test]
    fn threads_share_the_visit_limit() {
        let mut player = player(300).on_threads(3);
        let position = start();
        assert!(position.check(player.choose(&position).unwrap().unwrap()).is_ok());
        assert_eq!(player.search().unwrap().visits(), 300);
    }
}
