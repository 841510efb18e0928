//! Opens a page in the browser of this machine's user.

use std::io;
use std::process::{Command, Stdio};

use crate::threads;

/// The variable that names the browser, with arguments if need be.
const BROWSER: &str = "BROWSER";

/// Opens an address in the browser that `BROWSER` names, or in that of the system. Does not wait for it.
///
/// # Errors
/// If it cannot be started.
pub(super) fn open(address: &str) -> io::Result<()> {
    let mut words = std::env::var(BROWSER).ok().and_then(|browser| shlex::split(&browser)).unwrap_or_default();
    if words.is_empty() {
        words = of_system().iter().map(ToString::to_string).collect();
    }
    let (program, arguments) = words.split_first().ok_or(io::ErrorKind::NotFound)?;
    let mut command = Command::new(program);
    command.args(arguments).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut browser = command.spawn()?;
    // Waited for, if the system has a thread for it, so that nothing is left of it when it ends.
    let _ = threads::spawn(move || browser.wait());
    Ok(())
}

/// Returns the system's command that opens an address.
fn of_system() -> &'static [&'static str] {
    if cfg!(target_os = "macos") {
        &["open"]
    } else if cfg!(windows) {
        &["rundll32", "url.dll,FileProtocolHandler"]
    } else {
        &["xdg-open"]
    }
}
