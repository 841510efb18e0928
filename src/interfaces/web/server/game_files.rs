//! Conversion of files of games that browsers send, in bounded memory: so many bytes are received at a time, and one file is
//! converted at a time.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{RawQuery, State};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderMap, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::interfaces::protocol::game_files::{LONGEST_FILE, converted};

use super::app_state::AppState;
use super::json;

/// The bytes of all files being received and converted.
const ROOM: usize = 4 * LONGEST_FILE;

/// Permits for the files of games being received and converted.
#[derive(Debug)]
pub(crate) struct GameFiles {
    /// One for each byte.
    room: Arc<Semaphore>,
    /// For the conversion, which takes many times the memory of the file.
    turn: Arc<Semaphore>,
}

impl Default for GameFiles {
    fn default() -> Self {
        Self { room: Arc::new(Semaphore::new(ROOM)), turn: Arc::new(Semaphore::new(1)) }
    }
}

/// Converts the games in the body of a request.
pub(super) async fn games(
    State(state): State<Arc<AppState>>,
    RawQuery(query): RawQuery,
    request: Request<Body>,
) -> Response {
    let GameFiles { room, turn } = &state.game_files;
    let length = announced(request.headers()).unwrap_or(LONGEST_FILE);
    let too_long = || (StatusCode::PAYLOAD_TOO_LARGE, "the file is longer than 16 MiB\n").into_response();
    if length > LONGEST_FILE {
        return too_long();
    }
    let Ok(room) = Arc::clone(room).try_acquire_many_owned(length as u32) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many files at once; try again later\n").into_response();
    };
    let Ok(file) = to_bytes(request.into_body(), length).await else { return too_long() };
    let Ok(turn) = Arc::clone(turn).acquire_owned().await else { return too_long() };
    let work = move || {
        // Until it is done, even if the client is gone.
        let _permits = (room, turn);
        converted(&query.unwrap_or_default(), &file)
    };
    match spawn_blocking(work).await {
        Ok(answer) => json(answer),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "these games could not be read\n").into_response(),
    }
}

/// Returns the length that a request says its body has; the greatest if it is no number.
fn announced(headers: &HeaderMap) -> Option<usize> {
    let length = headers.get(CONTENT_LENGTH)?;
    Some(length.to_str().ok().and_then(|length| length.parse().ok()).unwrap_or(usize::MAX))
}
