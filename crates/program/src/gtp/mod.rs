//! The Go Text Protocol, version 2 (Farnebäck 2002), as clients of Hex and its family speak it.
//!
//! [`GtpSession::answer`] takes a line and returns the reply; [`converse`] does so for every line of
//! an input, and watches for interrupts meanwhile. The first player is called black, as in Hex.

mod analysis;
mod analysis_request;
mod commands;
mod conversation;
mod front_ends;
mod graphics;
mod listening;
mod playing;
mod positions;
mod protocol;
mod restrictions;
mod session;
mod timing;
mod words;

pub use conversation::converse;
pub use protocol::Reply;
pub(crate) use restrictions::{Restriction, left_out};
pub use session::{GtpSession, Thinking};
pub(crate) use words::seat_named;
