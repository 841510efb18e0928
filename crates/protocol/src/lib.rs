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

pub mod about;
#[allow(missing_docs, reason = "docs/web.md describes the fields")]
pub mod answer;
pub mod boards;
pub mod game_files;
pub mod position_view;
#[allow(missing_docs, reason = "docs/web.md describes the fields")]
pub mod request;
mod review_run;
pub mod session_engine;
pub mod shared_board;
mod tab_session;

pub use tab_session::MOVE_UNDER_WAY;
pub use tab_session::{Resource, TabSession};
