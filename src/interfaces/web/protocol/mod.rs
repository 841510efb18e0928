//! Requests and answers of the WebSocket, which docs/web.md describes.

pub(super) mod answer;
pub(super) mod position_view;
pub(super) mod request;
