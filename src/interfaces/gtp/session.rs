//! The state of a conversation.

use std::time::Instant;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::engine::{Engine, MoveRun};
use crate::games::{Action, Seat};
use crate::search::{GameClock, Level, Limits, TimeControl};

use super::analysis::AnalysisUnderWay;

/// Settings of the choice of a move.
#[derive(Debug, Clone, Copy)]
pub struct Thinking {
    /// Limits of a move without a clock.
    pub without_clock: Limits,
    /// Upper limits of a move beside the clock.
    pub with_clock: Limits,
    /// Whether it ponders between commands after its first move, at full strength.
    pub ponder: bool,
    /// The level.
    pub level: Level,
    /// The seed of random choices.
    pub seed: u64,
}

/// A session of the Go Text Protocol: an engine and its clocks.
pub struct GtpSession {
    pub(super) engine: Engine,
    pub(super) clock: Option<GameClock>,
    /// Whether the engine has made a move in this game.
    pub(super) has_moved: bool,
    /// The player who has resigned, if one has.
    pub(super) resigned: Option<Seat>,
    /// An analysis that continues until the next line.
    pub(super) analysis: Option<AnalysisUnderWay>,
    pub(super) thinking: Thinking,
    rng: Xoshiro256PlusPlus,
    /// The arrival of the command being answered.
    pub(super) asked: Instant,
}

impl GtpSession {
    /// Begins with the engine's present game.
    pub fn new(engine: Engine, thinking: Thinking) -> Self {
        let rng = Xoshiro256PlusPlus::seed_from_u64(thinking.seed);
        let (clock, resigned, analysis) = (None, None, None);
        Self { engine, clock, has_moved: false, resigned, analysis, thinking, rng, asked: Instant::now() }
    }

    /// Returns the same session with full clocks, or none.
    pub fn with_clock(self, control: Option<TimeControl>) -> Self {
        Self { clock: control.map(GameClock::new), ..self }
    }

    /// Searches within the present limits, and chooses a move by the level. Takes the time off the mover's clock if
    /// `counts`.
    pub(super) fn think(&mut self, counts: bool) -> Option<Action> {
        let Thinking { without_clock, with_clock, level, .. } = self.thinking;
        let engine = &mut self.engine;
        if let Some(clock) = &mut self.clock {
            clock.note_wait(self.asked.elapsed());
        }
        let mut run = match &self.clock {
            // The time of a move counts from when its search begins.
            None => MoveRun::new(engine, level, &without_clock, Instant::now()),
            Some(clock) => MoveRun::by_clock(engine, level, &with_clock, clock, self.asked),
        };
        run.finish(engine);
        if let Some(clock) = self.clock.as_mut().filter(|_| counts) {
            run.charge(clock);
        }
        run.choice(engine, &mut self.rng)
    }
}
