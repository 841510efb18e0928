//! The page's protocol, which docs/web.md describes: requests, their answers, and the engine that executes them. It has no
//! sockets: the server (`web`) carries the messages, or a browser's worker does ([`TabSession`]).
//!
//! | module | contents |
//! |---|---|
//! | `request`, `answer`, `position_view` | requests and answers |
//! | `session_engine`, `review_run` | the searches of a client, in short turns |
//! | `shared_board` | a game that two people play on one board |
//! | `about`, `boards`, `game_files` | what the page asks for beside them: games, boards, conversion of files |
//! | `tab_session` | all of it for one client, on one thread |
#![cfg_attr(not(feature = "serve"), allow(dead_code))]

pub(super) mod about;
pub(super) mod answer;
pub(super) mod boards;
pub(super) mod game_files;
pub(super) mod position_view;
pub(super) mod request;
mod review_run;
pub(super) mod session_engine;
pub(super) mod shared_board;
mod tab_session;

#[cfg(feature = "serve")]
pub(super) use tab_session::MOVE_UNDER_WAY;
pub use tab_session::{Resource, TabSession};
