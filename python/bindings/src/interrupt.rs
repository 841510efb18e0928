//! Work that Ctrl-C ends.

use std::any::Any;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use hexzero_system::stop::StopSignal;
use hexzero_system::threads;
use pyo3::prelude::*;

use super::errors::failed;

/// The interval at which signals are checked.
const PATIENCE: Duration = Duration::from_millis(50);

/// Runs `work` on a thread of its own, detached from the interpreter, and checks for signals meanwhile. If a signal's
/// handler raises an exception, such as `KeyboardInterrupt`, asks `work` to stop, and returns the exception once it has.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&StopSignal) -> T + Send) -> PyResult<T> {
    let stop = StopSignal::new();
    let (result, interrupted) = py.detach(|| {
        thread::scope(|scope| {
            let (done, finished) = channel::<()>();
            let worker = threads::spawn_scoped(scope, || {
                // Dropped at the end of the work, however it ends, which the receiver notices.
                let _done = done;
                work(&stop)
            })?;
            let mut interrupted = None;
            while finished.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                if interrupted.is_none()
                    && let Err(exception) = Python::attach(|py| py.check_signals())
                {
                    stop.request();
                    interrupted = Some(exception);
                }
            }
            std::io::Result::Ok((worker.join(), interrupted))
        })
    })?;
    match interrupted {
        Some(exception) => Err(exception),
        None => result.map_err(|panic| internal(&*panic)),
    }
}

/// An error in the library, which is no fault of the caller.
fn internal(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    failed(format_args!("internal error of hexzero: {}", text.unwrap_or("unknown")))
}
