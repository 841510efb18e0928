//! Gives the memory of clients that have left back to the system.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::interfaces::web::sessions::Sessions;

/// The time between two times that small blocks are given back.
const PAUSE: Duration = Duration::from_secs(5);

/// Makes the allocator return large blocks to the system when they are freed. glibc's threshold for that rises with each large block that
/// is freed, up to 32 MiB, and smaller blocks go back from the end of the heap only: the search trees of clients who have
/// left would stay. A threshold that is set does not rise. Other C libraries have no such setting.
///
/// Call it before there are other threads.
pub(super) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it takes two numbers and keeps no reference; no other thread is there to allocate meanwhile.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 128 << 10);
    }
}

/// Gives back what small blocks have left wherever it lies, a few seconds after connections have closed. Of itself the allocator
/// keeps it between blocks that are still used.
pub(super) async fn give_back_after_clients(sessions: Arc<Sessions>) {
    let mut count = sessions.changes();
    let mut before = *count.borrow_and_update();
    while count.changed().await.is_ok() {
        let now = *count.borrow_and_update();
        if now < before {
            sleep(PAUSE).await;
            // What it fails by is of no concern.
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
