//! Access control, and security headers for browsers.
//!
//! A page of another site that a user happens to visit must not talk to the server on the user's machine. Browsers say
//! where a request comes from (`Origin`), and with the name that they looked up (`Host`): a foreign name that
//! resolves to this machine is refused if only this machine has access.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::app_state::AppState;

/// The page may load from the server only.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Passes a request on if its origin is allowed.
pub(super) async fn guard(State(state): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let mut response = match refusal(request.headers(), state.is_on_loopback) {
        Some(reason) => (StatusCode::FORBIDDEN, reason).into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // The page about a run has rules of its own.
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(PAGE_POLICY));
    response
}

/// Returns why a request is refused, if it is.
fn refusal(headers: &HeaderMap, is_on_loopback: bool) -> Option<&'static str> {
    let Some(host) = headers.get(HOST).and_then(|host| host.to_str().ok()) else {
        return Some("the request has no valid 'Host'\n");
    };
    if is_on_loopback && !is_loopback(host) {
        return Some("this server is for this machine only: 'Host' must be localhost or a loopback address\n");
    }
    let origin = headers.get(ORIGIN)?;
    let own = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, origin)| origin);
    match own {
        Some(own) if own.eq_ignore_ascii_case(host) => None,
        _ => Some("this is a request from the page of another site\n"),
    }
}

/// Whether the name of a host, perhaps with a port, is that of this machine.
fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(bracketed) => bracketed.split_once(']').map_or("", |(name, _)| name),
        None => host.split_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(host: &str, origin: Option<&str>, is_on_loopback: bool) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        origin.map(|origin| headers.insert(ORIGIN, origin.parse().unwrap()));
        refusal(&headers, is_on_loopback).is_none()
    }

    #[test]
    fn who_may_come_in() {
        for host in ["localhost", "localhost:8765", "LocalHost:1", "127.0.0.1:8765", "127.1.2.3", "[::1]:8765", "[::1]"]
        {
            assert!(passes(host, None, true), "{host}");
            assert!(passes(host, Some(&format!("http://{host}")), true), "{host}");
            assert!(!passes(host, Some("http://evil.example"), true), "{host}");
            assert!(!passes(host, Some("null"), true), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8765", "10.0.0.1", "", "["] {
            assert!(!passes(host, None, true), "{host}");
        }
        assert!(passes("board.example:8765", Some("http://board.example:8765"), false));
        assert!(!passes("board.example:8765", Some("http://evil.example:8765"), false));
        assert!(refusal(&HeaderMap::new(), false).is_some());
    }
}
