//! Texts and files in the memory that the module shares with its caller.

use std::panic;

#[link(wasm_import_module = "hexzero")]
unsafe extern "C" {
    /// Takes a text from the engine. The bytes are valid during the call.
    safe fn answer(text: *const u8, bytes: usize);

    /// Takes the message of a fault in the engine; after this call it cannot be used any more.
    safe fn failed(text: *const u8, bytes: usize);
}

/// Gives a text to the caller.
pub fn say(text: String) {
    answer(text.as_ptr(), text.len());
}

/// Reports panics to the caller.
pub fn tell_faults() {
    panic::set_hook(Box::new(|fault| {
        let message = fault.to_string();
        failed(message.as_ptr(), message.len());
    }));
}

/// Returns the bytes at an address.
///
/// # Safety
/// `bytes` bytes at `at` must have been written, and must stay as they are while the result is used.
pub unsafe fn slice<'a>(at: *const u8, bytes: usize) -> &'a [u8] {
    // SAFETY: passed on to the caller.
    unsafe { std::slice::from_raw_parts(at, bytes) }
}

/// Returns the text at an address; bytes that are no UTF-8 are replaced.
///
/// # Safety
/// That of [`slice()`].
pub unsafe fn text(at: *const u8, bytes: usize) -> String {
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
