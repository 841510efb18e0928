//! Converts files of games that browsers send. The cost is bounded by what has come in: bytes count once they have been
//! received, games are converted one by one in turns with those of other clients, and a client that leaves ends its
//! conversion.

mod conversions;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::{HeaderMap, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::connection_limiter::{Holder, Holders, subnet};
use hexzero_protocol::game_files::MAX_FILE_BYTES;

use super::Client;
use super::app_state::AppState;

use conversions::Conversions;

/// The bytes of all files being received and converted, and of what was made of them.
const ROOM: usize = 8 * MAX_FILE_BYTES;

/// The longest time without a byte of the file.
const MAX_PAUSE: Duration = Duration::from_secs(10);

/// The longest time until the answer begins; less than [`super::HTTP_TIMEOUT`].
const MAX_TIME: Duration = Duration::from_secs(50);

/// The bytes of an answer that are sent at a time.
const PIECE: usize = 1 << 16;

/// The files of games being received and converted.
pub(crate) struct GameFiles {
    room: Arc<Room>,
    conversions: Arc<Conversions>,
}

impl Default for GameFiles {
    fn default() -> Self {
        Self { room: Room::new(ROOM), conversions: Arc::default() }
    }
}

/// Why a file is not converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    TooLong,
    TooMuchWork,
    Slow,
    Full,
    Late,
    Failed,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, text) = match self {
            Self::TooLong => (StatusCode::PAYLOAD_TOO_LARGE, "the file is longer than 16 MiB\n"),
            Self::TooMuchWork => {
                (StatusCode::PAYLOAD_TOO_LARGE, "converting these games takes too long; send fewer at a time\n")
            }
            Self::Slow => (StatusCode::REQUEST_TIMEOUT, "no more of the file has come for 10 seconds\n"),
            Self::Full => (StatusCode::SERVICE_UNAVAILABLE, "too many files at once; try again later\n"),
            Self::Late => (StatusCode::SERVICE_UNAVAILABLE, "the server is too busy for this file; try again later\n"),
            Self::Failed => (StatusCode::INTERNAL_SERVER_ERROR, "these games could not be read\n"),
        };
        let mut response = (status, text).into_response();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("10"));
        }
        response
    }
}

/// Converts the games in the body of a request.
pub(super) async fn games(
    State(state): State<Arc<AppState>>,
    Extension(client): Extension<Client>,
    RawQuery(query): RawQuery,
    request: Request<Body>,
) -> Response {
    let GameFiles { room, conversions } = &state.game_files;
    let share = room.enter(client.address);
    let revoked = share.revocation();
    let work = async {
        let file = received(request, &share).await?;
        let query = query.unwrap_or_default();
        conversions.convert(&state.pool, subnet(client.address), &query, file, share).await
    };
    let made = tokio::select! {
        made = timeout(MAX_TIME, work) => made.unwrap_or(Err(Refusal::Late)),
        () = revoked.notified() => Err(Refusal::Full),
    };
    match made {
        Ok((text, share)) => sent(text, share, client),
        Err(refusal) => refusal.into_response(),
    }
}

/// Receives a file.
async fn received(request: Request<Body>, share: &Share) -> Result<Vec<u8>, Refusal> {
    if announced(request.headers()) > MAX_FILE_BYTES {
        return Err(Refusal::TooLong);
    }
    let mut parts = request.into_body().into_data_stream();
    let mut file = Vec::new();
    loop {
        let part = match timeout(MAX_PAUSE, parts.next()).await {
            Err(_) => return Err(Refusal::Slow),
            Ok(None) => return Ok(file),
            Ok(Some(Err(_))) => return Err(Refusal::Failed),
            Ok(Some(Ok(part))) => part,
        };
        if file.len() + part.len() > MAX_FILE_BYTES {
            return Err(Refusal::TooLong);
        }
        if !share.grow(part.len()) {
            return Err(Refusal::Full);
        }
        file.extend_from_slice(&part);
    }
}

/// Returns the length that a request announces for its body: 0 if it announces none, the maximum if
/// it is no number.
fn announced(headers: &HeaderMap) -> usize {
    let length = |value: &HeaderValue| value.to_str().ok().and_then(|length| length.parse().ok());
    headers.get(CONTENT_LENGTH).map_or(0, |value| length(value).unwrap_or(usize::MAX))
}

/// Returns the response with a text, which takes room until it is sent. If the text is evicted, the
/// connection ends.
fn sent(text: String, share: Share, client: Client) -> Response {
    let (length, text, revoked) = (text.len(), Bytes::from(text), share.revocation());
    let (ended, is_ended) = tokio::sync::oneshot::channel::<()>();
    tokio::spawn(async move {
        tokio::select! {
            () = revoked.notified() => client.cut.notify_one(),
            _ = is_ended => {}
        }
    });
    let pieces = stream::unfold((text, share, ended), |(mut text, share, ended)| async move {
        let piece = text.split_to(text.len().min(PIECE));
        (!piece.is_empty()).then(|| (Ok::<_, std::convert::Infallible>(piece), (text, share, ended)))
    });
    let headers = [(CONTENT_TYPE, HeaderValue::from_static("application/json")), (CONTENT_LENGTH, length.into())];
    (headers, Body::from_stream(pieces)).into_response()
}

/// A limit on the bytes that all files take together. When it is used up, the largest file of the subnet that uses
/// the most is evicted, so that no client keeps others out.
#[derive(Debug)]
struct Room {
    max: usize,
    /// The files with their bytes.
    holders: Mutex<Holders<usize>>,
}

/// The bytes that a file takes, given back when dropped.
#[derive(Debug)]
struct Share {
    room: Arc<Room>,
    number: u64,
    revoked: Arc<Notify>,
}

impl Room {
    /// Creates room for `max` bytes.
    pub fn new(max: usize) -> Arc<Self> {
        Arc::new(Self { max, holders: Mutex::default() })
    }

    /// Adds a file of no bytes, from this address.
    pub fn enter(self: &Arc<Self>, address: IpAddr) -> Share {
        let (number, revoked) = self.holders.lock().add(subnet(address), 0);
        Share { room: Arc::clone(self), number, revoked }
    }
}

/// Returns the index of the largest file of the subnet that takes the most.
fn largest(holders: &Holders<usize>) -> Option<usize> {
    let taken = holders.by_subnet(|&bytes| bytes);
    let weight = |holder: &Holder<usize>| (taken.get(&holder.subnet).copied(), holder.usage);
    holders.list().iter().enumerate().max_by_key(|(_, holder)| weight(holder)).map(|(index, _)| index)
}

impl Share {
    /// Takes `bytes` more, perhaps by evicting other files. Returns false if this file is evicted.
    pub fn grow(&self, bytes: usize) -> bool {
        let mut holders = self.room.holders.lock();
        let Some(own) = holders.usage(self.number) else { return false };
        *own += bytes;
        while holders.list().iter().map(|holder| holder.usage).sum::<usize>() > self.room.max {
            let Some(largest) = largest(&holders) else { return false };
            if holders.evict(largest) == self.number {
                return false;
            }
        }
        true
    }

    /// Returns what is notified when this file is evicted.
    pub fn revocation(&self) -> Arc<Notify> {
        Arc::clone(&self.revoked)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.room.holders.lock().remove(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    fn is_revoked(share: &Share) -> bool {
        share.room.holders.lock().usage(share.number).is_none()
    }

    #[test]
    fn largest_subnet_gives_way() {
        let room = Room::new(100);
        let large: Vec<Share> = [40, 30, 20]
            .map(|bytes| (room.enter(address(1)), bytes))
            .into_iter()
            .map(|(share, bytes)| {
                assert!(share.grow(bytes));
                share
            })
            .collect();
        let other = room.enter(address(2));
        assert!(other.grow(24) && is_revoked(&large[0]) && !is_revoked(&large[1]));
        assert!(!large[0].grow(1), "it has given way");
        // Its own subnet has the most by far, and this is its largest file.
        assert!(!large[1].grow(60) && !is_revoked(&other) && !is_revoked(&large[2]));
        drop((large, other));
        assert!(room.enter(address(1)).grow(100) && room.holders.lock().list().is_empty());
    }

    #[test]
    fn small_file_displaces_a_large_one() {
        let room = Room::new(100);
        let shares: Vec<Share> = (0..4).map(|_| room.enter(address(1))).collect();
        assert!(shares.iter().all(|share| share.grow(25)));
        assert!(room.enter(address(1)).grow(24));
        assert_eq!(shares.iter().filter(|share| is_revoked(share)).count(), 1);
        assert!(!room.enter(address(1)).grow(101), "more than there is");
    }

    #[test]
    fn announced_files_take_no_room() {
        let room = Room::new(100);
        let silent: Vec<Share> = (0..1000).map(|_| room.enter(address(1))).collect();
        assert!(room.enter(address(1)).grow(100) && !silent.iter().any(is_revoked));
    }
}
