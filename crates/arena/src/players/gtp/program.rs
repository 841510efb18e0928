//! A program that speaks the Go Text Protocol, as a child process.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use hexzero_system::stop::StopSignal;
use hexzero_system::texts::without_error_numbers;
use hexzero_system::threads;

use super::process_group::ProcessGroup;

/// Lines of output that may wait to be read; a program that writes more is blocked.
const LINES_WAITING: usize = 1024;

/// The maximum number of lines of a reply, including empty lines before it. The commands of a match
/// have one-line replies.
const MAX_LINES: usize = 1000;

/// The maximum number of bytes of a line; longer ones count as several.
const MAX_LINE_BYTES: u64 = 4096;

/// The maximum number of characters of a reply that an error shows.
const SHOWN: usize = 200;

/// Lines of standard error kept, to show them if the program fails.
const KEPT_ERROR_LINES: usize = 3;

/// The longest time that a program may take to end when asked to.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

/// The longest time that the last lines of a program that has ended may take to arrive.
const LAST_LINES_TIMEOUT: Duration = Duration::from_millis(500);

/// The interval at which to check whether a process has ended.
const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The interval at which to check whether the match was stopped.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// An error of a program that plays. Shown after the player's name.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// The program ended or closed its output.
    #[error("{0}")]
    Ended(String),
    /// The program did not answer.
    #[error("{0}")]
    Silent(String),
    /// The program took more than its time for a move.
    #[error("{0}")]
    OutOfTime(String),
    /// The program answered that a command failed.
    #[error("{0}")]
    Failure(String),
    /// The program is misconfigured: it handles the swap in another way, which would end other games too.
    #[error("{0}")]
    Swap(String),
    /// The program cannot be started, does not keep to the protocol or the rules, or was stopped.
    #[error("{0}")]
    Other(String),
}

/// Returns the start of an error about an answer.
pub(super) fn answered(command: &str, answer: &str) -> String {
    format!("the program answered '{command}' with {:?}", answer.chars().take(SHOWN).collect::<String>())
}

/// The last lines that a program wrote to its standard error.
type ErrorLines = Arc<Mutex<VecDeque<String>>>;

/// A running program, ended when dropped.
#[derive(Debug)]
pub(super) struct GtpProgram {
    child: Child,
    /// The program and the processes that it starts.
    group: ProcessGroup,
    /// The program's input; none once the program is asked to end.
    input: Option<ChildStdin>,
    output: Receiver<String>,
    errors: ErrorLines,
    errors_read: JoinHandle<()>,
}

/// Forwards each line until there are no more or the receiver is gone.
fn read_lines(output: impl Read, mut hand_on: impl FnMut(String) -> bool) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while output.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        let line = std::mem::take(&mut line);
        if !hand_on(String::from_utf8_lossy(&line).trim_end().to_owned()) {
            return;
        }
    }
}

/// Returns the text of a reply without the sign of success. Commands are sent without an id.
fn understood(command: &str, answer: &str) -> Result<String, ProgramError> {
    match answer.strip_prefix('=') {
        Some(text) => Ok(text.trim().to_owned()),
        None => Err(ProgramError::Failure(answered(command, answer))),
    }
}

/// Reads both outputs of a program on threads of their own. Returns the lines of the first, the
/// last lines of the second, and the thread that reads the second.
fn read_on_threads(
    stdout: ChildStdout,
    stderr: ChildStderr,
) -> io::Result<(Receiver<String>, ErrorLines, JoinHandle<()>)> {
    let (sender, output) = sync_channel(LINES_WAITING);
    threads::spawn(move || read_lines(stdout, |line| sender.send(line).is_ok()))?;
    let errors = ErrorLines::default();
    let kept = Arc::clone(&errors);
    let errors_read = threads::spawn(move || {
        read_lines(stderr, |line| {
            let mut kept = kept.lock();
            kept.push_back(line);
            while kept.len() > KEPT_ERROR_LINES {
                kept.pop_front();
            }
            true
        });
    })?;
    Ok((output, errors, errors_read))
}

impl GtpProgram {
    /// Starts a program: its file, then its arguments.
    pub fn start(words: &[String]) -> Result<Self, ProgramError> {
        let program = words.first().map(String::as_str).unwrap_or_default();
        let failed = |error: io::Error| {
            let problem = error.to_string();
            ProgramError::Other(format!("'{program}' cannot be started: {}", without_error_numbers(&problem)))
        };
        let mut command = Command::new(program);
        command.args(words.iter().skip(1));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (group, mut child) = ProcessGroup::start(command).map_err(failed)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(stdout), Some(stderr)) = pipes else { unreachable!("all three were asked for") };
        match read_on_threads(stdout, stderr) {
            Ok((output, errors, errors_read)) => {
                Ok(Self { child, group, input: Some(input), output, errors, errors_read })
            }
            Err(error) => {
                group.kill();
                let _ = child.kill();
                let _ = child.wait();
                Err(failed(error))
            }
        }
    }

    /// Sends a command and waits for the reply, but no longer once `stop` is requested.
    pub fn ask(&mut self, command: &str, patience: Duration, stop: &StopSignal) -> Result<String, ProgramError> {
        let sent =
            self.input.as_mut().is_some_and(|input| writeln!(input, "{command}").and_then(|()| input.flush()).is_ok());
        if !sent {
            return Err(self.ended(command));
        }
        let deadline = Instant::now() + patience;
        let mut reply: Vec<String> = Vec::new();
        let mut lines = 0;
        // When the program was seen to have ended; its children may keep its output open.
        let mut ended: Option<Instant> = None;
        while lines < MAX_LINES {
            if stop.is_requested() {
                let problem = format!("the match was stopped while the program had '{command}' to answer");
                return Err(ProgramError::Other(problem));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let line = match self.output.recv_timeout(left.min(STOP_POLL_INTERVAL)) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) if ended.is_some_and(|ended| ended.elapsed() > LAST_LINES_TIMEOUT) => {
                    return Err(self.ended(command));
                }
                Err(RecvTimeoutError::Timeout) if left > STOP_POLL_INTERVAL => {
                    let has_ended = ended.is_none() && !matches!(self.child.try_wait(), Ok(None));
                    ended = ended.or(has_ended.then(Instant::now));
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => {
                    // A silent program would not obey 'quit' either.
                    self.group.kill();
                    let _ = self.child.kill();
                    let seconds = patience.as_secs_f64();
                    let problem = format!("the program has not answered '{command}' in {seconds} seconds");
                    return Err(ProgramError::Silent(problem));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(command)),
            };
            lines += 1;
            match (line.is_empty(), reply.is_empty()) {
                // Empty lines before a reply mean nothing.
                (true, true) => {}
                (true, false) => return understood(command, &reply.join("\n")),
                // A program that does not speak the protocol may never send the empty line.
                (false, true) if !line.starts_with(['=', '?']) => {
                    let problem = "which is not a GTP reply: those begin with '=' or '?'";
                    return Err(ProgramError::Other(format!("{}, {problem}", answered(command, &line))));
                }
                (false, _) => reply.push(line),
            }
        }
        let problem = format!("has no end after {MAX_LINES} lines; an empty line ends a GTP reply");
        Err(ProgramError::Other(format!("the program's answer to '{command}' {problem}")))
    }

    /// Waits for the process to end, but not for long.
    fn wait(&mut self) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + EXIT_TIMEOUT;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < deadline => std::thread::sleep(EXIT_POLL_INTERVAL),
                ended => return ended.ok().flatten(),
            }
        }
    }

    fn ended(&mut self, command: &str) -> ProgramError {
        let how = match self.wait() {
            Some(status) => format!("ended ({status})"),
            None => "closed its input or output".to_owned(),
        };
        // Kill its children, which would keep its standard error open.
        self.group.kill();
        let deadline = Instant::now() + EXIT_TIMEOUT;
        while !self.errors_read.is_finished() && Instant::now() < deadline {
            std::thread::sleep(EXIT_POLL_INTERVAL);
        }
        let errors = self.errors.lock();
        let errors = Vec::from_iter(errors.iter().map(String::as_str).filter(|line| !line.is_empty())).join("\n");
        let last_words = if errors.is_empty() { errors } else { format!("; its last words were {errors:?}") };
        ProgramError::Ended(format!("the program {how} instead of answering '{command}'{last_words}"))
    }
}

impl Drop for GtpProgram {
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take() {
            let _ = input.write_all(b"quit\n");
        }
        let _ = self.wait();
        // Kill its descendants, too.
        self.group.kill();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
