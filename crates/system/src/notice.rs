//! Prints lines on standard error, ignoring failures, where `eprintln!` would panic. Quoted text
//! cannot steer the terminal.

use std::fmt::Display;
use std::io::{Write, stderr};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::plain::plain;
use crate::texts::without_error_numbers;

/// Work that takes longer than this is announced.
const MAX_SILENCE: Duration = Duration::from_secs(1);

/// Prints a line on standard error, without control characters and the system's error numbers.
pub fn notice(text: impl Display) {
    let _ = writeln!(stderr(), "{}", plain(&without_error_numbers(&text.to_string())));
}

/// Prints a warning on standard error.
pub fn warning(text: impl Display) {
    notice(format_args!("warning: {text}"));
}

/// Does some work and returns its result. Prints `title` if it takes longer than a second.
pub fn announced<T>(title: impl Display + Send, work: impl FnOnce() -> T) -> T {
    let (running, ended) = channel::<()>();
    let announce = move || {
        if ended.recv_timeout(MAX_SILENCE) == Err(RecvTimeoutError::Timeout) {
            notice(format_args!("{title} …"));
        }
    };
    thread::scope(|scope| {
        // If no thread can be started, the work is done in silence.
        let _ = thread::Builder::new().spawn_scoped(scope, announce);
        let result = work();
        drop(running);
        result
    })
}
