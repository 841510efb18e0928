//! The headers that isolate the page from those of other origins. Without them no browser lets the threads of the engine in a tab share
//! memory ([cross-origin isolation](https://html.spec.whatwg.org/multipage/browsers.html#cross-origin-opener-policies)).

use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// Names and values.
pub(super) const ISOLATION: [(&str, &str); 2] =
    [("cross-origin-opener-policy", "same-origin"), ("cross-origin-embedder-policy", "require-corp")];

/// Adds the headers to those of an answer.
pub(super) fn isolate(headers: &mut HeaderMap) {
    for (name, value) in ISOLATION {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
}
