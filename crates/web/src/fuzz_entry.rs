//! Entry points for the fuzz targets in `fuzz/`: requests, queries and headers without a socket. Not part of the library's
//! interface.

use std::net::IpAddr;

use axum::http::header::{HOST, HeaderValue, ORIGIN};
use axum::http::{HeaderMap, Uri};

use hexzero_engine::Effort;
use hexzero_engine::model::LoadedModel;
use hexzero_games::{Action, Evaluation, Position, all_games};
use hexzero_protocol::TabSession;

use super::server::AllowedHosts;

/// The number of turns of a search.
const TURNS: usize = 3;

/// A client whose engine has a uniform evaluator, and no sockets.
pub struct FuzzClient(TabSession);

impl Default for FuzzClient {
    fn default() -> Self {
        let mut session = TabSession::new(0, 1 << 16).with_effort(Effort::Visits(3));
        for game in all_games() {
            let evaluator = Box::new(|_: &Position, legal: &[Action]| Evaluation::uniform(legal.len()));
            session.set_model(game, LoadedModel::new("uniform", evaluator));
        }
        Self(session)
    }
}

impl FuzzClient {
    /// Returns the answers to a text frame, with those of a search that is stopped after a few turns.
    pub fn frame(&mut self, text: &str) -> Vec<String> {
        let mut answers = Vec::new();
        let mut answer = |frame| answers.push(frame);
        self.0.receive(text, &mut answer);
        if (0..TURNS).all(|_| self.0.turn(&mut answer)) {
            self.0.receive(r#"{"id":0,"do":"stop"}"#, &mut answer);
        }
        answers
    }

    /// Answers a query; after a space comes a file of games.
    pub fn query(&mut self, query: &str) {
        let (query, file) = query.split_once(' ').unwrap_or((query, ""));
        for path in ["layout", "openings", "games"] {
            self.0.resource(path, query, file.as_bytes());
        }
    }

    /// Checks a request's host; after a space comes its origin.
    pub fn call(&mut self, host: &[u8]) {
        let (host, origin) = host.split_at(host.iter().position(|&byte| byte == b' ').unwrap_or(host.len()));
        let mut headers = HeaderMap::new();
        let (Ok(host), origin) = (HeaderValue::from_bytes(host), HeaderValue::from_bytes(origin.trim_ascii())) else {
            return;
        };
        let is_evil = host.as_bytes().ends_with(b"evil.example");
        headers.insert(HOST, host);
        origin.ok().filter(|origin| !origin.is_empty()).map(|origin| headers.insert(ORIGIN, origin));
        for address in ["127.0.0.1", "0.0.0.0"] {
            let hosts = AllowedHosts::new(address.parse::<IpAddr>().expect("an address"), address, Vec::new());
            assert!(hosts.check(&Uri::from_static("/"), &headers).is_err() || !is_evil);
        }
    }
}
