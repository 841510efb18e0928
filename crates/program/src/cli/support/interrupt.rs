//! Handles Ctrl-C: the first asks the program to stop cleanly, the second ends it.

use std::sync::LazyLock;

use hexzero_arena::players::end_programs;
use hexzero_system::stop::StopSignal;

/// Returns the signal that the user requests with Ctrl-C.
pub fn interrupted() -> &'static StopSignal {
    static INTERRUPTED: LazyLock<StopSignal> = LazyLock::new(|| {
        let interrupted = StopSignal::new();
        let stop = interrupted.clone();
        let handler = move || {
            if stop.is_requested() {
                end_programs();
                std::process::exit(130);
            }
            stop.request();
        };
        // Without a handler Ctrl-C ends the program at once, which loses nothing that was saved.
        let _ = ctrlc::set_handler(handler);
        interrupted
    });
    &INTERRUPTED
}
