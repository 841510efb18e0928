//! The state of a conversation, and the conversation itself.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use crate::games::{Action, Game, Player};
use crate::interfaces::engine::Engine;
use crate::interfaces::lines::{Line, read_line};
use crate::search::Limits;

use super::clock::{Clock, expected_moves};
use super::commands::{Command, UNKNOWN};
use super::protocol::{Reply, Request, reply};

/// How long the engine thinks about a move.
#[derive(Debug, Clone, Copy)]
pub struct Thinking {
    /// While no clock has been set.
    pub without_clock: Limits,
    /// An upper limit beside the clock, if there is to be one.
    pub with_clock: Option<Limits>,
}

/// An engine that is spoken to by another program.
pub struct GtpSession<G: Game> {
    pub(super) engine: Engine<G>,
    pub(super) clock: Option<Clock>,
    thinking: Thinking,
}

impl<G: Game> GtpSession<G> {
    /// A session that begins with the engine's present game.
    pub fn new(engine: Engine<G>, thinking: Thinking) -> Self {
        Self { engine, clock: None, thinking }
    }

    /// Answers a line; nothing if there is no command on it.
    pub fn answer(&mut self, line: &str) -> Option<Reply> {
        let request = Request::parse(line)?;
        let Some(command) = Command::named(&request.name) else {
            return Some(request.reply(Err(UNKNOWN.to_owned())));
        };
        let answer = self.execute(command, &request.arguments);
        let quit = command == Command::Quit && answer.is_ok();
        Some(Reply { quit, ..request.reply(answer) })
    }

    /// Thinks within the limits that hold now, and takes the time off the mover's clock.
    pub(super) fn think(&mut self, counts: bool) -> Option<Action> {
        let start = Instant::now();
        let game = self.engine.game();
        let player = game.to_move();
        let limits = self.limits(player, expected_moves(game.topology().cells(), game.turns()));
        let action = self.engine.think(&limits);
        if counts && let Some(clock) = &mut self.clock {
            clock.spend(player, start.elapsed());
        }
        action
    }

    fn limits(&self, player: Player, moves: u32) -> Limits {
        let Some(clock) = &self.clock else { return self.thinking.without_clock };
        let allowance = clock.allowance(player, moves);
        match self.thinking.with_clock {
            None => Limits::time(allowance),
            Some(ceiling) => {
                Limits { time: Some(ceiling.time.map_or(allowance, |time| time.min(allowance))), ..ceiling }
            }
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
    mut output: impl Write,
) -> io::Result<()> {
    loop {
        let answer = match read_line(&mut input)? {
            Line::Text(line) => session.answer(&line),
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
