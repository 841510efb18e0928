//! The conversation: lines in, replies out.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use crate::lines::{Line, MAX_LINE_BYTES};
use hexzero_search::Limits;

use super::listening::{Heard, Listener};
use super::protocol::{Reply, Request, reply};
use super::session::GtpSession;

impl GtpSession {
    /// Answers a line; returns none if it holds no command. Ends an analysis at once, as no other line will end it.
    pub fn answer(&mut self, line: &str) -> Option<Reply> {
        let mut reply = self.answer_since(line, Instant::now())?;
        let mut sent = Vec::new();
        let written = self.send(&reply, &mut sent).map(drop).and_then(|()| match self.analysis.take() {
            Some(analysis) => analysis.answer_while(&mut self.engine, Limits::default(), &mut sent, || ()),
            None => Ok(()),
        });
        written.expect("memory takes what is written to it");
        reply.text = String::from_utf8_lossy(&sent).into_owned();
        Some(reply)
    }

    /// Answers a line received at `asked`; of an analysis, returns only the beginning.
    fn answer_since(&mut self, line: &str, asked: Instant) -> Option<Reply> {
        let request = Request::parse(line)?;
        self.asked = asked;
        let answer = self.execute(&request);
        if let Some(analysis) = &mut self.analysis {
            analysis.id = request.id;
            return Some(Reply { text: analysis.beginning(), quit: false });
        }
        Some(Reply { quit: request.name == "quit", ..reply(request.id.as_deref(), answer) })
    }

    /// Waits for the next line, and ponders or analyses meanwhile.
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

/// Answers every line of an input until it ends or says `quit`. The line `# interrupt` ends the command under way with
/// its findings so far.
///
/// # Errors
/// If reading or writing fails, or the system has no thread for it.
pub fn converse(
    mut session: GtpSession,
    input: impl BufRead + Send + 'static,
    mut output: impl Write + Send,
) -> io::Result<()> {
    let listener = Listener::new(input, session.engine.stop_signal())?;
    // The time of a command that came during an earlier answer counts from the end of that answer.
    let mut free = Instant::now();
    loop {
        let Heard { line, at, waited } = session.next_line(&listener, &mut output)?;
        if let (Some(clock), Some(waited)) = (&mut session.clock, waited) {
            clock.note_wait(waited);
        }
        let answer = match line {
            Line::Text(line) => session.answer_since(&line, at.max(free)),
            Line::TooLong => Some(reply(None, Err(format!("line too long: more than {MAX_LINE_BYTES} bytes")))),
            Line::End => return Ok(()),
        };
        if let Some(reply) = answer {
            free = session.send(&reply, &mut output)?;
            if reply.quit {
                return Ok(());
            }
        }
        listener.answered();
    }
}
