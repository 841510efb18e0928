//! What the server asks of the system: to open the browser, and to take freed memory back.

use std::io;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::sessions::Sessions;
use hexzero_system::threads;

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
    // Waited for, if the system has a thread for it, so that no zombie process is left.
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

/// The interval at which small blocks are given back.
const PAUSE: Duration = Duration::from_secs(5);

/// Makes the allocator return large blocks to the system when they are freed. glibc's threshold for
/// that rises with each large block that is freed, up to 32 MiB, and smaller blocks are returned
/// only from the end of the heap, so the search trees of clients who have left would stay
/// allocated. A threshold that is set explicitly does not rise. Other C libraries have no such
/// setting.
///
/// Call it before there are other threads.
pub(super) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it takes two numbers and keeps no reference; no other thread is there to allocate meanwhile.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 128 << 10);
    }
}

/// Returns freed small blocks to the system, a few seconds after connections have closed. By itself
/// the allocator keeps those that lie between blocks in use.
pub(super) async fn give_back_after_clients(sessions: Arc<Sessions>) {
    let mut count = sessions.changes();
    let mut before = *count.borrow_and_update();
    while count.changed().await.is_ok() {
        let now = *count.borrow_and_update();
        if now < before {
            sleep(PAUSE).await;
            // Best effort.
            let _ = spawn_blocking(give_back_small_blocks).await;
        }
        before = now;
    }
}

fn give_back_small_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it takes a number and keeps no reference; it locks what other threads allocate from.
    unsafe {
        libc::malloc_trim(0);
    }
}
