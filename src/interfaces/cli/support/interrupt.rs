//! Handles Ctrl-C: the first asks the program to stop cleanly, the second ends it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::players::end_programs;

/// Becomes true when the user asks to stop.
pub fn interrupted() -> &'static AtomicBool {
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    static HANDLER: OnceLock<()> = OnceLock::new();
    HANDLER.get_or_init(|| {
        let handler = || {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                end_programs();
                std::process::exit(130);
            }
        };
        // Without a handler Ctrl-C ends the program at once, which loses nothing that was saved.
        let _ = ctrlc::set_handler(handler);
    });
    &INTERRUPTED
}
