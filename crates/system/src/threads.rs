//! Starts threads, and returns an error if the system refuses them, where `std::thread::spawn` and rayon would panic.

use std::error::Error;
use std::io;
use std::sync::{Mutex, OnceLock};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

use rayon::ThreadPoolBuilder;

/// Starts a thread.
///
/// # Errors
/// If the system refuses the thread.
pub fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<JoinHandle<T>> {
    Builder::new().spawn(work).map_err(no_thread)
}

/// Starts a scoped thread.
///
/// # Errors
/// If the system refuses the thread.
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().spawn_scoped(scope, work).map_err(no_thread)
}

/// Checks that `count` threads can run at the same time, by starting and ending them.
///
/// # Errors
/// If the system refuses one of them.
pub fn try_some(count: usize) -> io::Result<()> {
    let gate = Mutex::new(());
    std::thread::scope(|scope| {
        let closed = gate.lock();
        let waiting = || drop(gate.lock());
        let started: io::Result<Vec<_>> = (0..count).map(|_| spawn_scoped(scope, waiting)).collect();
        drop(closed);
        // Join the threads, so that the system gets them back.
        started?.into_iter().for_each(|thread| thread.join().unwrap_or_default());
        Ok(())
    })
}

/// Runs `work` on all `items` in parallel: the first on this thread, each of the others on its own.
/// Items for which the system has no more threads are left out.
#[cfg(not(target_os = "wasi"))]
pub fn run_parallel<T: Send>(items: impl IntoIterator<Item = T>, work: impl Fn(T) + Sync) {
    let mut items = items.into_iter();
    let Some(first) = items.next() else { return };
    let work = &work;
    std::thread::scope(|scope| {
        for item in items {
            let _ = spawn_scoped(scope, move || work(item));
        }
        work(first);
    });
}

#[cfg(target_os = "wasi")]
pub use pool::{run_parallel, start_pool};

/// The thread pool of a browser's tab (target WASI). A worker starts only after the thread that asked for it has
/// returned to its event loop, so the pool must be started before the first search.
#[cfg(target_os = "wasi")]
mod pool {
    use std::io;
    use std::sync::OnceLock;

    use rayon::{ThreadPool, ThreadPoolBuilder};

    /// The stack size of a thread in bytes.
    const STACK: usize = 1 << 20;

    static POOL: OnceLock<ThreadPool> = OnceLock::new();

    /// Asks for `count` threads, on which [`run_parallel`] works once they run.
    ///
    /// # Errors
    /// If they are refused.
    pub fn start_pool(count: usize) -> io::Result<()> {
        let pool = ThreadPoolBuilder::new().num_threads(count).stack_size(STACK).build();
        let pool = pool.map_err(|error| super::no_thread(io::Error::other(error)))?;
        // If a pool exists already, the second one ends at once.
        let _ = POOL.set(pool);
        Ok(())
    }

    /// Runs `work` on all `items`: the first on this thread, the others on the threads of the pool.
    /// Without a pool the others are left out.
    pub fn run_parallel<T: Send>(items: impl IntoIterator<Item = T>, work: impl Fn(T) + Sync) {
        let mut items = items.into_iter();
        let Some(first) = items.next() else { return };
        let Some(pool) = POOL.get() else { return work(first) };
        let (items, work) = (items.collect::<Vec<T>>(), &work);
        pool.in_place_scope(|scope| {
            for item in items {
                scope.spawn(move |_| work(item));
            }
            work(first);
        });
    }
}

fn no_thread(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("the system refuses another thread: {error}"))
}

/// Starts the threads of rayon's global pool, if they are not running yet.
///
/// # Errors
/// If the system refuses them, now or at the first call.
pub fn start_shared() -> io::Result<()> {
    // Rayon starts the global pool only once.
    static FAILED: OnceLock<Option<String>> = OnceLock::new();
    let failed = FAILED.get_or_init(|| {
        let started = ThreadPoolBuilder::new().build_global();
        // An error without a source means that the pool is running already.
        started.err().filter(|error| error.source().is_some()).map(|error| error.to_string())
    });
    failed.clone().map_or(Ok(()), |error| Err(no_thread(io::Error::other(error))))
}
