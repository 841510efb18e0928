//! Access control, and security headers for browsers.
//!
//! A page of another site that a user happens to visit must not talk to the server on the user's machine. Browsers send
//! the site of the page (`Origin`) and the name that they looked up (`Host`). A foreign name may have been made to
//! resolve to this machine, so only addresses, which are not looked up, and the names that the server was given are
//! accepted.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use hexzero_protocol::request::quoted;

use super::app_state::AppState;
use super::page::isolate;

/// The content security policy of the page: it loads from the server only.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Passes a request on if its origin is allowed.
pub(super) async fn guard(State(state): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let mut response = match state.allowed_hosts.check(request.uri(), request.headers()) {
        Err(refusal) => refusal.into_response(),
        Ok(()) => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (CACHE_CONTROL, "no-cache"),
        (CONTENT_SECURITY_POLICY, PAGE_POLICY),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    isolate(headers);
    response
}

/// The hosts that requests may name.
#[derive(Debug)]
pub(crate) struct AllowedHosts {
    /// Whether only this machine has access: then the only addresses accepted are loopback addresses.
    is_on_loopback: bool,
    /// Host names beside addresses and `localhost`.
    names: Vec<String>,
}

impl AllowedHosts {
    /// Creates the rule for a server that listens on `address`, which was given as `host`, and also goes by `names`.
    pub fn new(address: IpAddr, host: &str, names: Vec<String>) -> Self {
        let names = names.into_iter().chain([host.to_owned()]);
        Self { is_on_loopback: address.is_loopback(), names: names.collect() }
    }

    /// Checks the host and the origin that a request names. Fails with a status and a reason if they are not this
    /// server's, or are named more than once and so might be read differently elsewhere.
    pub fn check(&self, target: &Uri, headers: &HeaderMap) -> Result<(), (StatusCode, String)> {
        let bad = |reason: &str| (StatusCode::BAD_REQUEST, format!("{reason}\n"));
        let forbidden = |reason| (StatusCode::FORBIDDEN, reason);
        let host = only(headers, &HOST).map_err(|()| bad("the request has more than one 'Host'"))?;
        let Some(host) = host.and_then(|host| host.to_str().ok()) else {
            return Err(bad("the request has no valid 'Host'"));
        };
        // The authority of an absolute target goes before 'Host', where a server reads it.
        if target.authority().is_some_and(|named| !named.as_str().eq_ignore_ascii_case(host)) {
            return Err(bad("the request's target names another host than 'Host'"));
        }
        if !self.accepts(host) {
            let name = quoted(host);
            return Err(forbidden(match self.is_on_loopback {
                true => format!(
                    "this server is for this machine only: 'Host' must be localhost or a loopback address, not '{name}', \
                     or a name given with --allow-host\n"
                ),
                false => format!(
                    "this server does not go by the name '{name}'; use its address, or start it with --allow-host NAME\n"
                ),
            }));
        }
        let origin = only(headers, &ORIGIN).map_err(|()| bad("the request has more than one 'Origin'"))?;
        let Some(origin) = origin else { return Ok(()) };
        let own = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, origin)| origin);
        match own {
            Some(own) if own.eq_ignore_ascii_case(host) => Ok(()),
            _ => Err(forbidden("this is a request from the page of another site\n".to_owned())),
        }
    }

    /// Returns whether a host, perhaps with a port, is the server.
    fn accepts(&self, host: &str) -> bool {
        let Some(name) = without_port(host) else { return false };
        let is_own = |known: &String| known.eq_ignore_ascii_case(name);
        name.eq_ignore_ascii_case("localhost")
            || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback() || !self.is_on_loopback)
            || self.names.iter().any(is_own)
    }
}

/// Returns the value of a header, if it is there. Fails if it is there more than once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a HeaderValue>, ()> {
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() { Err(()) } else { Ok(value) }
}

/// Strips the port from a host; none if it is neither a name nor an address.
fn without_port(host: &str) -> Option<&str> {
    let (name, rest) = match host.strip_prefix('[') {
        Some(bracketed) => bracketed.split_once(']')?,
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let port = rest.strip_prefix(':').unwrap_or(rest);
    let is_port = port.len() <= 5 && port.bytes().all(|digit| digit.is_ascii_digit());
    (is_port && port.len() == rest.len().saturating_sub(1)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(hosts: &AllowedHosts, host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        origin.map(|origin| headers.insert(ORIGIN, origin.parse().unwrap()));
        hosts.check(&Uri::from_static("/"), &headers).is_ok()
    }

    fn hosts(host: &str, names: &[&str]) -> AllowedHosts {
        let address = host.parse().unwrap_or(IpAddr::from([192, 0, 2, 1]));
        AllowedHosts::new(address, host, names.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn hosts_and_origins_on_the_loopback() {
        let loopback = hosts("127.0.0.1", &[]);
        for host in ["localhost", "localhost:8765", "LocalHost:1", "127.0.0.1:8765", "127.1.2.3", "[::1]:8765", "[::1]"]
        {
            assert!(passes(&loopback, host, None), "{host}");
            assert!(passes(&loopback, host, Some(&format!("http://{host}"))), "{host}");
            assert!(!passes(&loopback, host, Some("http://evil.example")), "{host}");
            assert!(!passes(&loopback, host, Some("null")), "{host}");
        }
        for host in [
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example:8765",
            "10.0.0.1",
            "",
            "[",
            "[::1]evil.example",
            "[::1]evil.example:8765",
            "[::1]:8765.evil.example",
            "localhost:evil.example",
            "localhost:123456",
            "localhost.",
            "127.0.0.1.",
            "evil.example@127.0.0.1",
            "127.0.0.1, evil.example",
            "127.0.0.1 evil.example",
            "[::1%25evil.example]",
            "2130706433",
        ] {
            assert!(!passes(&loopback, host, None), "{host}");
        }
        assert!(loopback.check(&Uri::from_static("/"), &HeaderMap::new()).is_err());
        assert!(passes(&hosts("127.0.0.1", &["board.example"]), "board.example", None), "behind a proxy");
    }

    #[test]
    fn public_server_allows_addresses_and_own_names() {
        for (host, names) in [("0.0.0.0", &["board.example"][..]), ("::", &["board.example"]), ("board.example", &[])] {
            let hosts = hosts(host, names);
            for own in ["board.example:8765", "Board.Example", "192.0.2.7:8765", "[2001:db8::1]:8765", "localhost"] {
                assert!(passes(&hosts, own, Some(&format!("http://{own}"))), "{host}: {own}");
                assert!(!passes(&hosts, own, Some("http://evil.example:8765")), "{host}: {own}");
            }
            for other in
                ["evil.example", "board.example.evil.example:8765", "[::1]evil.example", "192.0.2.7.evil.example"]
            {
                assert!(!passes(&hosts, other, Some(&format!("http://{other}"))), "{host}: {other}");
            }
            for between in r"[]:@%/\?#,;. 0a-_".chars() {
                for own in ["board.example", "192.0.2.7", "[2001:db8::1]", "localhost:1", ""] {
                    assert!(!passes(&hosts, &format!("{own}{between}evil.example"), None), "{host}: {own}{between}");
                }
            }
        }
    }
}
