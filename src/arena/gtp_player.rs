//! Other programs as players.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::games::{Action, Position};

use super::gtp_program::{GtpProgram, ProgramError};
use super::player::{Player, PlayerError};

/// A program that speaks the Go Text Protocol. It is started when its first game begins, and plays all games of a
/// thread.
#[derive(Debug)]
pub struct GtpPlayer {
    name: String,
    words: Vec<String>,
    time: Option<Duration>,
    patience: Duration,
    program: Option<GtpProgram>,
    /// Becomes true when the match is over.
    halted: Arc<AtomicBool>,
    /// The move that it made itself and need not hear of.
    own_move: Option<Action>,
}

impl GtpPlayer {
    /// How long a program may take to reply, besides the time that it has for a move.
    pub const PATIENCE: Duration = Duration::from_secs(600);

    /// The program in the file that is the first of the words, with the others as its arguments. If there is a
    /// time for each move, the program is told.
    pub fn new(name: impl Into<String>, words: Vec<String>, time: Option<Duration>) -> Self {
        let (patience, halted) = (Self::PATIENCE, Arc::default());
        Self { name: name.into(), words, time, patience, program: None, halted, own_move: None }
    }

    /// The same player, but it is given up after so long without a reply.
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    fn ask(&mut self, command: &str) -> Result<String, ProgramError> {
        let program = match &mut self.program {
            Some(program) => program,
            none => none.insert(GtpProgram::start(&self.words)?),
        };
        program.ask(command, self.patience + self.time.unwrap_or_default(), &self.halted)
    }
}

impl Player for GtpPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn heed(&mut self, halted: &Arc<AtomicBool>) {
        self.halted = Arc::clone(halted);
    }

    fn start_game(&mut self, start: &Position, _seed: u64) -> Result<(), PlayerError> {
        self.own_move = None;
        self.ask(&format!("boardsize {}", start.size()))?;
        self.ask("clear_board")?;
        if let Some(time) = self.time {
            // Periods of one move each.
            self.ask(&format!("time_settings 0 {} 1", time.as_secs_f64()))?;
        }
        Ok(())
    }

    fn choose(&mut self, position: &Position) -> Result<Option<Action>, PlayerError> {
        let command = format!("genmove {}", position.game().protocol_colour(position.to_move()));
        let answer = self.ask(&command)?;
        if answer.eq_ignore_ascii_case("resign") {
            return Ok(None);
        }
        let action = position.parse_action(&answer).and_then(|action| position.check(action).map(|()| action));
        self.own_move = Some(action.map_err(|reason| ProgramError::Illegal { command, answer, reason })?);
        Ok(self.own_move)
    }

    fn observe(&mut self, before: &Position, action: Action) -> Result<(), PlayerError> {
        if self.own_move.take() != Some(action) {
            self.ask(&format!(
                "play {} {}",
                before.game().protocol_colour(before.to_move()),
                before.foreign_action_name(action)
            ))?;
        }
        Ok(())
    }
}
