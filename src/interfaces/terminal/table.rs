//! The game between a person and the engine, whatever shows it.

use std::time::Instant;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::engine::{Effort, Engine, Played, Strength};
use crate::games::{Action, InvalidMove, Seat, SizeError};
use crate::search::{GameClock, Limits, TimeLeft};

use super::screen::Palette;

/// How a session is to be.
#[derive(Debug, Clone)]
pub struct Options {
    /// The side of the person.
    pub person: Seat,
    /// How strongly the engine plays.
    pub strength: Strength,
    /// The most bytes of the search tree.
    pub memory: usize,
    /// Whether the engine goes on thinking while the person does, if it plays at full strength.
    pub ponder: bool,
    /// The seed of the engine's choices by chance.
    pub seed: u64,
    /// The colours of the text.
    pub palette: Palette,
    /// What the engine judges with, in words.
    pub opponent: String,
    /// Something that the person must be told before the game.
    pub warning: Option<String>,
}

/// What came of a wish to take a move back.
pub(super) enum Undone {
    /// The person had made no move.
    Nothing,
    /// The person does not resign after all.
    Resignation,
    /// The moves that were taken back, the last one first.
    Moves(Vec<Played>),
}

/// A person and an engine at a board.
pub(super) struct Table {
    pub engine: Engine,
    pub options: Options,
    pub resigned: bool,
    pub clock: Option<GameClock>,
    /// What was on the engine's clock before each of its moves.
    left_before: Vec<TimeLeft>,
    /// How many moves had been made when the game was saved last.
    pub saved_moves: usize,
    rng: Xoshiro256PlusPlus,
}

impl Table {
    /// A table with the engine's present game on it.
    pub fn new(engine: Engine, options: Options) -> Self {
        let rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
        let clock = options.strength.effort.clock().map(GameClock::new);
        Self { engine, options, resigned: false, clock, left_before: Vec::new(), saved_moves: 0, rng }
    }

    /// Begins a new game on the same board.
    pub fn restart(&mut self) -> Result<(), SizeError> {
        self.engine.restart(self.engine.position().size())?;
        self.clock = self.options.strength.effort.clock().map(GameClock::new);
        self.left_before.clear();
        self.saved_moves = 0;
        self.resigned = false;
        Ok(())
    }

    pub fn is_over(&self) -> bool {
        self.resigned || self.engine.position().outcome().is_some()
    }

    /// Whether the game goes on and it is the engine's turn.
    pub fn is_engines_turn(&self) -> bool {
        !self.is_over() && self.engine.position().to_move() != self.options.person
    }

    /// Whether the engine is to think while the person does.
    pub fn ponders(&self) -> bool {
        self.options.ponder && self.options.strength.level.is_full() && !self.is_over()
    }

    /// The limits of thinking for nobody's clock.
    pub fn free_limits(&self) -> Limits {
        Limits::default().within_memory(self.options.memory)
    }

    /// The limits of a hint, or of a move without a clock.
    pub fn move_limits(&self) -> Limits {
        let effort = self.options.strength.effort;
        let effort = if effort.clock().is_some() { Effort::default() } else { effort };
        effort.limits().within_memory(self.options.memory)
    }

    /// Whether a game would be lost in which the person has made a move: one that is not over and has not been saved
    /// as it stands.
    pub fn is_at_stake(&self) -> bool {
        let played = self.engine.played();
        !self.is_over()
            && self.saved_moves != played.len()
            && played.iter().any(|played| played.seat == self.options.person)
    }

    /// Plays what the person wrote.
    pub fn play_named(&mut self, text: &str) -> Result<Played, InvalidMove> {
        let action = self.engine.legal_action(text)?;
        self.engine.play(action).cloned()
    }

    /// The engine's choice of a move.
    pub fn think(&mut self) -> Option<Action> {
        let level = self.options.strength.level;
        let (free, limits) = (self.free_limits(), self.move_limits());
        match &mut self.clock {
            Some(clock) => {
                self.left_before.push(clock.left(self.options.person.opponent()));
                let limits = self.engine.prepare(level, &free);
                self.engine.think_by_clock(clock, &limits, Instant::now())
            }
            None => {
                let limits = self.engine.prepare(level, &limits);
                self.engine.think(&limits)
            }
        };
        self.engine.choice(level, &mut self.rng)
    }

    /// Gives the engine the time back that it took for its last move, or for one that it did not make.
    pub fn give_time_back(&mut self) {
        if let (Some(clock), Some(left)) = (&mut self.clock, self.left_before.pop()) {
            clock.set(self.options.person.opponent(), left);
        }
    }

    /// Goes back to where the person moved last; the engine's clock goes back too.
    pub fn undo(&mut self) -> Undone {
        if self.resigned {
            self.resigned = false;
            return Undone::Resignation;
        }
        if !self.engine.played().iter().any(|played| played.seat == self.options.person) {
            return Undone::Nothing;
        }
        let mut taken_back = Vec::new();
        while let Some(played) = self.engine.undo() {
            let was_the_persons = played.seat == self.options.person;
            taken_back.push(played);
            if was_the_persons {
                break;
            }
            self.give_time_back();
        }
        Undone::Moves(taken_back)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::model::LoadedModel;
    use crate::games::game_named;
    use crate::search::{Level, TimeControl};

    #[test]
    fn undo_takes_the_engines_time_back() {
        let engine = Engine::new(game_named("cachex").unwrap(), 4, LoadedModel::uniform()).unwrap();
        let control = TimeControl::whole_game(Duration::from_secs(600), Duration::ZERO);
        let options = Options {
            person: Seat::First,
            // It looks at a few positions only, whatever the clock allows.
            strength: Strength { level: Level::ALL[0], effort: Effort::Clock(control) },
            memory: 1 << 20,
            ponder: false,
            seed: 0,
            palette: Palette::when(false),
            opponent: "uniform".into(),
            warning: None,
        };
        let mut table = Table::new(engine, options);
        let left = |table: &Table| table.clock.as_ref().unwrap().left(Seat::Second).time;
        let play = |table: &mut Table, text: &str| {
            table.play_named(text).unwrap();
            let action = table.think().unwrap();
            table.engine.play(action).unwrap();
        };
        play(&mut table, "a1");
        let after_one = left(&table);
        assert!(after_one < control.main);
        let mut free = Vec::new();
        table.engine.position().legal_actions(&mut free);
        let second = table.engine.position().action_name(free[0]);
        play(&mut table, &second);
        assert!(left(&table) < after_one);
        table.undo();
        assert_eq!(left(&table), after_one);
        table.undo();
        assert_eq!(left(&table), control.main);
    }
}
