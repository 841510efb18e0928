//! The game between a person and the engine, whatever shows it.

use std::time::Instant;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use hexzero_engine::{Effort, Engine, MoveRun, Played, Strength};
use hexzero_games::{Action, InvalidMove, Seat, SizeError};
use hexzero_search::{GameClock, Limits, TimeLeft};

use super::screen::Palette;

/// Settings of a session.
#[derive(Debug, Clone)]
pub struct Options {
    /// The side of the person.
    pub person: Seat,
    /// The engine's strength.
    pub strength: Strength,
    /// The maximum size of the search tree, in bytes.
    pub memory: usize,
    /// Whether the engine ponders at full strength.
    pub ponder: bool,
    /// The seed of the engine's random choices.
    pub seed: u64,
    /// The colours of the text.
    pub palette: Palette,
    /// A description of the model.
    pub opponent: String,
    /// A warning to print before the game.
    pub warning: Option<String>,
}

/// The result of taking moves back.
pub(super) enum Undone {
    /// Nothing: the person had made no move.
    Nothing,
    /// The resignation is withdrawn.
    Resignation,
    /// These moves are taken back, the last one first.
    Moves(Vec<Played>),
}

/// A person and an engine at a board.
pub(super) struct Table {
    pub engine: Engine,
    pub options: Options,
    pub resigned: bool,
    pub clock: Option<GameClock>,
    /// The engine's remaining time before each of its moves.
    left_before: Vec<TimeLeft>,
    /// The number of moves when the game was saved last.
    pub saved_moves: usize,
    rng: Xoshiro256PlusPlus,
}

impl Table {
    /// Creates a table with the engine's present game.
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

    /// Returns whether it is the engine's turn in an unfinished game.
    pub fn is_engines_turn(&self) -> bool {
        !self.is_over() && self.engine.position().to_move() != self.options.person
    }

    /// Returns whether the engine ponders now.
    pub fn ponders(&self) -> bool {
        self.options.ponder && self.options.strength.level.is_full() && !self.is_over()
    }

    /// Returns the limits of pondering and analysis: memory only.
    pub fn free_limits(&self) -> Limits {
        Limits::default().within_memory(self.options.memory)
    }

    /// Returns the limits of a hint.
    pub fn move_limits(&self) -> Limits {
        let effort = self.options.strength.effort;
        let effort = if effort.clock().is_some() { Effort::default() } else { effort };
        effort.limits().within_memory(self.options.memory)
    }

    /// Returns whether leaving would lose a game: one in which the person has moved, that is not over and is not saved
    /// as it stands.
    pub fn is_at_stake(&self) -> bool {
        let played = self.engine.played();
        !self.is_over()
            && self.saved_moves != played.len()
            && played.iter().any(|played| played.seat == self.options.person)
    }

    /// Plays the move that the person wrote.
    pub fn play_named(&mut self, text: &str) -> Result<Played, InvalidMove> {
        let action = self.engine.legal_action(text)?;
        self.engine.play(action).cloned()
    }

    /// Chooses the engine's move, on its clock if there is one.
    pub fn think(&mut self) -> Option<Action> {
        let Strength { level, effort } = self.options.strength;
        let limits = effort.limits().within_memory(self.options.memory);
        let (engine, start) = (&mut self.engine, Instant::now());
        let mut run = match &self.clock {
            None => MoveRun::new(engine, level, &limits, start),
            Some(clock) => MoveRun::by_clock(engine, level, &limits, clock, start),
        };
        run.finish(engine);
        if let Some(clock) = &mut self.clock {
            self.left_before.push(clock.left(self.options.person.opponent()));
            run.charge(clock);
        }
        run.varied_choice(engine, &mut self.rng)
    }

    /// Puts the engine's clock back to before its last move, or before one that it did not make.
    pub fn give_time_back(&mut self) {
        if let (Some(clock), Some(left)) = (&mut self.clock, self.left_before.pop()) {
            clock.set(self.options.person.opponent(), left);
        }
    }

    /// Takes moves back up to the person's last one; the engine's clock goes back too.
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
        // A game that goes on after this is another one than was saved.
        if self.engine.played().len() < self.saved_moves {
            self.saved_moves = 0;
        }
        Undone::Moves(taken_back)
    }
}

/// Lists what a move captured and took over, each after its sign or word.
pub(super) fn effects(played: &Played, [captures, turns]: [&str; 2], separator: &str) -> String {
    let effects = [(captures, &played.captured), (turns, &played.turned)].into_iter();
    let effects = effects.filter(|(_, places)| !places.is_empty());
    effects.map(|(does, places)| format!(" {does}{}", places.join(separator))).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use hexzero_engine::model::LoadedModel;
    use hexzero_games::game_named;
    use hexzero_search::{Level, TimeControl};

    #[test]
    fn undo_restores_the_engines_time() {
        let engine = Engine::new(game_named("cachex").unwrap(), 4, LoadedModel::uniform()).unwrap();
        let control = TimeControl::whole_game(Duration::from_secs(600), Duration::ZERO);
        let options = Options {
            person: Seat::First,
            // This level looks at only a few positions, whatever the clock allows.
            strength: Strength { level: Level::ALL[0], effort: Effort::Clock(control) },
            memory: 1 << 20,
            ponder: false,
            seed: 0,
            palette: Palette { coloured: false },
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
        let position = table.engine.position();
        let second = position.action_name(position.legal()[0]);
        play(&mut table, &second);
        assert!(left(&table) < after_one);
        table.undo();
        assert_eq!(left(&table), after_one);
        table.undo();
        assert_eq!(left(&table), control.main);
    }
}
