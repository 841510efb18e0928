//! Entry points for the fuzz targets in `fuzz/`: requests, queries and headers without a socket. Not part of the library's
//! interface.

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::time::Instant;

use axum::http::HeaderMap;
use axum::http::header::{HOST, HeaderValue, ORIGIN};

use crate::engine::model::LoadedModel;
use crate::engine::{Effort, Engine};
use crate::games::{Action, Evaluation, Position, game_named};

use super::answer::Answer;
use super::connection_engine::{ConnectionEngine, Progress, Turn};
use super::position_view::views;
use super::request::{Command, Request};
use super::server::{AllowedHosts, converted, layout, openings};

/// The number of turns of a search, each of one slice.
const TURNS: usize = 3;

/// A client of a server that has no sockets and whose engine has a uniform evaluator.
#[derive(Default)]
pub struct FuzzClient {
    engine: Option<ConnectionEngine>,
}

impl FuzzClient {
    /// Answers a text frame.
    pub fn frame(&mut self, text: &str) -> String {
        let Request { id, command } = match Request::parse(text) {
            Ok(request) => request,
            Err(rejected) => return Answer::error(rejected.reason).to_frame(rejected.id),
        };
        let answer = match command {
            Command::States { position, from } => match views(&position, from) {
                Ok(states) => Answer::States { states },
                Err(problem) => Answer::error(problem),
            },
            Command::Stop => Answer::Stopped { stopped: true },
            Command::Think { position, task } => {
                let Ok(game) = game_named(&position.game) else {
                    return Answer::error("unknown game").to_frame(Some(id));
                };
                let mut engine = self.engine.take().filter(|engine| engine.game() == game).unwrap_or_else(|| {
                    let evaluator = Box::new(|_: &Position, legal: &[Action]| Evaluation::uniform(legal.len()));
                    let engine = Engine::new(game, game.boards.default, LoadedModel::new("uniform", evaluator));
                    ConnectionEngine::new(engine.expect("the default size is the game's own"), 0)
                });
                let answer = match engine.begin(&position, task, Effort::Visits(3), Instant::now()) {
                    Err(problem) => Answer::error(problem),
                    Ok(mut search) => {
                        let turn =
                            |number| Turn { memory: 1 << 16, threads: NonZeroUsize::MIN, last: number + 1 >= TURNS };
                        let mut turns = (0..=TURNS).map(|number| engine.think(&mut search, &turn(number)));
                        let done = turns.find_map(|progress| match progress {
                            Progress::Done(answer) => Some(answer),
                            Progress::More(_) => None,
                        });
                        done.expect("the last turn ends the search")
                    }
                };
                self.engine = Some(engine);
                answer
            }
        };
        answer.to_frame(Some(id))
    }

    /// Answers a query; after a space comes a file of games.
    pub fn query(&mut self, query: &str) {
        let (query, file) = query.split_once(' ').unwrap_or((query, ""));
        let _ = (layout(query), openings(query));
        converted(query, file.as_bytes());
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
            assert!(hosts.refusal(&headers).is_some() || !is_evil);
        }
    }
}
