//! The functions that a WebAssembly module of the engine exports. `page/engine/hexzero.js` calls them.
//!
//! Texts and files pass as bytes in the module's memory, which the caller [allocates](bridge::allocate) and
//! [releases](bridge::release). What the engine says goes to the imported functions `answer` and `failed`.
//!
//! A crate with games of its own uses this one, and exports a function `register_games`, which is called when the session is open:
//! see `examples/template/src/lib.rs`. The module that learns (`browser/learn`) uses the [`bridge`] alone.
#![warn(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

pub mod bridge;
#[cfg(feature = "play")]
pub mod play;
