//! The state of a conversation.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::Instant;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use hexzero_engine::{Engine, MoveRun};
use hexzero_games::{Action, InvalidMove, Position, Seat};
use hexzero_search::{GameClock, Level, Limits, TimeControl};
use hexzero_system::warning;

use super::analysis::AnalysisUnderWay;
use super::protocol::Reply;
use super::words::not_playable;

/// The maximum number of warnings printed in a session.
const MAX_WARNINGS: usize = 100;

/// Settings of the choice of a move.
#[derive(Debug, Clone, Copy)]
pub struct Thinking {
    /// Limits of a move without a clock.
    pub without_clock: Limits,
    /// Upper limits of a move beside the clock.
    pub with_clock: Limits,
    /// Whether the engine ponders between commands after its first move, at full strength.
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
    /// A move to be played once the reply has been sent.
    pub(super) chosen: Option<Chosen>,
    /// The warnings so far, each of which is printed once.
    warned: BTreeSet<String>,
}

/// A move of the engine. It is sent before it is played: the clock runs until it has been sent, and
/// a large tree takes long to follow a move.
pub(super) struct Chosen {
    pub action: Action,
    pub name: String,
    run: MoveRun,
}

impl GtpSession {
    /// Creates a session with the engine's present game.
    pub fn new(engine: Engine, thinking: Thinking) -> Self {
        let rng = Xoshiro256PlusPlus::seed_from_u64(thinking.seed);
        Self {
            engine,
            clock: None,
            has_moved: false,
            resigned: None,
            analysis: None,
            thinking,
            rng,
            asked: Instant::now(),
            chosen: None,
            warned: BTreeSet::new(),
        }
    }

    /// Returns the same session with full clocks, or none.
    pub fn with_clock(self, control: Option<TimeControl>) -> Self {
        Self { clock: control.map(GameClock::new), ..self }
    }

    /// Searches the present position, or another one without some moves at its root, within the present limits, and
    /// chooses a move by the level. `search` runs the search to its end.
    pub(super) fn think(
        &mut self,
        other: Option<(Position, &[Action])>,
        search: impl FnOnce(&mut Engine, &mut MoveRun),
    ) -> Result<Chosen, String> {
        let Self { engine, clock, thinking, rng, asked, .. } = self;
        let Thinking { without_clock, with_clock, level, .. } = *thinking;
        let choose = |engine: &mut Engine| {
            let mut run = match clock {
                // The time of a move counts from when its search begins.
                None => MoveRun::new(engine, level, &without_clock, Instant::now()),
                Some(clock) => MoveRun::by_clock(engine, level, &with_clock, clock, *asked),
            };
            search(engine, &mut run);
            let action = run.choice(engine, rng).ok_or_else(|| not_playable(InvalidMove::GameOver))?;
            Ok(Chosen { action, name: engine.position().foreign_action_name(action), run })
        };
        match other {
            None => choose(engine),
            Some((position, without)) => engine.aside(position, without, choose),
        }
    }

    /// Sends a reply, and what follows before the next line is answered. Returns when the reply was sent.
    pub(super) fn send(&mut self, reply: &Reply, output: &mut (impl Write + Send)) -> io::Result<Instant> {
        output.write_all(reply.text.as_bytes())?;
        if let Some(analysis) = self.analysis.take_if(|analysis| analysis.plays) {
            analysis.move_while_telling(self, output)?;
        }
        output.flush()?;
        let sent = Instant::now();
        if let Some(Chosen { action, run, .. }) = self.chosen.take() {
            if let Some(clock) = &mut self.clock {
                run.charge(clock);
            }
            self.engine.play(action).map_err(io::Error::other)?;
            self.has_moved = true;
        }
        Ok(sent)
    }

    /// Prints a warning on standard error, unless it has been printed before.
    pub(super) fn warn(&mut self, text: String) {
        if self.warned.len() < MAX_WARNINGS && !self.warned.contains(&text) {
            warning(&text);
            self.warned.insert(text);
        }
    }
}
