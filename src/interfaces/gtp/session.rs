//! The state of a conversation, and the conversation itself.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::{Action, Game, Player};
use crate::interfaces::engine::Engine;
use crate::interfaces::lines::{Line, read_line};
use crate::search::{GameClock, Level, Limits, TimeControl};

use super::analysis::AnalysisRequest;
use super::commands::{Command, UNKNOWN};
use super::protocol::{Reply, Request, beginning, reply};

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
pub struct GtpSession<G: Game> {
    pub(super) engine: Engine<G>,
    pub(super) clock: Option<GameClock>,
    /// Whether the engine has made a move in this game.
    pub(super) has_moved: bool,
    /// An analysis that goes on until the next command, and whose turn it is really.
    pub(super) analysis: Option<(AnalysisRequest, Player)>,
    thinking: Thinking,
    rng: Xoshiro256PlusPlus,
    /// When the command came that is being answered.
    asked: Instant,
}

impl<G: Game> GtpSession<G> {
    /// A session that begins with the engine's present game.
    pub fn new(engine: Engine<G>, thinking: Thinking) -> Self {
        let rng = Xoshiro256PlusPlus::seed_from_u64(thinking.seed);
        Self { engine, clock: None, has_moved: false, analysis: None, thinking, rng, asked: Instant::now() }
    }

    /// The same session, with full clocks if the game is timed.
    pub fn with_clock(self, control: Option<TimeControl>) -> Self {
        Self { clock: control.map(GameClock::new), ..self }
    }

    /// Answers a line; nothing if there is no command on it.
    pub fn answer(&mut self, line: &str) -> Option<Reply> {
        self.answer_since(line, Instant::now())
    }

    /// Answers a line that came some time ago.
    fn answer_since(&mut self, line: &str, asked: Instant) -> Option<Reply> {
        // Whoever asks line after line without waiting in between has no analysis in the meantime.
        self.end_analysis();
        let request = Request::parse(line)?;
        let Some(command) = Command::named(&request.name) else {
            return Some(request.reply(Err(UNKNOWN.to_owned())));
        };
        self.asked = asked;
        let answer = self.execute(command, &request.arguments);
        if self.analysis.is_some() {
            return Some(Reply { text: beginning(request.id.as_deref()), quit: false });
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

    fn end_analysis(&mut self) {
        if let Some((_, to_move)) = self.analysis.take() {
            self.engine.hand_turn_to(to_move);
        }
    }

    /// Waits for the next line, and puts the time to use.
    fn next_line(&mut self, input: &mut impl BufRead, output: &mut (impl Write + Send)) -> io::Result<(Line, Instant)> {
        let mut wait = || Ok((read_line(input)?, Instant::now()));
        let limits = Limits::default().within_memory(self.thinking.with_clock.memory);
        match self.analysis.take() {
            Some((request, to_move)) => {
                let next = request.answer_while(&mut self.engine, limits, output, wait)?;
                self.engine.hand_turn_to(to_move);
                next
            }
            None if self.thinking.ponder && self.thinking.level.is_full() && self.has_moved => {
                self.engine.ponder(&limits, wait)
            }
            None => wait(),
        }
    }
}

/// Answers every line of an input until it ends or says `quit`.
///
/// # Errors
/// If reading or writing fails.
pub fn converse<G: Game>(
    mut session: GtpSession<G>,
    mut input: impl BufRead,
    mut output: impl Write + Send,
) -> io::Result<()> {
    loop {
        let (line, asked) = session.next_line(&mut input, &mut output)?;
        let answer = match line {
            Line::Text(line) => session.answer_since(&line, asked),
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
    }
}
