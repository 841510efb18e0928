//! Gives the memory of clients that have left back to the system.

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
