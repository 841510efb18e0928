//! The state of a conversation, and the conversation itself.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::{Action, Game, Position};
use crate::interfaces::engine::Engine;
use crate::interfaces::lines::Line;
use crate::search::{GameClock, Level, Limits, TimeControl};

use super::analysis::AnalysisUnderWay;
use super::commands::{Command, UNKNOWN};
use super::listening::{Heard, Listener};
use super::protocol::{Reply, Request, reply};

/// How long the engine thinks about a move.
#[derive(Debug, Clone, Copy)]
pub struct Thinking {
    /// While no clock has been set.
    pub without_clock: Limits,
    /// Upper limits beside the clock.
    pub with_clock: Limits,
    /// Whether it goes on between the commands once it has moved, if it plays at full strength.
    pub ponder: bool,
    /// How well it plays.
    pub level: Level,
    /// The seed of its choices by chance.
    pub seed: u64,
}

/// An engine that is spoken to by another program.
pub struct GtpSession {
    pub(super) engine: Engine,
    pub(super) clock: Option<GameClock>,
    /// Whether the engine has made a move in this game.
    pub(super) has_moved: bool,
    /// An analysis that goes on until the next line.
    pub(super) analysis: Option<AnalysisUnderWay>,
    thinking: Thinking,
    rng: Xoshiro256PlusPlus,
    /// When the command came that is being answered.
    asked: Instant,
}

impl GtpSession {
    /// A session that begins with the engine's present game.
    pub fn new(engine: Engine, thinking: Thinking) -> Self {
        let rng = Xoshiro256PlusPlus::seed_from_u64(thinking.seed);
        Self { engine, clock: None, has_moved: false, analysis: None, thinking, rng, asked: Instant::now() }
    }

    /// The same session, with full clocks if the game is timed.
    pub fn with_clock(self, control: Option<TimeControl>) -> Self {
        Self { clock: control.map(GameClock::new), ..self }
    }

    /// Answers a line; nothing if there is no command on it. An analysis ends at once, as nobody waits for more of it.
    pub fn answer(&mut self, line: &str) -> Option<Reply> {
        let mut reply = self.answer_since(line, Instant::now())?;
        if let Some(analysis) = self.analysis.take() {
            let mut rest = Vec::new();
            let written = analysis.answer_while(&mut self.engine, Limits::default(), &mut rest, || ());
            written.expect("memory takes what is written to it");
            reply.text.push_str(&String::from_utf8_lossy(&rest));
        }
        Some(reply)
    }

    /// Answers a line that came some time ago; with an analysis, only the beginning.
    fn answer_since(&mut self, line: &str, asked: Instant) -> Option<Reply> {
        let request = Request::parse(line)?;
        let Some(command) = Command::named(&request.name) else {
            return Some(request.reply(Err(UNKNOWN.to_owned())));
        };
        self.asked = asked;
        let answer = self.execute(command, &request.arguments);
        if let Some(analysis) = self.analysis.take() {
            let analysis = self.analysis.insert(analysis.with_id(request.id));
            return Some(Reply { text: analysis.beginning(), quit: false });
        }
        let quit = command == Command::Quit && answer.is_ok();
        Some(Reply { quit, ..request.reply(answer) })
    }

    /// Thinks within the limits that hold now, and chooses a move as its level does. `counts`: whether it takes
    /// time off the mover's clock.
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

    /// Waits for the next line, and puts the time to use.
    fn next_line(&mut self, listener: &Listener, output: &mut (impl Write + Send)) -> io::Result<Heard> {
        let wait = || listener.next();
        let limits = Limits::default().within_memory(self.thinking.with_clock.memory);
        match self.analysis.take() {
            Some(analysis) => analysis.answer_while(&mut self.engine, limits, output, wait)?,
            None if self.thinking.ponder && self.thinking.level.is_full() && self.has_moved => {
                self.engine.ponder(&limits, wait)
            }
            None => wait(),
        }
    }
}

/// Answers every line of an input until it ends or says `quit`. The line `# interrupt` ends the command that is under
/// way when it comes, with what has been found so far.
///
/// # Errors
/// If reading or writing fails.
pub fn converse(
    mut session: GtpSession,
    input: impl BufRead + Send + 'static,
    mut output: impl Write + Send,
) -> io::Result<()> {
    let listener = Listener::new(input, session.engine.halt());
    // A command that came while another was being answered has not been waited for by anybody.
    let mut free = Instant::now();
    loop {
        let Heard { line, at } = session.next_line(&listener, &mut output)?;
        let answer = match line {
            Line::Text(line) => session.answer_since(&line, at.max(free)),
            Line::TooLong => Some(reply(None, Err("line too long".to_owned()))),
            Line::End => return Ok(()),
        };
        if let Some(reply) = answer {
            output.write_all(reply.text.as_bytes())?;
            output.flush()?;
            if reply.quit {
                return Ok(());
            }
        }
        listener.answered();
        free = Instant::now();
    }
}
