//! The session of a person who plays: the functions that the playing module exports.

use std::cell::RefCell;
use std::num::NonZeroUsize;

use hexzero_protocol::TabSession;

use crate::bridge::{say, slice, tell_faults, text};

thread_local! {
    static SESSION: RefCell<Option<TabSession>> = const { RefCell::new(None) };
}

/// Runs `work` on the session; returns `absent` before [`open_session`].
fn with_session<T>(absent: T, work: impl FnOnce(&mut TabSession) -> T) -> T {
    SESSION.with_borrow_mut(|session| session.as_mut().map(work)).unwrap_or(absent)
}

/// Runs `work` and sends its answers after it has returned the session: the receiver may call again at once.
fn answering<T>(absent: T, work: impl FnOnce(&mut TabSession, &mut dyn FnMut(String)) -> T) -> T {
    let mut answers = Vec::new();
    let result = with_session(absent, |session| work(session, &mut |answer| answers.push(answer)));
    answers.into_iter().for_each(say);
    result
}

/// Asks for `count` threads by the imported function `thread-spawn`. [`open_session`] needs them to be running, if it is to use more than
/// one. Returns 1, or 0 after an answer with the error.
#[cfg(target_os = "wasi")]
#[unsafe(no_mangle)]
pub extern "C" fn start_threads(count: usize) -> u32 {
    u32::from(hexzero_system::threads::start_pool(count).map_err(|error| say(error.to_string())).is_ok())
}

/// Opens the session, with a seed for its random choices, a limit on the bytes of its search tree, and the number of threads that
/// search. The text at `precision` is `int8`, `f32` or empty for the faster. Returns 1, or 0 after an answer with the error.
///
/// # Safety
/// It must be bytes that were [allocated](crate::bridge::allocate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open_session(
    seed: u32,
    memory: usize,
    threads: usize,
    precision: *const u8,
    bytes: usize,
) -> u32 {
    tell_faults();
    // SAFETY: the caller's promise.
    let precision = unsafe { text(precision, bytes) };
    let session =
        TabSession::new(seed.into(), memory).with_threads(NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN));
    let session = match precision.as_str() {
        "" => Ok(session),
        name => name.parse().map(|precision| session.with_precision(precision)),
    };
    let opened = session.map(|session| SESSION.set(Some(session)));
    u32::from(opened.map_err(|error| say(error.to_string())).is_ok())
}

/// Plays the game named at `game` with the checkpoint at `file`; errors call the checkpoint by the text at `name`. Returns 1, or 0
/// after an answer with the error.
///
/// # Safety
/// The three must be bytes that were [allocated](crate::bridge::allocate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn load_model(
    game: *const u8,
    game_bytes: usize,
    name: *const u8,
    name_bytes: usize,
    file: *const u8,
    file_bytes: usize,
) -> u32 {
    // SAFETY: the caller's promise.
    let (game, name, file) = unsafe { (text(game, game_bytes), text(name, name_bytes), slice(file, file_bytes)) };
    let loaded = with_session(Err(NOT_OPEN.to_owned()), |session| session.load_model(&game, &name, file));
    u32::from(loaded.map_err(say).is_ok())
}

/// Executes the request at `request`; the answers that are due follow at once.
///
/// # Safety
/// It must be bytes that were [allocated](crate::bridge::allocate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn receive(request: *const u8, bytes: usize) {
    // SAFETY: the caller's promise.
    let request = unsafe { text(request, bytes) };
    answering((), |session, answer| session.receive(&request, answer));
}

/// Searches for 10 ms. Returns 1 while there is more to do, else 0.
#[unsafe(no_mangle)]
pub extern "C" fn turn() -> u32 {
    answering(0, |session, answer| u32::from(session.turn(answer)))
}

/// Answers a query of the server's paths ([`TabSession::resource`]). Returns the status of HTTP; the text is an answer.
///
/// # Safety
/// The three must be bytes that were [allocated](crate::bridge::allocate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn resource(
    path: *const u8,
    path_bytes: usize,
    query: *const u8,
    query_bytes: usize,
    file: *const u8,
    file_bytes: usize,
) -> u32 {
    // SAFETY: the caller's promise.
    let (path, query, file) = unsafe { (text(path, path_bytes), text(query, query_bytes), slice(file, file_bytes)) };
    answering(500, |session, answer| {
        let resource = session.resource(&path, &query, file);
        answer(resource.text);
        resource.status.into()
    })
}

const NOT_OPEN: &str = "the engine is not open";
