//! The state of a conversation.

use std::time::Instant;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::engine::Engine;
use crate::games::Action;
use crate::search::{GameClock, Level, Limits, TimeControl};

use super::analysis::AnalysisUnderWay;

/// How long the engine thinks about a move.
#[derive(Debug, Clone, Copy)]
pub struct Thinking {
    /// Limits without a clock.
    pub without_clock: Limits,
    /// Upper limits beside the clock.
    pub with_clock: Limits,
    /// Whether it ponders between commands after its first move, at full strength.
    pub ponder: bool,
    /// The level.
    pub level: Level,
    /// The seed of random choices.
    pub seed: u64,
}

/// An engine driven by another program.
pub struct GtpSession {
    pub(super) engine: Engine,
    pub(super) clock: Option<GameClock>,
    /// Whether the engine has made a move in this game.
    pub(super) has_moved: bool,
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
        Self { engine, clock: None, has_moved: false, analysis: None, thinking, rng, asked: Instant::now() }
    }

    /// The same session, with full clocks if the game is timed.
    pub fn with_clock(self, control: Option<TimeControl>) -> Self {
        Self { clock: control.map(GameClock::new), ..self }
    }

    /// Searches within the present limits, and chooses a move by the level. `counts`: whether the time is taken
    /// off the mover's clock.
    pub(super) fn think(&mut self, counts: bool) -> Option<Action> {
        let Thinking { without_clock, with_clock, level, .. } = self.thinking;
        match &mut self.clock {
            None => {
                let limits = self.engine.prepare(level, &without_clock);
                self.engine.think(&limits);
            }
            Some(clock) => {
                let before = clock.clone();
                let limits = self.engine.prepare(level, &with_clock);
                self.engine.think_by_clock(clock, &limits, self.asked);
                if !counts {
                    *clock = before;
                }
            }
        }
        self.engine.action_on(level, &mut self.rng)
    }
}
