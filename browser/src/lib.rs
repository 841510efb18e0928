//! The functions that a WebAssembly module of the engine exports. `crates/page/page/engine/hexzero.js` calls them.
//!
//! Texts and files pass as bytes in the module's memory, which the caller [allocates](allocate) and [releases](release). What the
//! engine says goes to the imported functions `answer` and `failed`.
//!
//! A crate with games of its own uses this one, and exports a function `register_games`, which is called when the session is open:
//! see `examples/template/src/lib.rs`.
#![warn(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::panic;

use hexzero_protocol::TabSession;

#[link(wasm_import_module = "hexzero")]
unsafe extern "C" {
    /// Takes a text from the engine. The bytes are valid during the call.
    safe fn answer(text: *const u8, bytes: usize);

    /// Takes the message of a fault in the engine; after this call it cannot be used any more.
    safe fn failed(text: *const u8, bytes: usize);
}

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

fn say(text: String) {
    answer(text.as_ptr(), text.len());
}

/// Returns the bytes at an address.
///
/// # Safety
/// `bytes` bytes at `at` must have been written, and must stay as they are while the result is used.
unsafe fn slice<'a>(at: *const u8, bytes: usize) -> &'a [u8] {
    // SAFETY: passed on to the caller.
    unsafe { std::slice::from_raw_parts(at, bytes) }
}

/// Returns the text at an address; bytes that are no UTF-8 are replaced.
///
/// # Safety
/// That of [`slice`].
unsafe fn text(at: *const u8, bytes: usize) -> String {
    // SAFETY: passed on to the caller.
    String::from_utf8_lossy(unsafe { slice(at, bytes) }).into_owned()
}

/// Returns the address of `bytes` new bytes, which are zero.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(bytes: usize) -> *mut u8 {
    Box::leak(vec![0; bytes].into_boxed_slice()).as_mut_ptr()
}

/// Gives bytes back.
///
/// # Safety
/// `at` must come from [`allocate`] with this number of bytes, and must not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(at: *mut u8, bytes: usize) {
    // SAFETY: `allocate` made it from a box of this length.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, bytes)) });
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
/// It must be bytes that were [allocated](allocate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open_session(
    seed: u32,
    memory: usize,
    threads: usize,
    precision: *const u8,
    bytes: usize,
) -> u32 {
    panic::set_hook(Box::new(|fault| {
        let message = fault.to_string();
        failed(message.as_ptr(), message.len());
    }));
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

/// Plays the game named at `game` with the checkpoint at `file`, which errors call by the text at `name`. Returns 1, or 0 after an
/// answer with the error.
///
/// # Safety
/// The three must be bytes that were [allocated](allocate).
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
/// It must be bytes that were [allocated](allocate).
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
/// The three must be bytes that were [allocated](allocate).
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
